"""Judge a pull request by the base branch's rules, when it has come or has moved."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from evaluator.ci.ledger.arrivals import last_arrival
from evaluator.ci.ledger.form_notes import entrant_of
from evaluator.ci.ledger.ledger_notes import PULLS, Outcome, outcome_file
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import MOVED, REFUSED, Decision, open_case
from evaluator.ci.policy.decide import decide
from evaluator.ci.policy.judge import judge
from evaluator.ci.policy.reviews import FEEDBACK, problems_of
from evaluator.ci.policy.waiting import last_waits
from evaluator.ci.steps.comment import Report, to_markdown
from evaluator.ci.steps.reports import StepResult, already_merged, report_on
from evaluator.core.errors import Problem, counted, errors_in
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.snapshot import Snapshot


def receive(pull: PullRequest, actor: str, *, goes_on: bool = True) -> StepResult:
    """Note when content came, void what was approved of an earlier head, and say what is next.

    Unless the job ``goes_on`` with what is next, the queue does.
    """
    ledger, number = pull.ledger, pull.ref.number
    actor = entrant_of(actor, ledger, pull.head)
    if pull.is_merged:
        return already_merged(pull)
    case = open_case(pull, actor)
    last, asked = last_arrival(ledger, number or 0, pull.now), pull.approver_by_comment
    is_decided = bool(asked or pull.approval(ledger)) and last and last[1].head == pull.head
    is_known = (pull.ref.is_asked or is_decided) and pull.whole_path in ledger.entries
    problems = judge(pull, actor)
    is_refused = bool(errors_in(problems))
    void = [
        approval
        for approval in ledger.unfinished(number)
        if (approval.head, approval.changed) != (pull.head, pull.changed)
    ]
    if is_refused:
        decision = REFUSED
    elif asked:
        is_unread = any(one.verdict == "screen" for one in case.objections)
        reason = "A comment asks for it."
        decision = Decision(verdict="screen" if is_unread else "approve", reason=reason)
    else:
        decision = decide(case)
    if not goes_on and decision.verdict in ("approve", "screen"):
        decision = replace(decision, why="moved", actor=None)
    notes = {} if is_refused else case.received_notes()
    for feedback in () if is_refused else FEEDBACK.values():
        more, warnings = feedback.arrive(pull, actor)
        notes |= more
        problems += warnings
    if decision is not REFUSED or (number and last_waits(ledger, [number])):
        notes |= decision.notes(pull)
    outcomes = [Outcome(approval=item.id, at=pull.now, void=True) for item in void]
    pull.add_notes({**notes, **dict(map(outcome_file, outcomes))})
    if is_refused:
        report = report_of(pull, problems)
    else:
        moved = MOVED.reason if pull.has_moved else ""
        if any(approval.head != pull.head for approval in void):
            moved = (
                "The head moved after its approval, so the approval is void. It still counts as an "
                "attempt."
            )
        report = report_on(
            pull, "void" if void else decision.state, next_steps=[decision.next_step],
            reason=" ".join(filter(None, [moved, decision.reason])),
            problems=[*problems, *problems_of(case.objections, "ask")],
        )  # fmt: skip
    return StepResult(
        report=report, ok=decision.verdict != "refuse", pull=pull,
        next=decision.verdict if decision.verdict in ("approve", "screen") else "",
        keeps_status=pull.belongs_to_another, comment=ledger.comment_of(number),
        is_first=not ledger.entries.names(f"{PULLS}/{number}"),
        is_known=bool(is_known) and not void and decision.verdict in ("approve", "screen", "done"),
    )  # fmt: skip


def report_of(pull: PullRequest, problems: Sequence[Problem]) -> Report:
    """What is said of a pull request before anybody decides on it."""
    is_refused = bool(errors_in(problems))
    mend = "The participant mends what is listed and pushes again."
    next_steps = [mend if is_refused else "An organiser reviews it."]
    return report_on(
        pull, "refused" if is_refused else "received", problems=problems, next_steps=next_steps
    )


def judge_branches(
    start: Path, base: str, head: str, remote: str | None, number: int | None, actor: str,
    now: dt.datetime,
) -> tuple[Sequence[Problem], str, str]:  # fmt: skip
    """A pull request's problems, the verdict as Markdown, and what is changed, in words."""
    ref = PullRequestRef(base=base, head=head, remote=remote, number=number)
    pull = open_pull_request(open_repository(start), ref, now)
    problems = judge(pull, entrant_of(actor, pull.ledger, pull.head))
    changed = f"{counted(len(pull.changes), 'paths')} changed"
    return problems, to_markdown(report_of(pull, problems)), changed


def merge_branches(
    start: Path, base: str, head: str, remote: str | None, number: int | None, now: dt.datetime
) -> Snapshot:
    """The base branch with a pull request's changes laid over it."""
    ref = PullRequestRef(base=base, head=head, remote=remote, number=number)
    return open_pull_request(open_repository(start), ref, now).after
