"""Boards as they were, for the site: computed once for each commit, and kept.

The board of a commit is the same for ever: its clock is the commit's. What is hidden today is
hidden in former boards as well.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from evaluator.core.errors import PullbenchError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.checksummed import read_checksummed, write_checksummed
from evaluator.core.formats.file_digests import cache_key, digest_of_programs
from evaluator.core.git.commands import is_shallow, object_ids
from evaluator.core.git.tree import Tree, open_repository
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import current_phase, leaderboard
from evaluator.core.planning.snapshot import Snapshot, take_snapshot
from evaluator.site.leaderboard.checkpoints import (
    FormerData,
    History,
    Point,
    former_data,
    former_json,
    former_of,
)
from evaluator.site.points import Moment, moments

MAX_POINTS = 60
"""The latest that are shown."""
MIN_POINTS = 3
MAX_CELLS = 600_000
"""Cells of all boards that are computed for one benchmark; large ones have fewer points."""
MAX_BOARDS = 300
"""Of all phases together; benchmarks with many phases have fewer points."""
CACHE = "build/cache/history"


def histories(
    taken: Snapshot, boards: Mapping[str, Sequence[PublicBoard]], now: dt.datetime
) -> dict[str, History]:
    """Return the history of each benchmark whose present boards are given, and are not hidden.

    ``boards`` are those of all phases, in order: what did not change since is not computed again.
    """
    commit = taken.tree.commit
    shown = {
        name: moments_of
        for name, moments_of in boards.items()
        if not moments_of[0].benchmark.leaderboard.hidden
    }
    if commit is None or not shown:
        return {}
    repo = open_repository(taken.tree.root)
    names = sorted(shown)
    moments_of = moments(repo, commit, names)
    shallow = is_shallow(repo)
    ids = iter(object_ids(repo, [f"{commit}:{folder}/{name}" for name in names
                                 for folder in ("benchmarks", "submissions")]))  # fmt: skip
    present = {name: (next(ids), next(ids)) for name in names}
    return {
        name: _history(
            _Source(taken, shown[name], now, None if _is_dirty(taken, name) else present[name]),
            moments_of[name], shallow=shallow,
        )
        for name in names
    }  # fmt: skip


class _Source:
    """Where boards of one benchmark come from: what is kept, what is known, else the commit."""

    def __init__(
        self, taken: Snapshot, boards: Sequence[PublicBoard], now: dt.datetime,
        present: tuple[str | None, str | None] | None,
    ) -> None:  # fmt: skip
        self.benchmark = boards[0].benchmark
        self._tree = taken.tree
        self._boards = boards
        self._now = now
        self._present = present
        self._folder = taken.tree.root / CACHE / self.benchmark.name
        self._used: set[str] = set()

    @property
    def cells(self) -> int:
        """Of the present boards of all phases."""
        return sum(
            (len(board.rows) + len(board.unlisted)) * len(board.tasks) for board in self._boards
        )

    def data(self, moment: Moment) -> Sequence[FormerData]:
        """Return former boards; none where the files cannot be read by this version.

        First that of the phase that was open, or was last, then those of others that had begun.
        """
        name = f"{_key(moment, self.benchmark)}"
        self._used.add(name)
        file = self._folder / name
        try:
            formers: list[FormerData] = msgspec.json.decode(read_checksummed(file))
        except (OSError, ValueError):  # msgspec's among them
            formers = self._computed(moment)
            file.parent.mkdir(parents=True, exist_ok=True)
            content = b"[%s]\n" % b",".join(former_json(data) for data in formers)
            write_checksummed(file, content)
        return formers

    def tidy(self) -> None:
        """Remove what no point needs any more."""
        for file in self._folder.iterdir():
            if file.name not in self._used:
                file.unlink(missing_ok=True)

    def _computed(self, moment: Moment) -> list[FormerData]:
        if moment.content == self._present and _same_phases(self.benchmark, moment.at, self._now):
            boards = self._boards
        else:
            try:
                boards_then = _boards_at(self._tree, self.benchmark.name, moment)
            except PullbenchError:
                return []
            boards = [publish(_with_hidden(board, self.benchmark)) for board in boards_then]
        now = current_phase(boards[0].benchmark, moment.at).slug
        return [
            former_data(board, moment.commit, moment.at)
            for board in sorted(boards, key=lambda board: board.phase.slug != now)
            if board.phase.slug == now or board.phase.has_started(moment.at)
        ]


def _history(source: _Source, found: Sequence[Moment], *, shallow: bool) -> History:
    affordable = min(MAX_CELLS // max(1, source.cells), MAX_BOARDS // len(source.benchmark.phases))
    most = min(MAX_POINTS, max(MIN_POINTS, affordable))
    shown = found[-most:]
    points = [(_point(moment), source.data(moment)) for moment in shown]
    source.tidy()
    return History(
        formers=former_of(points)[::-1], omitted=len(found) - len(shown), shallow=shallow
    )


def _point(moment: Moment) -> Point:
    return Point(commit=moment.commit, at=moment.at, tags=moment.tags, folders=moment.folders)


def _boards_at(tree: Tree, name: str, moment: Moment) -> list[Board]:
    """Rank every phase that had begun; the first where none had."""
    folders = [f"{root}/{name}" for root in ("benchmarks", "submissions", "archives")]
    then = tree.at(moment.commit, *folders, "pyproject.toml")
    snapshot = take_snapshot(then, only=name)
    snapshot.record_files.check_form()
    last = leaderboard(snapshot, name, phase=None, task=None, now=moment.at)
    return [
        last
        if phase.slug == last.phase.slug
        else leaderboard(snapshot, name, phase=phase.slug, task=None, now=moment.at)
        for phase in last.benchmark.phases
        if phase.slug == last.phase.slug or phase.has_started(moment.at)
    ]


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
    return cache_key(digest_of_programs(), present.name, moment.commit, *hidden, "", *silent)
