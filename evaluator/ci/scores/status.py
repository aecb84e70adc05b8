"""What the site says of submissions on their way, from a commit and a clock and nothing else.

The ledger is not asked: the site of a commit is the same for everybody who builds it.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from evaluator.ci.git.history import changed_paths
from evaluator.ci.ledger.ledger_state import state_of
from evaluator.ci.ledger.quotas import WITHOUT_LEDGER
from evaluator.ci.ledger.unreviewed import MENTION, number_of, recent_unreviewed
from evaluator.ci.ledger.versions import unchanged_since, versions
from evaluator.core.clock import moment_text
from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cache import Cache
from evaluator.core.formats.repository_status import (
    MergedPullRequest,
    RepositoryStatus,
    Waiting,
    WaitingState,
)
from evaluator.core.formats.submission import Submission
from evaluator.core.git.commands import Repo
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.plan import Plan, PlannedCell, make_plan
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import disclose


def read_status(
    snapshot: Snapshot, open_cells: Sequence[Cell], now: dt.datetime, cache: Cache | None = None
) -> RepositoryStatus:
    """Read it; ``open_cells`` are those that are not settled or not begun."""
    tree, state = snapshot.tree, state_of(snapshot.tree)
    return RepositoryStatus(
        waiting=unfinished(snapshot, now, all_cells=open_cells),
        unreviewed=recent_unreviewed(tree, cache),
        withdrawn=tuple(reversed(state.withdrawn)) if state else (),
        pull_requests=pull_requests(tree.repository, tree.commit),
    )


_LATEST = dt.datetime.max.replace(tzinfo=dt.UTC)
_STATES: dict[str, WaitingState] = {"new": "missing", "stale": "stale", "retry": "retry"}


def unfinished(
    snapshot: Snapshot, now: dt.datetime, *, all_cells: Sequence[Cell] | None = None
) -> list[Waiting]:
    """All that waits, the longest first; ``all_cells`` may leave out settled ones."""
    all_cells = list(cells(snapshot, now)) if all_cells is None else all_cells
    plan = make_plan(snapshot, now, WITHOUT_LEDGER, all_cells)
    times = _Times(snapshot)
    waiting = [
        *_planned(snapshot, plan, times),
        *_refused(snapshot, plan, times),
        *_before_start(all_cells, times, now),
        *_unreadable(snapshot),
    ]
    return sorted(waiting, key=lambda item: (item.since or _LATEST, item.submission, item.phase))


def _planned(snapshot: Snapshot, plan: Plan, times: "_Times") -> Iterator[Waiting]:
    groups: dict[tuple[str, str, str], list[PlannedCell]] = {}
    for item in plan.missing:
        key = (item.cell.submission.id, item.cell.phase.slug, item.state)
        groups.setdefault(key, []).append(item)
    for (name, _, state), items in groups.items():
        first = items[0]
        yield Waiting(
            submission=name, phase=first.cell.phase.name, state=_STATES[state], cells=len(items),
            since=times.invalid_since(first), reason=_reason(snapshot, first), actor=Actor.PLATFORM,
        )  # fmt: skip


def _reason(snapshot: Snapshot, item: PlannedCell) -> str:
    """The plan's reason; for a fault, the part that may be public."""
    if item.state != "retry":
        return item.reason
    disclosure = disclose(snapshot.record_files[item.cell.id], item.cell.benchmark)
    return f"platform fault: {disclosure.message}" if disclosure.message else "platform fault"


def _refused(snapshot: Snapshot, plan: Plan, times: "_Times") -> Iterator[Waiting]:
    for refusal in plan.refused:
        submission = refusal.submission
        phase = snapshot.benchmarks[submission.benchmark].phase(submission.phase)
        yield Waiting(
            submission=submission.id, phase=phase.name if phase else "", state="refused", cells=0,
            since=times.unchanged_since(submission), reason=f"it {refusal.reason}",
            hint=refusal.hint, actor=Actor.PARTICIPANT,
        )  # fmt: skip


def _before_start(
    all_cells: Iterable[Cell], times: "_Times", now: dt.datetime
) -> Iterator[Waiting]:
    groups: dict[tuple[str, str], list[Cell]] = {}
    for cell in all_cells:
        if not cell.phase.has_started(now):
            groups.setdefault((cell.submission.id, cell.phase.slug), []).append(cell)
    for (name, _), waiting in groups.items():
        first = waiting[0]
        yield Waiting(
            submission=name, phase=first.phase.name, state="waiting", cells=len(waiting),
            since=times.unchanged_since(first.submission), actor=None,
            reason=f"the phase begins on {moment_text(first.phase.start)}",
        )  # fmt: skip


def _unreadable(snapshot: Snapshot) -> Iterator[Waiting]:
    """Yield submissions that are in git and on no board, since their files cannot be used."""
    seen: set[str] = set()
    for problem in snapshot.problems:
        parts = problem.file.split("/")
        name = "/".join(parts[1:4])
        if parts[0] != "submissions" or len(parts) < 4 or problem.severity != "error":
            continue
        if name not in seen:
            seen.add(name)
            yield Waiting(
                submission=name, phase="", state="unreadable", cells=0, since=None,
                reason=f"{problem.key + ': ' if problem.key else ''}{problem.message}",
                hint=problem.hint, actor=problem.actor, has_page=False,
            )  # fmt: skip


class _Times:
    """When what is waited for began; asks git once per benchmark."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._versions = lru_cache(maxsize=None)(lambda name: versions(snapshot.tree, {name: None}))
        self._changed = lru_cache(maxsize=None)(self._last_change)

    def unchanged_since(self, submission: Submission) -> dt.datetime | None:
        return unchanged_since(self._versions(submission.benchmark).get(submission.id, ()))

    def invalid_since(self, item: PlannedCell) -> dt.datetime | None:
        if item.state == "retry":
            record = self._snapshot.record_files[item.cell.id]
            return dt.datetime.fromisoformat(record.provenance.finished)
        if item.state == "stale" and not item.unseen:
            return self._changed(item.cell.benchmark.name)
        since = self.unchanged_since(item.cell.submission)
        return max(since, item.cell.phase.start) if since else None

    def _last_change(self, name: str) -> dt.datetime | None:
        """When a bundle last changed in what can make a cell stale."""
        benchmark = self._snapshot.benchmarks[name]
        tree = self._snapshot.tree
        folders = (benchmark.path,)
        commits = (
            changed_paths(tree.repository, tree.commit, folders=folders) if tree.commit else ()
        )
        for step in commits:
            if any(_can_make_stale(benchmark, path) for path in step.paths):
                return step.at
        return None


def _can_make_stale(benchmark: Benchmark, path: str) -> bool:
    file = path.removeprefix(f"{benchmark.path}/")
    shown = {benchmark.terms, benchmark.logo, *(page.file for page in benchmark.pages)}
    kits = tuple(f"{phase.starting_kit}/" for phase in benchmark.phases if phase.starting_kit)
    return file not in shown and not file.startswith(kits)


MAX_PULL_REQUESTS = 20
"""Of one submission, the latest."""


def pull_requests(repo: Repo, commit: str | None) -> Mapping[str, Sequence[MergedPullRequest]]:
    """Submission -> pull requests that changed its own files, the oldest first. Asks git once."""
    merges: dict[str, list[MergedPullRequest]] = defaultdict(list)
    # A shallow clone's oldest commit has no parent here, and all files as its own.
    options = ("--diff-filter=d", "--extended-regexp", f"--grep={MENTION}", "--min-parents=1")
    for step in changed_paths(repo, commit, *options) if commit else ():
        number = number_of(step.subject)
        if number is None:
            continue
        merged = MergedPullRequest(number=number, commit=step.commit, at=step.at)
        for name in {name for path in step.paths if (name := _submission(path))}:
            if len(merges[name]) < MAX_PULL_REQUESTS:
                merges[name].append(merged)
    return {name: merged[::-1] for name, merged in merges.items()}


def _submission(path: str) -> str:
    # Git puts a path with odd characters between quotes; those of these folders are plain.
    parts = path.lstrip('"').split("/", 5)
    if parts[0] != "submissions" or len(parts) < 5 or parts[4] == "scores":
        return ""
    return "/".join(parts[1:4])
