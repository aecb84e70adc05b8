"""Quotas and windows: which content may be evaluated."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.formats.bundle import Phase
from evaluator.formats.submission import Submission
from evaluator.planning.attempts import Attempt, attempts, content_of, history
from evaluator.planning.ledger import Ledger
from evaluator.planning.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A submission that is not evaluated, and why."""

    submission: Submission
    reason: str
    hint: str


def refusals(
    snapshot: Snapshot, candidates: Iterable[Submission], ledger: Ledger
) -> dict[str, Refusal]:
    """Submission id -> why its content, which has no record yet, may not be evaluated.

    ``candidates`` are the submissions with such content. What is not committed is not counted:
    a trial on one's own machine is nobody's attempt. What was approved is not judged twice.
    """
    groups: dict[str, dict[str, list[Submission]]] = defaultdict(lambda: defaultdict(list))
    for submission in candidates:
        if not any(name.startswith(f"{submission.path}/") for name in snapshot.tree.dirty):
            groups[submission.benchmark][submission.participant].append(submission)
    found: dict[str, Refusal] = {}
    for benchmark, participants in groups.items():
        # One question to git for all, or one about the one.
        folder = f"submissions/{benchmark}"
        if len(participants) == 1:
            folder += f"/{next(iter(participants))}"
        steps = history(snapshot.tree, folder)
        for participant, submissions in participants.items():
            known = attempts(snapshot, ledger, steps, benchmark, participant)
            for submission in submissions:
                refusal = _judge(snapshot, ledger, submission, known)
                if refusal is not None:
                    found[submission.id] = refusal
    return found


def _judge(
    snapshot: Snapshot,
    ledger: Ledger,
    submission: Submission,
    known: Mapping[str, Sequence[Attempt]],
) -> Refusal | None:
    phase = snapshot.benchmarks[submission.benchmark].phase(submission.phase)
    merged = [one for one in known.get(submission.id, ()) if not one.approved]
    content = content_of(snapshot.tree, submission)
    if phase is None or not merged or ledger.is_approved(submission.id, content):
        return None
    own = max(merged, key=lambda one: one.at)
    now = ledger.received(submission.id, content) or own.at
    late = _outside(phase, now)
    if late is not None:
        return Refusal(submission=submission, reason=late, hint="Enter a phase that is open.")
    before = [
        one.at
        for attempts_of_one in known.values()
        for one in attempts_of_one
        if one is not own
        and one.spent
        and one.phase == submission.phase
        # Whatever was approved came first, whenever it was written.
        and (one.approved or (one.at, one.submission) < (now, submission.id))
    ]
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


def _outside(phase: Phase, moment: dt.datetime) -> str | None:
    if phase.end is None or moment < phase.end:
        return None
    return (
        f"was submitted on {moment:%Y-%m-%d %H:%M} UTC, after phase '{phase.name}' had "
        f"ended on {phase.end:%Y-%m-%d %H:%M} UTC"
    )
