"""Submissions of each phase: those that entered it, and those carried into it."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Contract


def entries(
    snapshot: Snapshot, now: dt.datetime, only: tuple[str, str] | None = None
) -> Iterator[Submission]:
    """Yield every submission once for each phase that it is in.

    When a phase with ``auto_migrate_to_this_phase`` starts, each participant's last submission
    of the phase before, among those that are still on the board, is in it too. Nobody is carried
    beyond the phase of ``only``: benchmark and phase.
    """
    by_benchmark: dict[str, list[Submission]] = defaultdict(list)
    for submission in snapshot.submissions:
        if not submission.cancelled:
            by_benchmark[submission.benchmark].append(submission)
    for name, submissions in by_benchmark.items():
        benchmark = snapshot.benchmarks[name]
        yield from submissions
        if any(phase.auto_migrate for phase in benchmark.phases):
            last = only[1] if only and only[0] == name else ""
            yield from _carry_over(snapshot, benchmark, submissions, now, last)


def board_entry(snapshot: Snapshot, submission: Submission) -> Submission | None:
    """An entry as boards list it: a retired data set says why, a refused one is no row."""
    dataset = snapshot.datasets.get(submission.id)
    if dataset is None or not _is_row(snapshot, submission):
        return submission
    if dataset.state == "retired":
        return replace(submission, retired=dataset.reason)
    return None if dataset.state == "refused" else submission


PROMOTIONS = Contract[Callable[[Snapshot, Benchmark, Phase, dt.datetime], Collection[str] | None]](
    "promotions"
)
"""Each returns the participants that are carried into a phase, or None if all are."""


def _carry_over(
    snapshot: Snapshot, benchmark: Benchmark, submissions: Sequence[Submission], now: dt.datetime,
    last: str,
) -> Iterator[Submission]:  # fmt: skip
    standing = {
        phase.slug: [item for item in submissions if item.phase == phase.slug]
        for phase in benchmark.phases
    }
    for before, phase in zip(benchmark.phases, benchmark.phases[1:], strict=False):
        if before.slug == last:
            return
        if not phase.auto_migrate or not phase.has_started(now):
            continue
        standing_ids = {item.id for item in standing[phase.slug]}
        asked = [ask(snapshot, benchmark, phase, now) for ask in PROMOTIONS.values()]
        for submission in _last_of_each(snapshot, standing[before.slug]):
            is_promoted = all(names is None or submission.participant in names for names in asked)
            if is_promoted and submission.id not in standing_ids:
                carried = replace(submission, phase=phase.slug)
                standing[phase.slug].append(carried)
                yield carried


def _last_of_each(snapshot: Snapshot, submissions: Sequence[Submission]) -> Iterator[Submission]:
    times = submission_times(snapshot, submissions)
    last: dict[str, Submission] = {}
    for submission in sorted(submissions, key=lambda item: (times[item.id], item.id)):
        if submission.leaderboard and _is_row(snapshot, submission):
            last[submission.participant] = submission
    yield from last.values()


def _is_row(snapshot: Snapshot, submission: Submission) -> bool:
    """Whether it can be carried; a data set that became a task is part of its phases already."""
    return submission.kind.is_row(snapshot.benchmarks[submission.benchmark])


def submission_times(snapshot: Snapshot, submissions: Sequence[Submission]) -> dict[str, str]:
    """ISO times by records, else git, for a shallow clone knows few; new ones come last."""
    wanted = {item.id for item in submissions}
    times: dict[str, str] = {}
    recorded = (cell for name in wanted for cell in snapshot.recorded_cells.get(name, ()))
    for record in snapshot.record_files.stream(recorded):
        name = record.cell.submission_id
        if submitted := record.provenance.submitted:
            times[name] = min(submitted, times.get(name, submitted))
    for submission in submissions:
        if submission.id not in times:
            added = snapshot.tree.added(f"{submission.path}/submission.yaml")
            times[submission.id] = added or "9999"
    return times
