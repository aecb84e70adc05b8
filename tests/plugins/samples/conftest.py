import pytest

from tests.plugins.samples.boards import COMPETITION
from tests.repository import Repository


@pytest.fixture
def protocol(repo: Repository) -> Repository:
    repo.copy_bundle("protocol")
    repo.replace(COMPETITION, "pullbench:\n", "pullbench:\n  samples: true\n")
    return repo
