"""An organiser has approved one tree."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

from evaluator.ci.forge import find_forge
from evaluator.ci.git import Files, add_files
from evaluator.ci.ledger.arrivals import pull_request_path
from evaluator.ci.ledger.assignments import hand_out, handed_out, handed_out_files
from evaluator.ci.ledger.ledger import read_ledger
from evaluator.ci.ledger.ledger_notes import approval_files
from evaluator.ci.pull_requests.announce import take_label
from evaluator.ci.pull_requests.cells import planned_cells
from evaluator.ci.pull_requests.comment import Report
from evaluator.ci.pull_requests.heads import MovedError, Source
from evaluator.ci.pull_requests.merge_preview import Proposal, propose
from evaluator.ci.pull_requests.notes import ledger_of, make_approval, received_notes
from evaluator.ci.pull_requests.receive import receive
from evaluator.ci.pull_requests.reports import (
    Step,
    is_anothers,
    line_of,
    refused,
    stopped,
    withdrawn,
)
from evaluator.ci.scores.ledger_records import absent, adopt, attempt_files
from evaluator.core.errors import Actor, InvalidInputError, Problem, RefusedError
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.plan import PlannedCell


def approve(
    start: Path,
    source: Source,
    actor: str,
    approver: str,
    now: dt.datetime,
    *,
    labelled: bool | None = True,
) -> Step:
    """Bind an organiser's approval to the head's tree, note its attempts and hand out its cells.

    The quota is judged and the attempts written in one compare-and-swap of the ledger: two
    approvals in the same second are judged one after the other. From then on they are spent.

    ``labelled`` is whether the label is still there: a push takes it off, and so does an organiser
    who thinks better of it while the approval waits for the environment's reviewers. None takes it
    off: what it asked for is done, and it can be set again. Then a head that was never received is
    received, and not approved: it was pushed while somebody read another.
    """
    repo = open_repository(start)
    try:
        proposal = propose(repo, source, now)
    except (MovedError, RefusedError) as error:
        return Step(report=refused(source, now, error), ok=False)
    settings = proposal.before.settings
    # Before anything is written to it.
    ledger = ledger_of(proposal, source)
    if labelled is None:
        labelled = take_label(settings, source)
        path = pull_request_path(source.pull_request or 0, proposal.head)
        is_asked = labelled and source.pull_request and settings.is_organiser(approver)
        if is_asked and path not in ledger.entries and find_forge(settings.forge) is not None:
            step = receive(start, source, actor, now)
            reason = step.report.reason or "The label was set before this head was shown here."
            return replace(step, ok=False, report=replace(step.report, reason=reason))
    step = (
        _approve(repo, proposal, source, actor, approver, now)
        if labelled
        else Step(report=withdrawn(proposal, now), ok=False)
    )
    return replace(
        step,
        keeps_status=not step.ok and is_anothers(ledger, proposal, source),
        comment=ledger.comment_of(source.pull_request),
    )


def _approve(
    repo: Repo, proposal: Proposal, source: Source, actor: str, approver: str, now: dt.datetime
) -> Step:
    settings = proposal.before.settings
    if not settings.is_organiser(approver):
        problem = Problem(
            file="pyproject.toml", key="tool.pullbench.organisers",
            message=f"'{approver}' is not among the organisers",
            hint="An organiser sets the label.", actor=Actor.ORGANISER,
        )  # fmt: skip
        return stopped(proposal, [problem], now)
    problems = [p for p in proposal.problems(actor) if p.severity == "error"]
    if problems:
        return stopped(proposal, problems, now)

    planned: tuple[PlannedCell, ...] = ()

    def accept(tip: str | None) -> Files:
        nonlocal planned
        ledger = read_ledger(repo, tip)
        refused = proposal.over_quota(ledger)
        if refused:
            raise InvalidInputError(refused)
        wanted = planned_cells(proposal, ledger)
        files = received_notes(proposal, source, now)
        files |= attempt_files(proposal.after, wanted, ledger, now)
        approval = ledger.approval_of(proposal.tree, proposal.changed)
        if approval is None or ledger.outcome(approval) or approval.head != proposal.head:
            approval = make_approval(proposal, source, approver)
            files |= approval_files(approval)
        adopted = adopt(wanted, ledger, now)
        planned = tuple(item for item in wanted if item.cell.id not in adopted)
        given = hand_out(approval.id, planned, settings.queues, now)
        last = handed_out(ledger, approval.id)
        if last is None or last.jobs != given.jobs:  # else this step was killed, and is repeated
            files |= handed_out_files(given)
        return absent(ledger, files)

    try:
        add_files(
            repo, accept, lambda _: f"Approve {proposal.tree[:12]}\n",
            branch=settings.ledger, remote=source.remote, create=True, by_path=True,
        )  # fmt: skip
    except InvalidInputError as error:
        return stopped(proposal, error.problems, now)
    report = Report(
        state="queued",
        reason=f"Approved by {approver}.",
        head=proposal.head,
        tree=proposal.tree,
        changed=proposal.listed,
        cells=[line_of(item, None) for item in planned],
        next_step="Runners evaluate it; this comment then shows the scores.",
        at=now.isoformat(timespec="seconds"),
    )
    return Step(report=report, ok=True, proposal=proposal, planned=planned)
