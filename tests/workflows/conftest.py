"""A forge and a scene for each test."""

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
