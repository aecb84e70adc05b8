"""Runners have evaluated what was approved."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from evaluator.ci.ledger.assignments import handed_out
from evaluator.ci.ledger.ledger_notes import Outcome, outcome_file
from evaluator.ci.pull_requests.cells import planned_cells
from evaluator.ci.pull_requests.comment import Report
from evaluator.ci.pull_requests.heads import MovedError, Source
from evaluator.ci.pull_requests.merge_preview import propose
from evaluator.ci.pull_requests.notes import ledger_of
from evaluator.ci.pull_requests.reports import Step, board_changes, line_of, refused, stopped
from evaluator.ci.scores.hand_in import read_artifacts
from evaluator.ci.scores.ledger_records import Records, add_to_ledger, adopt, without_withdrawn
from evaluator.ci.scores.unsealing import seal_accepted
from evaluator.ci.scores.validation import Accepted, check_opened
from evaluator.core.errors import Actor, Problem, RefusedError
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import CellError
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.scores.uploads import Upload


def finish(start: Path, source: Source, folder: Path | None, now: dt.datetime) -> Step:
    """Check every record against the plan, keep them, and show the board as it would be."""
    repo = open_repository(start)
    try:
        proposal = propose(repo, source, now)
    except (MovedError, RefusedError) as error:
        return Step(report=refused(source, now, error), ok=False)
    branch = proposal.before.settings.ledger
    ledger = ledger_of(proposal, source)
    comment = ledger.comment_of(source.pull_request)
    approval = ledger.approval_of(proposal.tree, proposal.changed)
    if approval is None:
        problem = Problem(
            file="pull request",
            message=f"the tree {proposal.tree[:12]} was not approved with what merging it changes",
            hint="An organiser sets the label.", actor=Actor.ORGANISER,
        )  # fmt: skip
        return replace(stopped(proposal, [problem], now), comment=comment)
    planned = planned_cells(proposal, ledger)
    expected = {item.cell.id: item.cell for item in planned}
    adopted = adopt(planned, ledger, now)
    given = handed_out(ledger, approval.id)
    bound = {
        cell: wanted
        for cell, wanted in expected.items()
        if given and given.key_of(str(cell)) == wanted.keys.score
    }
    handed, unbound = (
        read_artifacts(folder, given, bound, proposal.after, now, adopted)
        if folder
        else (Upload(), [])
    )
    checked, further = check_opened(handed, bound, proposal.after, now, adopted=adopted)
    planned += [item for item in further if item.cell.id not in expected]
    expected |= {item.cell.id: item.cell for item in further}
    accepted = seal_accepted(checked.accepted, expected, proposal.before.settings.seal)
    accepted, withdrawn_texts = without_withdrawn(accepted, ledger)
    outcome = outcome_file(Outcome(approval=approval.id, at=now))
    # A step that is repeated adds nothing.
    notes = {} if ledger.outcome(approval) else dict([outcome])
    add_to_ledger(
        repo, notes, "Keep {} files\n",
        branch=branch, remote=source.remote, records=Records(accepted.values(), now),
    )  # fmt: skip
    scored = {**adopt(planned, ledger, now), **accepted}
    complete = len(scored) == len(expected)
    failures = [fault for item in planned if (fault := _failure(item, scored)) is not None]
    failed = not complete or bool(failures)
    report = Report(
        state="failed" if failed else "scored",
        reason="" if complete else f"{len(expected) - len(scored)} cells came without a record.",
        head=proposal.head,
        tree=proposal.tree,
        changed=proposal.listed,
        problems=[
            Problem(file="records", message=text, actor=Actor.PLATFORM)
            for text in (*checked.malformed, *checked.left_out, *unbound, *withdrawn_texts)
        ],
        cells=[line_of(item, scored.get(item.cell.id)) for item in planned],
        boards=board_changes(proposal, scored, now),
        next_step=_next(complete, {fault.actor for fault in failures}),
        at=now.isoformat(timespec="seconds"),
    )
    return Step(
        report=report, ok=not failed, comment=comment, proposal=proposal, planned=tuple(planned)
    )


def _failure(item: PlannedCell, scored: Mapping[CellId, Accepted]) -> CellError | None:
    """Return what keeps a proposal back: a stage that cannot do without the others does not."""
    accepted = scored.get(item.cell.id)
    error = accepted.record.error if accepted else None
    if error is not None and (item.cell.is_whole or error.actor != Actor.PARTICIPANT):
        return error
    return None


def _next(complete: bool, actors: Collection[Actor]) -> str:
    if not complete or Actor.PLATFORM in actors:
        return (
            "An organiser takes the label off and sets it again, which evaluates what is missing; "
            "it stays the same attempt."
        )
    if Actor.ORGANISER in actors:
        return (
            "An organiser mends the benchmark; the same files are then evaluated again, as the "
            "same attempt."
        )
    if actors:
        return "The participant mends it and pushes again, or an organiser merges it as it is."
    return "An organiser merges it; the scores are committed and the site is rebuilt."
