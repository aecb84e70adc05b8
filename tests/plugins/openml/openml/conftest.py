from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.openml_server import OpenMLServer, openml_server
from tests.plugins.openml.openml_sources import fill
from tests.repository import Repository


@pytest.fixture
def server() -> Iterator[OpenMLServer]:
    with openml_server() as state:
        fill(state)
        yield state


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("README.md", "Benchmarks.\n")
    made.commit()
    return made
