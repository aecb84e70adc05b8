"""A race on the bundle ``small``: entries with a value for each task, and when they came."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from tests.records import cells_of, record_of
from tests.repository import Repository

BUNDLE = "benchmarks/adding/competition.yaml"
Enter = Callable[[str, str, Sequence[float]], None]


class Race(Repository):
    """A repository whose benchmark ``adding`` has a rule of records."""

    def rule(self, accept: str, more: str = "") -> None:
        self.replace(BUNDLE, "\npullbench:\n", f"\npullbench:\n  accept: {accept}\n{more}")

    def enter(self, name: str, submitted: str, *values: float, program: str = "") -> None:
        """Commit ``participant/name`` with values of ``right``: by task, then by repeat."""
        folder = f"submissions/adding/{name}"
        self.write(f"{folder}/submission.yaml", "kind: code\n")
        self.write(f"{folder}/main.py", f"print({program or name!r})\n")
        cells = [cell for key, cell in cells_of(self).items() if key.startswith(f"adding/{name}/")]
        for cell, value in zip(cells, values, strict=True):
            record = record_of(cell, scores={"right": value, "distance": 1.0})
            provenance = record.provenance.replace(submitted=submitted)
            self.put(record.replace(provenance=provenance))
        self.commit(name)

    @property
    def board(self) -> PublicBoard:
        return leaderboard_at(self.path, "adding", phase=None, task=None, at=None)


@pytest.fixture
def race(tmp_path: Path) -> Race:
    race = Race(tmp_path / "race")
    race.copy_bundle("small")
    race.git("rm", "-rq", "--cached", "--ignore-unmatch", "submissions")
    for file in sorted((race.path / "submissions").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    race.commit("A race")
    return race
