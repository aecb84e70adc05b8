"""A server whose tasks are all fetched once, for tests that are not about fetching."""

import io
import json
import shutil
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from evaluator.plugins.openml.tasks import child
from evaluator.plugins.openml.tasks.client import OpenmlClient, _read_answer
from evaluator.plugins.openml.tasks.fetching import fetch_tasks
from tests.openml_server import OpenMLServer
from tests.plugins.openml.openml_sources import fill, fill_more
from tests.repository import Repository


@dataclass(frozen=True)
class Fetched:
    """The server, and what an import keeps of it for the next one."""

    server: OpenMLServer
    kept: Path

    def give(self, repository: Repository) -> OpenMLServer:
        """Let a repository have it."""
        shutil.copytree(self.kept, repository.path / "build/openml")
        self.server.asked.clear()
        return self.server


def fetch_all(server: OpenMLServer, kept: Path) -> Fetched:
    """Fill a server, and fetch every task of it in one go."""
    fill(server)
    fill_more(server)
    fetch_tasks(OpenmlClient(server=server.api, seconds=300), list(server.tasks), kept)
    return Fetched(server, kept)


def ask_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients call the package in this process: to load it takes seconds each time."""

    def some(client: OpenmlClient, command: str, items: Sequence[Any], home: Path) -> Iterator[Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import openml

            openml.config.set_root_cache_directory(str(home / "openml"))
            request = {"command": command, "server": client.server, "items": items}
            answers = io.StringIO()
            with (
                patch.object(sys, "stdin", io.StringIO(json.dumps(request))),
                patch.object(sys, "stdout", answers),
                patch.dict("os.environ", {"OPENML_SKIP_PARQUET": "true"}),
            ):
                child.main()
        for line in answers.getvalue().splitlines()[1:]:
            yield _read_answer(json.loads(line), client.server)

    monkeypatch.setattr(OpenmlClient, "_answers", some)
