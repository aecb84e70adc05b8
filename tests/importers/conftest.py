from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.importers.openml_kept import Fetched, fetch_all
from tests.importers.sources import Desk
from tests.openml_server import openml_server
from tests.repository import Repository


@pytest.fixture
def desk(tmp_path: Path, repo: Repository) -> Desk:
    folder = tmp_path / "sources"
    folder.mkdir()
    return Desk(folder, repo)


@pytest.fixture(scope="session")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fetched]:
    with openml_server() as state:
        yield fetch_all(state, tmp_path_factory.mktemp("openml"))
