"""A provider, a door to it, and its key."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.providers import KEY, VARIABLE, Door, Provider, door, model, provider


@pytest.fixture(name="provider")
def _provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv(VARIABLE, KEY)
    with provider() as told:
        yield told


@pytest.fixture(name="place")
def _place() -> Iterator[Path]:
    """A folder with a short path, as clients of sockets need."""
    folder = Path(tempfile.mkdtemp())
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(name="way")
def _way(provider: Provider, place: Path) -> Iterator[Door]:
    with door(place, {"m": model(provider.address)}) as opened:
        yield opened
