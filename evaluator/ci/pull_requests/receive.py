"""A pull request has come, or has moved."""

import datetime as dt
from pathlib import Path

from evaluator.ci.ledger.ledger_notes import PULLS, Outcome, outcome_file
from evaluator.ci.pull_requests.comment import Report
from evaluator.ci.pull_requests.heads import MovedError, Source
from evaluator.ci.pull_requests.judge import MEND, judge_proposal
from evaluator.ci.pull_requests.merge_preview import propose
from evaluator.ci.pull_requests.notes import add_notes, ledger_of, received_notes
from evaluator.ci.pull_requests.reports import APPROVAL_LABEL, Step, is_anothers, refused
from evaluator.core.errors import RefusedError
from evaluator.core.git.tree import open_repository


def receive(start: Path, source: Source, actor: str, now: dt.datetime) -> Step:
    """Note when content came, void what was approved of an earlier head, and say what is next."""
    repo = open_repository(start)
    try:
        proposal = propose(repo, source, now)
    except (MovedError, RefusedError) as error:
        return Step(report=refused(source, now, error), ok=False)
    branch = proposal.before.settings.ledger
    ledger = ledger_of(proposal, source)
    judged = judge_proposal(proposal, actor, ledger)
    void = [
        approval
        for approval in ledger.approvals_of(source.pull_request)
        if approval.head != proposal.head and ledger.outcome(approval) is None
    ]
    noted = {} if judged.errors else received_notes(proposal, source, now)
    add_notes(repo, branch, source.remote, {
        **noted,
        **dict(outcome_file(Outcome(approval=item.id, at=now, void=True)) for item in void),
    })  # fmt: skip
    report = Report(
        state="refused" if judged.errors else "void" if void else "received",
        reason=(
            "The head moved after an organiser had approved it: the approval is void, and the "
            "attempt that it counted stays one."
            if void and not judged.errors
            else ""
        ),
        head=proposal.head,
        tree=proposal.tree,
        changed=proposal.listed,
        problems=judged.problems,
        next_step=(
            MEND
            if judged.errors
            else "An organiser reviews the files and sets the label "
            f"`{APPROVAL_LABEL}`; it approves exactly the tree above."
        ),
        at=now.isoformat(timespec="seconds"),
    )
    return Step(
        report=report,
        ok=not judged.errors,
        proposal=proposal,
        keeps_status=is_anothers(ledger, proposal, source),
        comment=ledger.comment_of(source.pull_request),
        is_first=not ledger.entries.names(f"{PULLS}/{source.pull_request}"),
    )
