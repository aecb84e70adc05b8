"""Boards as they were, for the site: computed once for each commit, and kept.

The board of a commit is the same for ever: its clock is the commit's. What is hidden today is
hidden in former boards as well.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import evaluator
from evaluator.board.former import (
    FormerData,
    History,
    Point,
    former_data,
    former_json,
    former_of,
)
from evaluator.board.leaderboard import Board
from evaluator.errors import PullbenchError
from evaluator.formats.bundle import Benchmark
from evaluator.planning.points import Moment, moments
from evaluator.planning.repository import is_shallow, object_ids
from evaluator.planning.snapshot import Snapshot, take_snapshot
from evaluator.planning.tree import Tree, open_repository
from evaluator.ranking import leaderboard

MAX_POINTS = 60
"""The latest that are shown."""
MIN_POINTS = 3
MAX_CELLS = 600_000
"""Cells of all boards that are computed for one benchmark; large ones have fewer points."""
CACHE = "build/cache/history"


def histories(taken: Snapshot, boards: Mapping[str, Board], now: dt.datetime) -> dict[str, History]:
    """Return the history of each benchmark whose present board is given, and is not hidden.

    ``boards`` are those of the present phases: what did not change since is not computed again.
    """
    commit = taken.tree.commit
    shown = {
        name: board for name, board in boards.items() if not board.benchmark.leaderboard.hidden
    }
    if commit is None or not shown:
        return {}
    repo = open_repository(taken.tree.root)
    names = sorted(shown)
    found = moments(repo, commit, names)
    shallow = is_shallow(repo)
    ids = iter(object_ids(repo, [f"{commit}:{folder}/{name}" for name in names
                                 for folder in ("benchmarks", "submissions")]))  # fmt: skip
    present = {name: (next(ids), next(ids)) for name in names}
    return {
        name: _history(
            _Source(taken, shown[name], now, None if _is_dirty(taken, name) else present[name]),
            found[name], shallow=shallow,
        )
        for name in names
    }  # fmt: skip


class _Source:
    """Where boards of one benchmark come from: what is kept, what is known, else the commit."""

    def __init__(
        self, taken: Snapshot, board: Board, now: dt.datetime,
        present: tuple[str | None, str | None] | None,
    ) -> None:  # fmt: skip
        self.benchmark = board.benchmark
        self._tree = taken.tree
        self._board = board
        self._now = now
        self._present = present
        self._folder = taken.tree.root / CACHE / self.benchmark.name
        self._used: set[str] = set()

    @property
    def cells(self) -> int:
        """Of the present board."""
        return (len(self._board.rows) + len(self._board.unlisted)) * len(self._board.tasks)

    def data(self, moment: Moment) -> FormerData | None:
        """Return a former board; None where its files cannot be read by this version."""
        name = f"{_key(moment, self.benchmark)}.json"
        self._used.add(name)
        file = self._folder / name
        try:
            kept: FormerData | None = json.loads(file.read_bytes())
        except (OSError, ValueError):
            kept = self._computed(moment)
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_suffix(f".{id(self)}")
            draft.write_bytes(former_json(kept) if kept else b"null\n")
            draft.replace(file)
        return kept

    def tidy(self) -> None:
        """Remove what no point needs any more."""
        for file in self._folder.glob("*.json"):
            if file.name not in self._used:
                file.unlink(missing_ok=True)

    def _computed(self, moment: Moment) -> FormerData | None:
        if moment.content == self._present and _same_phases(self.benchmark, moment.at, self._now):
            return former_data(self._board, moment.commit, moment.at)
        try:
            board = _board_at(self._tree, self.benchmark.name, moment)
        except PullbenchError:
            return None
        return former_data(_with_hidden(board, self.benchmark), moment.commit, moment.at)


def _history(source: _Source, found: Sequence[Moment], *, shallow: bool) -> History:
    most = min(MAX_POINTS, max(MIN_POINTS, MAX_CELLS // max(1, source.cells)))
    kept = found[-most:]
    points = [(_point(moment), source.data(moment)) for moment in kept]
    source.tidy()
    return History(formers=former_of(points)[::-1], omitted=len(found) - len(kept), shallow=shallow)


def _point(moment: Moment) -> Point:
    return Point(commit=moment.commit, at=moment.at, tags=moment.tags, folders=moment.folders)


def _board_at(tree: Tree, name: str, moment: Moment) -> Board:
    then = tree.at(moment.commit, f"benchmarks/{name}", f"submissions/{name}", "pyproject.toml")
    return leaderboard(take_snapshot(then, only=name), name, phase=None, task=None, now=moment.at)


def _with_hidden(board: Board, present: Benchmark) -> Board:
    """Hide in a former board what is hidden today."""
    hidden = {column.key for column in present.leaderboard.columns if column.hidden}
    columns = tuple(
        replace(column, hidden=column.hidden or column.key in hidden)
        for column in board.benchmark.leaderboard.columns
    )
    benchmark = replace(
        board.benchmark, leaderboard=replace(board.benchmark.leaderboard, columns=columns)
    )
    today = present.phase(board.phase.slug)
    if today is not None and today.shows == "status":
        benchmark = replace(benchmark, leaderboard=replace(benchmark.leaderboard, hidden=True))
    return replace(board, benchmark=benchmark)


def _same_phases(benchmark: Benchmark, one: dt.datetime, other: dt.datetime) -> bool:
    """Whether the same phases have begun at two times, so that the same submissions stand."""
    return all(phase.has_started(one) == phase.has_started(other) for phase in benchmark.phases)


def _is_dirty(taken: Snapshot, name: str) -> bool:
    folders = (f"benchmarks/{name}/", f"submissions/{name}/")
    return any(path.startswith(folders) or path == "pyproject.toml" for path in taken.tree.dirty)


def _key(moment: Moment, present: Benchmark) -> str:
    """Name what a former board is a function of."""
    hidden = sorted(column.key for column in present.leaderboard.columns if column.hidden)
    silent = sorted(phase.slug for phase in present.phases if phase.shows == "status")
    parts = [_programs(), present.name, moment.commit, *hidden, "", *silent]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _programs() -> str:
    """Digest of everything that computes boards."""
    found = hashlib.sha256()
    folder = Path(evaluator.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        found.update(f"{path.relative_to(folder)}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
