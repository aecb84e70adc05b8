from collections.abc import Iterator

import pytest

from tests.importers.openml.sources import fill
from tests.openml_server import OpenMLServer, openml_server


@pytest.fixture
def server() -> Iterator[OpenMLServer]:
    with openml_server() as state:
        fill(state)
        yield state
