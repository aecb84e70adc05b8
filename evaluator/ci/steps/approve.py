"""The step that approves one tree, for an organiser or the policy of a benchmark."""

from dataclasses import replace
from pathlib import Path

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.arrivals import pull_request_path
from evaluator.ci.ledger.assignments import assign, assignment_files
from evaluator.ci.ledger.form_notes import entrant_of
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import POLICY, Approval, Outcome, approval_files, outcome_file
from evaluator.ci.ledger.queues import split_scored
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.budget import costs, reserved_files
from evaluator.ci.policy.case import REFUSED, Case, Decision, open_case
from evaluator.ci.policy.decide import decide, is_free
from evaluator.ci.policy.judge import judge_files, over_quota
from evaluator.ci.policy.reviews import opinions, problems_of
from evaluator.ci.scores.ledger_records import CellTable, attempt_files, change_ledger
from evaluator.ci.steps.receive import receive
from evaluator.ci.steps.reports import (
    APPROVAL_LABEL,
    StepResult,
    already_merged,
    line_of,
    report_on,
    stopped,
)
from evaluator.core.errors import Actor, InvalidInputError, Problem, errors_in


def approve(
    pull: PullRequest, actor: str, approver: str | None, *, verdicts: Path | None = None
) -> StepResult:
    """Bind an approval to the head's tree, note its attempts and assign its cells.

    Without an ``approver``, a comment approves if there is one, or else the benchmarks' policies.

    Quotas, budgets and attempts change in one compare-and-swap of the ledger, so two approvals in
    the same second come one after the other. Until an approval has an outcome, a repeated step
    hands out its cells again, as the same attempt: once by the same reservation, then by others.

    The label must be there until the ledger has the approval: a push takes it off, and an organiser
    may do so while the environment's reviewers decide. Then it comes off, so that it can be set
    again. A head that CI never received gets received instead: somebody pushed it while an
    organiser read another, or the base branch made another entry of it.
    """
    ledger, number = pull.ledger, pull.ref.number  # read before this step writes to it
    actor = entrant_of(actor, ledger, pull.head)
    case = open_case(pull, actor)
    if verdicts is not None and verdicts.is_dir():
        for review in case.reviews:
            pull.add_notes(review.verdict_notes(verdicts))
    settings = pull.before.settings
    forge = find_forge(settings.forge)
    without_label = not approver
    asker = pull.approver_by_comment if without_label else None
    approver = approver or asker or POLICY
    if pull.is_merged:
        return already_merged(pull)
    path = pull_request_path(number or 0, pull.head)
    is_organisers = number and settings.is_organiser(approver)
    is_new = is_organisers and forge is not None and path not in ledger.entries
    if is_new or pull.has_moved:
        if forge is not None:
            # This step may be killed and repeated: then the label must not meet what it notes here.
            forge.remove_label(number or 0, APPROVAL_LABEL)
        step = receive(pull, actor, goes_on=False)
        reason = step.report.reason or "The label was set before CI received this head."
        return replace(step, ok=False, report=replace(step.report, reason=reason))
    approval = pull.approval(ledger)
    # Without a forge the command approves.
    if (
        without_label or forge is None or number is None
        or (approval and not ledger.outcome(approval))
        or forge.pull_request(number).has_label(APPROVAL_LABEL)
    ):  # fmt: skip
        step = _bind(case, approver, again=asker is not None)
    else:
        report = report_on(
            pull, "void", reason="The label was taken off before the approval counted.",
            next_steps=[f"An organiser reads the files again and sets `{APPROVAL_LABEL}`."],
        )  # fmt: skip
        step = StepResult(report=report, ok=False, is_known=approval is not None)
    keeps_status = not step.ok and pull.belongs_to_another
    return replace(step, keeps_status=keeps_status, comment=ledger.comment_of(number))


def _sees_data(pull: PullRequest, table: CellTable) -> list[Problem]:
    """Of benchmarks that the pull request changes, and that are scored with encrypted data."""
    _, scored = split_scored(table.missing, pull.before.settings)
    paths = sorted({item.cell.benchmark.path for item in scored})
    return [
        Problem(
            file=path, actor=Actor.ORGANISER,
            message="is changed here, and its scoring program would see encrypted data",
            hint="Merge it without scores: *publish* then evaluates what is missing.",
        )
        for path in paths
        if pull.after.tree.digest(path) != pull.before.tree.digest(path)
    ]  # fmt: skip


def _bind(case: Case, approver: str, *, again: bool) -> StepResult:
    pull, settings = case.pull, case.pull.before.settings
    by_policy = approver == POLICY
    if not by_policy and not settings.is_organiser(approver):
        problem = Problem(
            file="pyproject.toml", key="tool.pullbench.organisers",
            message=f"'{approver}' is not among the organisers",
            hint="An organiser sets the label, or adds this login.", actor=Actor.ORGANISER,
        )  # fmt: skip
        return stopped(pull, [problem])
    problems = errors_in(judge_files(pull, case.actor))
    if problems:
        pull.add_notes(REFUSED.notes(pull))
        return stopped(pull, problems)

    table = CellTable(())
    decision = Decision(verdict="approve")

    def new_files(ledger: Ledger) -> dict[str, bytes]:
        nonlocal table, decision
        refused = over_quota(pull.after, pull.entered, ledger, pull.now)
        if not by_policy:
            refused += problems_of(opinions(case.reviews, ledger), "refuse", "screen")
        if refused:
            raise InvalidInputError(refused)
        table = pull.cells(ledger)
        refused = _sees_data(pull, table)
        if refused:
            raise InvalidInputError(refused)
        if by_policy:
            decision = decide(replace(case, ledger=ledger, known_table=table), again=again)
            if decision.verdict != "approve":
                return decision.notes(pull)
        files = case.received_notes()
        files |= attempt_files(pull.after, table.planned.values(), ledger, pull.now)
        approval, who = pull.approval(ledger), approver
        outcome = approval and ledger.outcome(approval)
        # A policy does not repeat an approval if all cells have records.
        is_over = outcome and (table.missing or not by_policy)
        if approval and not outcome and not is_free(pull, ledger, approval, table):
            # Its jobs may have run for hours, so another reservation comes beside its own.
            is_over, who = True, approval.approver if by_policy else approver
            files |= [outcome_file(Outcome(approval=approval.id, at=pull.now, void=True))]
        if approval is None or is_over:
            approval = Approval(
                tree=pull.tree, head=pull.head, base=pull.base, approver=who, at=pull.now,
                pull_request=pull.ref.number, changed=pull.changed,
            )  # fmt: skip
            files |= approval_files(approval)
        amounts = costs(pull, (item.cell for item in table.missing))
        files |= reserved_files(approval, amounts)
        assignment = assign(approval.id, table.missing, settings, pull.now)
        return files | assignment_files(assignment)  # its id says when cells were handed out

    message, remote = f"Approve {pull.tree[:12]}\n", pull.ref.remote
    try:
        change_ledger(pull.repo, new_files, message, branch=settings.ledger, remote=remote)
    except InvalidInputError as error:
        if any(problem.actor == Actor.PARTICIPANT for problem in error.problems):
            pull.add_notes(REFUSED.notes(pull))
        return stopped(pull, error.problems)
    if decision.verdict != "approve":
        steps = [decision.next_step]
        report = report_on(pull, decision.state, reason=decision.reason, next_steps=steps)
        return StepResult(report=report, ok=False, pull=pull)
    report = report_on(
        pull, "queued", reason=decision.reason or f"Approved by {approver}.",
        cells=[line_of(item) for item in table.missing],
        next_steps=["Runners evaluate it; this comment then shows the scores."],
    )  # fmt: skip
    return StepResult(report=report, ok=True, pull=pull, planned=tuple(table.missing))
