"""A server whose tasks are all fetched once, for tests that are not about fetching."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from evaluator.plugins.openml.tasks.client import Client
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
    fetch_tasks(Client(server=server.api, seconds=300), list(server.tasks), kept)
    return Fetched(server, kept)
