from pathlib import Path

import pytest

from tests.importers.sources import Desk
from tests.repository import Repository


@pytest.fixture
def desk(tmp_path: Path, repo: Repository) -> Desk:
    folder = tmp_path / "sources"
    folder.mkdir()
    return Desk(folder, repo)
