"""Quotas and windows: which content may be evaluated."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from evaluator.formats.phases import Phase
from evaluator.formats.submission import Submission
from evaluator.planning.attempts import Attempt, attempts, content_of, history
from evaluator.planning.ledger import Ledger
from evaluator.planning.shared_quotas import answer_of, sharers
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
        counted = _Counted(snapshot, ledger, benchmark, participants)
        for submission in (item for group in participants.values() for item in group):
            refusal = _judge(snapshot, ledger, submission, counted)
            if refusal is not None:
                found[submission.id] = refusal
    return found


class _Counted:
    """Attempts of one benchmark, read once for all that is judged together."""

    def __init__(
        self, snapshot: Snapshot, ledger: Ledger, benchmark: str, participants: Collection[str]
    ) -> None:
        self._snapshot = snapshot
        shares = bool(snapshot.benchmarks[benchmark].quota_by)
        everybody = sharers(snapshot, ledger, benchmark) if shares else set()
        # One question to git for all, or one about the one.
        folder = f"submissions/{benchmark}"
        if len(participants) == 1 and not shares:
            folder += f"/{next(iter(participants))}"
        steps = history(snapshot.tree, folder)
        self._known = {
            name: attempts(snapshot, ledger, steps, benchmark, name)
            for name in {*participants, *everybody}
        }

    def own(self, submission: Submission) -> Sequence[Attempt]:
        """Return the attempts of this very submission."""
        return self._known[submission.participant].get(submission.id, ())

    def of(self, submission: Submission) -> Iterator[Attempt]:
        """Yield what counts with a submission: its participant's attempts, and sharers'."""
        answer = answer_of(self._snapshot, submission)
        for participant, known in self._known.items():
            for one in chain.from_iterable(known.values()):
                if participant == submission.participant or answer in one.answers:
                    yield one


def _judge(
    snapshot: Snapshot, ledger: Ledger, submission: Submission, counted: _Counted
) -> Refusal | None:
    phase = snapshot.benchmarks[submission.benchmark].phase(submission.phase)
    merged = [one for one in counted.own(submission) if not one.approved]
    content = content_of(snapshot.tree, submission)
    if phase is None or not merged or ledger.is_approved(submission.id, content):
        return None
    own = max(merged, key=lambda one: one.at)
    now = ledger.received(submission.id, content) or own.at
    late = _outside(phase, now)
    if late is not None:
        return Refusal(submission=submission, reason=late, hint="Enter a phase that is open.")
    before = [
        one
        for one in counted.of(submission)
        if one is not own
        and one.spent
        and one.phase == submission.phase
        # Whatever was approved came first, whenever it was written.
        and (one.approved or (one.at, one.submission) < (now, submission.id))
    ]
    question = snapshot.benchmarks[submission.benchmark].quota_by
    for limit in _limits(phase, now):
        spent = [one for one in before if limit.counts(one.at)]
        if limit.most and len(spent) >= limit.most:
            others = any(_participant(one) != submission.participant for one in spent)
            whose = f" and who gives the same '{question}'" if others else ""
            return Refusal(
                submission=submission,
                reason=f"is number {len(spent) + 1} of {submission.participant}{whose} "
                f"{limit.when}; the limit is {limit.most}{limit.each}",
                hint=limit.hint,
            )
    return None


def _participant(attempt: Attempt) -> str:
    return attempt.submission.split("/")[1]


@dataclass(frozen=True, kw_only=True)
class _Limit:
    most: int
    """0 is no limit."""
    counts: Callable[[dt.datetime], bool]
    when: str
    each: str
    hint: str


def _limits(phase: Phase, now: dt.datetime) -> Iterator[_Limit]:
    """Yield the limits of a phase at a moment, in UTC; weeks begin on Monday."""
    today = now.date()
    monday = today - dt.timedelta(days=today.weekday())
    following = monday + dt.timedelta(days=7)
    yield _Limit(
        most=phase.max_submissions, counts=lambda _: True, when=f"in phase '{phase.name}'",
        each="", hint="Withdraw it; an organiser may raise max_submissions.",
    )  # fmt: skip
    yield _Limit(
        most=phase.max_submissions_per_week,
        counts=lambda moment: monday <= moment.date() < following,
        when=f"in the week from Monday, {monday} (UTC)", each=" a week",
        hint=f"Withdraw it and submit it on {following} or later.",
    )  # fmt: skip
    yield _Limit(
        most=phase.max_submissions_per_day, counts=lambda moment: moment.date() == today,
        when=f"on {today} (UTC)", each=" a day",
        hint="Withdraw it and submit it on another day.",
    )  # fmt: skip


def _outside(phase: Phase, moment: dt.datetime) -> str | None:
    if phase.end is None or moment < phase.end:
        return None
    return (
        f"was submitted on {moment:%Y-%m-%d %H:%M} UTC, after phase '{phase.name}' had "
        f"ended on {phase.end:%Y-%m-%d %H:%M} UTC"
    )
