from collections.abc import Iterator

import pytest

from tests.openml_server import openml_server
from tests.plugins.openml.openml_kept import Fetched, ask_here, fetch_all


@pytest.fixture(scope="session")
def fetched_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fetched]:
    with openml_server() as state:
        yield fetch_all(state, tmp_path_factory.mktemp("openml"))


@pytest.fixture
def fetched(fetched_once: Fetched, monkeypatch: pytest.MonkeyPatch) -> Fetched:
    """Without a process of its own for each question: tests with ``server`` start those."""
    ask_here(monkeypatch)
    return fetched_once
