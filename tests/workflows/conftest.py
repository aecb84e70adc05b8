"""A forge and a scene for each test."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflows.forge import LoopbackForge, loopback_forge
from tests.workflows.scene import Scene


@pytest.fixture
def forge() -> Iterator[LoopbackForge]:
    with loopback_forge() as forge:
        yield forge


@pytest.fixture
def scene(tmp_path: Path, forge: LoopbackForge) -> Scene:
    return Scene(tmp_path, forge)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs of an environment with nothing in it but pip."""
    folder = tmp_path_factory.mktemp("empty") / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
    return folder / "bin"
