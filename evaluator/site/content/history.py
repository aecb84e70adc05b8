"""Boards as they were, for the site: computed once for each commit, and kept.

The board of a commit is the same for ever: its clock is the commit's. What is hidden today is
hidden in past boards as well. Commits worth looking at are those with a tag, and the last of days
of change.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from evaluator.core.errors import PullbenchError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache, cache_key, digest_of_programs
from evaluator.core.formats.names import POINTS, is_reserved
from evaluator.core.git.commands import Repo, first_parents_of, is_shallow, object_ids
from evaluator.core.git.tree import Tree, open_repository
from evaluator.core.leaderboard.board import Board
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import current_phase, leaderboard
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.site.content.past_boards import (
    FormerData,
    History,
    Moment,
    past_board_data,
    past_boards,
)

MAX_POINTS = 60
"""The latest that are shown."""
MIN_POINTS = 3
MAX_CELLS = 600_000
"""Cells of all boards that are computed for one benchmark; large ones have fewer points."""
MAX_BOARDS = 300
"""Of all phases together; benchmarks with many phases have fewer points."""
_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
"""Names of tags that can stand in an address as they are."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def histories(
    snapshot: Snapshot, boards: Mapping[str, Sequence[PublicBoard]], now: dt.datetime, cache: Cache
) -> dict[str, History]:
    """Histories of benchmarks that are not hidden; unchanged ``boards`` are reused."""
    commit = snapshot.tree.commit
    shown = {
        name: of_phases
        for name, of_phases in boards.items()
        if not of_phases[0].benchmark.leaderboard.hidden
    }
    if commit is None or not shown:
        return {}
    repo = open_repository(snapshot.tree.root)
    shallow = is_shallow(repo)
    return {
        name: _history(snapshot, shown[name], found, now, cache, shallow=shallow)
        for name, found in moments(repo, commit, sorted(shown)).items()
    }


def _history(
    snapshot: Snapshot, boards: Sequence[PublicBoard], found: Sequence[Moment], now: dt.datetime,
    cache: Cache, *, shallow: bool,
) -> History:  # fmt: skip
    benchmark = boards[0].benchmark
    cells = sum((len(board.rows) + len(board.unlisted)) * len(board.tasks) for board in boards)
    affordable = min(MAX_CELLS // max(1, cells), MAX_BOARDS // len(benchmark.phases))
    latest = found[-min(MAX_POINTS, max(MIN_POINTS, affordable)) :]
    present = None if _is_dirty(snapshot, benchmark.name) else found[-1:]
    points: list[tuple[Moment, list[FormerData]]] = []
    for moment in latest:
        key = _key(moment, benchmark)
        if (content := cache.get(key)) is not None:
            data = msgspec.json.decode(content)
        else:
            is_present = present and moment.content == present[0].content
            # The same phases have begun, so that the same submissions stand.
            unchanged = is_present and all(
                phase.has_started(moment.at) == phase.has_started(now) for phase in benchmark.phases
            )
            data = _data_at(snapshot.tree, benchmark, moment, boards if unchanged else None)
            cache.put(key, msgspec.json.encode(data))
        points.append((moment, data))
    omitted = len(found) - len(latest)
    return History(boards=past_boards(points)[::-1], omitted=omitted, shallow=shallow)


def _data_at(
    tree: Tree, benchmark: Benchmark, moment: Moment, boards: Sequence[PublicBoard] | None
) -> list[FormerData]:
    """Return ``boards`` at a commit, first of the phase open then or last; () if unreadable."""
    if boards is None:
        try:
            ranked = _boards_at(tree, benchmark.name, moment)
        except PullbenchError:
            return []
        boards = [publish(_with_hidden(board, benchmark)) for board in ranked]
    now = current_phase(boards[0].benchmark, moment.at).slug
    return [
        past_board_data(board, moment.commit, moment.at)
        for board in sorted(boards, key=lambda board: board.phase.slug != now)
        if board.phase.slug == now or board.phase.has_started(moment.at)
    ]


def _boards_at(tree: Tree, name: str, moment: Moment) -> list[Board]:
    folders = [f"{root}/{name}" for root in ("benchmarks", "submissions", "archives")]
    then = tree.at_commit(moment.commit, *folders, "pyproject.toml")
    snapshot = read_snapshot(then, only=name)
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


def _is_dirty(snapshot: Snapshot, name: str) -> bool:
    folders = (f"benchmarks/{name}/", f"submissions/{name}/")
    return any(path.startswith(folders) or path == "pyproject.toml" for path in snapshot.tree.dirty)


def _key(moment: Moment, present: Benchmark) -> str:
    hidden = sorted(column.key for column in present.leaderboard.columns if column.hidden)
    silent = sorted(phase.slug for phase in present.phases if phase.shows == "status")
    return cache_key(
        "history", digest_of_programs(), present.name, moment.commit, *hidden, "", *silent
    )


def moments(repo: Repo, commit: str, benchmarks: Sequence[str]) -> Mapping[str, Sequence[Moment]]:
    """The moments of benchmarks, the oldest first; git is asked three times in all."""
    candidates = _candidates(repo, commit)
    asked = [
        f"{commit}:{folder}/{name}"
        for name in benchmarks
        for commit, *_ in candidates
        for folder in ("benchmarks", "submissions")
    ]
    ids = iter(object_ids(repo, asked))
    return {name: _moments_of(candidates, [(next(ids), next(ids)) for _ in candidates])
            for name in benchmarks}  # fmt: skip


def _candidates(repo: Repo, commit: str) -> list[tuple[str, dt.datetime, list[str], bool]]:
    """Find tagged commits and each day's last: id, time, tags, whether it is a last one."""
    tags_of: dict[str, list[str]] = defaultdict(list)
    for name, target in _tags(repo, commit):
        tags_of[target].append(name)
    candidates = []
    days: set[dt.date] = set()
    for name, at, *_ in first_parents_of(repo, commit):
        is_last = at.date() not in days
        days.add(at.date())
        if is_last or name in tags_of:
            candidates.append((name, at, sorted(tags_of.get(name, ())), is_last))
    return candidates[::-1]


def _tags(repo: Repo, commit: str) -> list[tuple[str, str]]:
    out: str = repo.git.for_each_ref(
        "--merged", commit, "--format=%(refname:strip=2) %(if)%(*objectname)%(then)%(*objectname)"
        "%(else)%(objectname)%(end)", "refs/tags",
    )  # fmt: skip
    # Names of references hold no blanks.
    lines = (line.partition(" ") for line in out.splitlines())
    return [(name, target) for name, _, target in lines]


def _moments_of(
    candidates: Sequence[tuple[str, dt.datetime, list[str], bool]],
    contents: Sequence[tuple[str | None, str | None]],
) -> list[Moment]:
    moments: list[Moment] = []
    used: set[str] = set()
    for (commit, at, tags_here, is_last_of_day), content in zip(candidates, contents, strict=True):
        if content[0] is None:
            continue  # it was not there yet
        folders = [_folder(tag, commit) for tag in tags_here]
        if moments and moments[-1].content == content:
            last = moments.pop()
            # A tagged commit of a day whose last one has the same content.
            day = [at.date().isoformat()] if is_last_of_day and at.date() == last.at.date() else []
            others = used - {*last.folders}
            wanted = [name for name in (*day, *last.folders, *folders) if name not in others]
            used.update(wanted)
            moments.append(
                replace(last, tags=(*last.tags, *tags_here), folders=tuple(dict.fromkeys(wanted)))
            )
            continue
        if is_last_of_day:
            folders.insert(0, at.date().isoformat())
        folders = [name for name in dict.fromkeys(folders) if name not in used]
        used.update(folders)
        if folders:
            moments.append(
                Moment(commit=commit, at=at, tags=tuple(tags_here), folders=tuple(folders),
                       content=content)
            )  # fmt: skip
    return moments


def _folder(tag: str, commit: str) -> str:
    """A tag's name where it can be part of an address, and is no day and no page."""
    if _PLAIN.fullmatch(tag) and not _DAY.fullmatch(tag) and not is_reserved(tag, POINTS):
        return tag
    return f"tag-{commit[:12]}"
