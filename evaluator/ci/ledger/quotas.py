"""Quotas and windows: which work may be evaluated."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evaluator.ci.ledger.attempts import Attempt, AttemptNote, Attempts, read_history, shared_answer
from evaluator.ci.ledger.ledger import Ledger, local_ledger
from evaluator.ci.ledger.versions import work_of
from evaluator.core.clock import moment_text
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.deadlines import with_more_time
from evaluator.core.planning.plan import POLICIES, Admission, Refusal
from evaluator.core.planning.snapshot import Snapshot


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """The judgement on submissions with work that has no record yet."""

    refused: dict[str, Refusal] = field(default_factory=dict)
    """By the submission's id."""
    attempts: list[AttemptNote] = field(default_factory=list)
    """The others, as they are to be noted once their cells are handed out."""


def admission_by(ledger: Ledger) -> Admission:
    return lambda snapshot, candidates, now: (
        judge_entries(snapshot, candidates, ledger, now).refused
    )


WITHOUT_LEDGER = admission_by(Ledger())
"""By git alone, which is the same for all who have the commit."""


def local_quotas(snapshot: Snapshot) -> Admission:
    return admission_by(local_ledger(snapshot.tree.repository, snapshot.settings.ledger))


def judge_entries(
    snapshot: Snapshot, candidates: Iterable[Submission], ledger: Ledger, now: dt.datetime
) -> Verdicts:
    """Judge work without a record that was not handed out; what is not committed is a trial."""
    groups: dict[str, list[Submission]] = defaultdict(list)
    verdicts, candidates = Verdicts(), list(candidates)
    for name in POLICIES.keys() - {"quotas"}:
        verdicts.refused.update(POLICIES[name](snapshot)(snapshot, candidates, now))
    for submission in candidates:
        if submission.id not in verdicts.refused and not snapshot.tree.is_changed(submission.path):
            groups[submission.benchmark].append(submission)
    without_note: list[tuple[Attempts, list[Submission]]] = []
    for benchmark, group in groups.items():
        attempts = Attempts(snapshot, ledger, benchmark, {entry.participant for entry in group})
        unknown = []
        for entry in group:
            at = attempts.received_at(entry)
            if at is not None:
                verdicts.attempts.append(_note(snapshot, entry, at))
            else:
                unknown.append(entry)
        if unknown:
            without_note.append((attempts, unknown))
    read_history(snapshot.tree, [attempts for attempts, _ in without_note])
    for attempts, unknown in without_note:
        times = {entry.id: attempts.times(entry) for entry in unknown}
        for submission in sorted(unknown, key=lambda entry: (times[entry.id][:1], entry.id)):
            attempt = attempts.attempt_of(submission)
            if attempt is None:
                continue
            case = _Case(snapshot, submission, attempt, attempts, now)
            judged = case.judge(times[submission.id])
            if isinstance(judged, Refusal):
                verdicts.refused[submission.id] = judged
            else:
                attempts.note(attempt, judged)
                verdicts.attempts.append(_note(snapshot, submission, judged))
    return verdicts


def _note(snapshot: Snapshot, submission: Submission, at: dt.datetime) -> AttemptNote:
    question = snapshot.benchmarks[submission.benchmark].quota_by
    work = work_of(snapshot.tree, submission)
    return AttemptNote(
        submission=submission.id, phase=work.phase, kind=work.kind, content=work.content,
        received=at, shared=shared_answer(submission.fact_sheet, question),
    )  # fmt: skip


@dataclass(frozen=True)
class _Case:
    """One submission that is judged."""

    snapshot: Snapshot
    submission: Submission
    attempt: Attempt
    attempts: Attempts
    now: dt.datetime

    def judge(self, times: Sequence[dt.datetime]) -> dt.datetime | Refusal:
        """The first time as of which it may count, or why there is none."""
        benchmark = self.snapshot.benchmarks[self.submission.benchmark]
        phase = benchmark.phase(self.submission.phase)
        if self.attempt.noted or phase is None:
            return self.attempt.at
        phase = with_more_time(benchmark, phase, self.submission.participant)
        in_time = [at for at in times if phase.end is None or at < phase.end]
        if times and phase.end is not None and not in_time:
            return self._refuse(
                f"was submitted on {moment_text(times[0])}, after phase '{phase.name}' had ended "
                f"on {moment_text(phase.end)}",
                "Enter a phase that is open.",
            )
        refusal: Refusal | None = None
        for at in in_time:
            refusal = self._replaced(phase, at) or self._over_limit(phase, at)
            if refusal is None:
                return at
        return refusal or self.attempt.at

    def _refuse(self, reason: str, hint: str) -> Refusal:
        return Refusal(submission=self.submission, reason=reason, hint=hint)

    def _replaced(self, phase: Phase, at: dt.datetime) -> Refusal | None:
        """Refuse, after the end, all but what the submission held last before it."""
        if phase.end is None or self.now < phase.end:
            return None
        for other, work in self.attempts.arrivals_of(self.submission.id):
            if at < other < phase.end and work != self.attempt.work:
                return self._refuse(
                    f"was replaced on {moment_text(other)}, before phase '{phase.name}' ended, and "
                    "what a submission held last is what stays in time",
                    "Go back to that, or enter a phase that is open.",
                )
        return None

    def _over_limit(self, phase: Phase, at: dt.datetime) -> Refusal | None:
        before = [
            other
            for other in self.attempts.sharing_quota_with(self.submission)
            if other is not self.attempt
            and other.work.phase == phase.slug
            # Whatever was handed out came first, whenever it was written.
            and (other.noted or (other.at, other.submission) < (at, self.submission.id))
        ]
        later: list[Attempt] = []  # else one could choose after the end among names
        is_on_branch = self.attempts.is_on_branch(self.attempt, self.now)
        if phase.end is not None and phase.end <= self.now and not is_on_branch:
            waiting = self.attempts.waiting(self.attempt, phase.end, self.now)
            later = [one for one in waiting if one.at > at and one.work.phase == phase.slug]
        before += later
        for limit in _limits(phase):
            spent = limit.spent(at, before)
            if limit.most and len(spent) >= limit.most:
                free = spent[-limit.most].at + limit.window if limit.window else None
                each = limit.within.replace("within", " in any") if limit.window else ""
                return self._refuse(
                    f"is number {len(spent) + 1} of {self._whose(spent)} {limit.within}; "
                    f"the limit is {limit.most}{each}",
                    "If several wait for a decision when a phase ends, the last counts."
                    if later else f"Withdraw it and submit it on {moment_text(free)} or later."
                    if free else "Withdraw it; an organiser may raise max_submissions.",
                )  # fmt: skip
        return None

    def _whose(self, spent: Iterable[Attempt]) -> str:
        name = self.submission.participant
        entered_as = {other.submission.split("/")[1].casefold() for other in spent
                      if other.party == self.attempt.party}  # fmt: skip
        team = " and the team" if entered_as - {name.casefold()} else ""
        if all(other.party == self.attempt.party for other in spent):
            return f"{name}{team}"
        question = self.snapshot.benchmarks[self.submission.benchmark].quota_by
        return f"{name}{team} and who gives the same '{question}'"


@dataclass(frozen=True, kw_only=True)
class _Limit:
    most: int
    """0 is no limit."""
    within: str
    window: dt.timedelta | None = None
    """The length of every window, wherever it begins, in which no more may lie."""

    def spent(self, at: dt.datetime, before: Sequence[Attempt]) -> list[Attempt]:
        """What the fullest window with the moment holds: notes may be of later works."""
        ordered = sorted(before, key=lambda other: other.at)
        if self.window is None:
            return ordered
        ends = [at, *(other.at for other in ordered if at < other.at < at + self.window)]
        windows = ([o for o in ordered if end - self.window < o.at <= end] for end in ends)
        return max(windows, key=len)


def _limits(phase: Phase) -> Iterator[_Limit]:
    """Days and weeks roll: a week from Monday let two submissions of one a week pass in minutes."""
    yield _Limit(most=phase.max_submissions, within=f"in phase '{phase.name}'")
    week, day = phase.max_submissions_per_week, phase.max_submissions_per_day
    yield _Limit(most=week, within="within seven days", window=dt.timedelta(days=7))
    yield _Limit(most=day, within="within 24 hours", window=dt.timedelta(days=1))
