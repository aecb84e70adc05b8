from collections.abc import Iterator

import pytest

from tests.openml_server import openml_server
from tests.plugins.openml.openml_kept import Fetched, fetch_all


@pytest.fixture(scope="session")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fetched]:
    with openml_server() as state:
        yield fetch_all(state, tmp_path_factory.mktemp("openml"))
