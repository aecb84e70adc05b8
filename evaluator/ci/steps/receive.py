"""Judge a pull request by the base branch's rules, when it has come or has moved."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaluator.ci.ledger.arrivals import last_arrival
from evaluator.ci.ledger.ledger_notes import PULLS, Outcome, outcome_file
from evaluator.ci.opened.heads import Source
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import MOVED, REFUSED, Decision
from evaluator.ci.policy.decide import decide
from evaluator.ci.policy.reviews import opinions, problems_of
from evaluator.ci.policy.waiting import waits_of
from evaluator.ci.steps.comment import Report, to_markdown
from evaluator.ci.steps.reports import FEEDBACK, Step, late, report_on, take_step
from evaluator.core.errors import Problem, counted
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.snapshot import Snapshot

_MEND = "The participant mends what is listed and pushes again."


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A pull request and what is wrong with it."""

    pull: PullRequest
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")


def judge(start: Path, source: Source, actor: str, now: dt.datetime) -> Judged:
    """Check everything about a pull request that can be checked without running it."""
    return _judge(open_pull_request(open_repository(start), source, now), actor)


def _judge(pull: PullRequest, actor: str) -> Judged:
    ledger = pull.ledger
    problems = pull.problems(actor)
    # Quotas come last: what is refused uses up none.
    if not any(problem.severity == "error" for problem in problems):
        problems += pull.over_quota(ledger)
    return Judged(pull=pull, problems=tuple(problems))


def verdict(judged: Judged) -> Report:
    return report_on(
        judged.pull,
        "refused" if judged.errors else "received",
        problems=judged.problems,
        next_step=_MEND if judged.errors else "An organiser reviews it.",
    )


def receive(start: Path, source: Source, actor: str, now: dt.datetime) -> Step:
    """Note when content came, void what was approved of an earlier head, and say what is next."""
    return take_step(start, source, now, partial(note_received, actor=actor))


def note_received(pull: PullRequest, actor: str, *, goes_on: bool = True) -> Step:
    """Note and judge a head; unless the job ``goes_on`` with what is next, the queue does."""
    ledger, number = pull.ledger, pull.source.pull_request
    if pull.is_merged:
        return late(pull)
    last, asked = last_arrival(ledger, number or 0, pull.now), pull.approver_by_comment
    is_decided = bool(asked or pull.approval(ledger)) and last and last[1].head == pull.head
    is_known = (pull.source.is_asked or is_decided) and pull.whole_path in ledger.entries
    judged = _judge(pull, actor)
    void = [
        approval
        for approval in ledger.unfinished(number)
        if (approval.head, approval.changed) != (pull.head, pull.changed)
    ]
    decision = REFUSED
    objections = [] if judged.errors else opinions(pull, ledger)
    if not judged.errors and asked:
        unread = any(one.verdict == "screen" for one in objections)
        reason = "A comment asks for it."
        decision = Decision(verdict="screen" if unread else "approve", reason=reason)
    elif not judged.errors:
        decision = decide(pull, ledger, actor)
    if not goes_on and decision.verdict in ("approve", "screen"):
        decision = replace(decision, why="moved", actor=None)
    notes = {} if judged.errors else pull.received_notes()
    warnings: list[Problem] = []
    for feedback in () if judged.errors else FEEDBACK.values():
        more, said = feedback.arrive(pull, actor)
        notes |= more
        warnings += said
    if decision is not REFUSED or (number and waits_of(ledger, number)):
        notes |= decision.notes(pull)
    outcomes = [Outcome(approval=item.id, at=pull.now, void=True) for item in void]
    pull.add_notes({**notes, **dict(map(outcome_file, outcomes))})
    if judged.errors:
        report = verdict(judged)
    else:
        moved = MOVED.reason if pull.has_moved else ""
        if any(approval.head != pull.head for approval in void):
            moved = (
                "The head moved after its approval, so the approval is void. It still counts as an "
                "attempt."
            )
        report = report_on(
            pull,
            "void" if void else decision.state,
            reason=" ".join(filter(None, [moved, decision.reason])),
            problems=[*judged.problems, *warnings, *problems_of(objections, "ask")],
            next_step=decision.next_step,
        )
    return Step(
        report=report,
        ok=decision.verdict != "refuse",
        next=decision.verdict if decision.verdict in ("approve", "screen") else "",
        pull=pull,
        keeps_status=pull.belongs_to_another,
        comment=ledger.comment_of(number),
        is_first=not ledger.entries.names(f"{PULLS}/{number}"),
        is_known=bool(is_known) and not void and decision.verdict in ("approve", "screen", "done"),
    )


def proposed(start: Path, source: Source, now: dt.datetime) -> Snapshot:
    return open_pull_request(open_repository(start), source, now).after


def judge_branches(
    start: Path, base: str, head: str, remote: str, number: int | None, actor: str, now: dt.datetime
) -> tuple[Sequence[Problem], str, str]:
    """Return a pull request's problems, the verdict as Markdown, and what is changed, in words."""
    source = Source(base=base, head=head, remote=remote or None, pull_request=number)
    judged = judge(start, source, actor, now)
    changed = f"{counted(len(judged.pull.changes), 'paths')} changed"
    return judged.problems, to_markdown(verdict(judged)), changed


def merge_branches(
    start: Path, base: str, head: str, remote: str, number: int | None, now: dt.datetime
) -> Snapshot:
    """Return the base branch with a pull request's changes laid over it."""
    source = Source(base=base, head=head, remote=remote or None, pull_request=number)
    return proposed(start, source, now)
