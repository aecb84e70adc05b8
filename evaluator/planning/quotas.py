"""Quotas and windows, from what git records: nothing else is counted, so nothing can drift.

An attempt is a commit that brought new content of a submission, its scores and its
submission.yaml apart. So a re-run is none, and neither is a corrected description. What the
platform or the organiser spoiled does not count, and what was cancelled before it ran does not.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluator.formats.bundle import Phase
from evaluator.formats.submission import FILE_NAME, SCORES, Submission
from evaluator.planning.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A submission that is not evaluated, and why."""

    submission: Submission
    reason: str
    hint: str


def refusals(snapshot: Snapshot, candidates: Iterable[Submission]) -> dict[str, Refusal]:
    """Submission id -> why its content, which has no record yet, may not be evaluated.

    ``candidates`` are the submissions with such content. What is not committed is not counted:
    a trial on one's own machine is nobody's attempt.
    """
    groups: dict[tuple[str, str], list[Submission]] = defaultdict(list)
    for submission in candidates:
        if not any(name.startswith(f"{submission.path}/") for name in snapshot.tree.dirty):
            groups[submission.benchmark, submission.participant].append(submission)
    found: dict[str, Refusal] = {}
    for (benchmark, participant), submissions in groups.items():
        others = [
            item
            for item in snapshot.submissions
            if (item.benchmark, item.participant) == (benchmark, participant)
        ]
        times = snapshot.tree.attempts(f"submissions/{benchmark}/{participant}", SCORES, FILE_NAME)
        for submission in submissions:
            refusal = _judge(snapshot, submission, others, times)
            if refusal is not None:
                found[submission.id] = refusal
    return found


def _judge(
    snapshot: Snapshot,
    submission: Submission,
    others: Sequence[Submission],
    times: Mapping[str, Sequence[dt.datetime]],
) -> Refusal | None:
    phase = snapshot.benchmarks[submission.benchmark].phase(submission.phase)
    own = times.get(submission.name)
    if phase is None or not own:
        return None
    now = max(own)
    late = _outside(submission, phase, now)
    if late is not None:
        return late
    before = sorted(
        moment
        for item in others
        if item.phase == submission.phase
        for moment in _counted(snapshot, item, times.get(item.name, ()), own_last=now)
        if moment < now or (moment == now and item.name < submission.name)
    )
    today = [moment for moment in before if moment.date() == now.date()]
    if phase.max_submissions and len(before) >= phase.max_submissions:
        return Refusal(
            submission=submission,
            reason=f"is number {len(before) + 1} of {submission.participant} in phase "
            f"'{phase.name}'; the limit is {phase.max_submissions}",
            hint="Withdraw it; an organiser may raise max_submissions.",
        )
    if phase.max_submissions_per_day and len(today) >= phase.max_submissions_per_day:
        return Refusal(
            submission=submission,
            reason=f"is number {len(today) + 1} of {submission.participant} on "
            f"{now.date()} (UTC); the limit is {phase.max_submissions_per_day} a day",
            hint="Withdraw it and submit it on another day.",
        )
    return None


def _outside(submission: Submission, phase: Phase, moment: dt.datetime) -> Refusal | None:
    if phase.end is None or moment < phase.end:
        return None
    return Refusal(
        submission=submission,
        reason=f"was submitted on {moment:%Y-%m-%d %H:%M} UTC, after phase '{phase.name}' had "
        f"ended on {phase.end:%Y-%m-%d %H:%M} UTC",
        hint="Enter a phase that is open.",
    )


def _counted(
    snapshot: Snapshot, submission: Submission, times: Sequence[dt.datetime], own_last: dt.datetime
) -> list[dt.datetime]:
    """Return the attempts of one submission that use up a quota."""
    attempts = [moment for moment in sorted(times) if moment <= own_last]
    if not attempts:
        return []
    heads = [
        head
        for cell in snapshot.record_files
        if (cell.benchmark, cell.participant, cell.submission)
        == (submission.benchmark, submission.participant, submission.name)
        and (head := snapshot.head(cell)) is not None
    ]
    if (submission.cancelled and not heads) or (heads and all(map(_spoiled, heads))):
        return attempts[:-1]
    return attempts


def _spoiled(head: Mapping[str, Any]) -> bool:
    """Whether a record is a failure that the participant could not help."""
    error = head.get("error")
    return isinstance(error, dict) and error.get("actor") in {"platform", "organiser"}
