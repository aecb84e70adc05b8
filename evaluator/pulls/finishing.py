"""Runners have evaluated what was approved."""

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluator.accepting import Accepted, check_opened, read_folder
from evaluator.board.comment import Report
from evaluator.errors import Actor, Problem, RefusedError
from evaluator.formats.cell import CellId
from evaluator.keeping import adopt, keep
from evaluator.planning.ledger import Outcome, outcome_file
from evaluator.planning.plan import PlannedCell
from evaluator.planning.tree import open_repository
from evaluator.proposing import MovedError, Source, fetch_ledger, propose
from evaluator.pulls.cells import planned_cells
from evaluator.pulls.notes import add_notes
from evaluator.pulls.reports import Step, board_changes, line_of, refused, stopped
from evaluator.sealing import seal_accepted


def finish(start: Path, source: Source, folder: Path | None, now: dt.datetime) -> Step:
    """Check every record against the plan, keep them, and show the board as it would be."""
    repo = open_repository(start)
    try:
        proposal = propose(repo, source, now)
    except (MovedError, RefusedError) as error:
        return Step(report=refused(source, now, error), ok=False)
    branch = proposal.before.settings.ledger
    ledger = fetch_ledger(repo, branch, source.remote)
    approval = ledger.approval_of(proposal.tree, proposal.changed)
    if approval is None:
        problem = Problem(
            file="pull request",
            message=f"the tree {proposal.tree[:12]} was not approved with what merging it changes",
            hint="An organiser sets the label.", actor=Actor.ORGANISER,
        )  # fmt: skip
        return stopped(proposal, [problem], now)
    planned = planned_cells(proposal, ledger)
    handed = read_folder(folder) if folder else {}
    expected = {item.cell.id: item.cell for item in planned}
    known = adopt(planned, ledger, now)
    checked, further = check_opened(handed, expected, proposal.after, now, known=known)
    planned += [item for item in further if item.cell.id not in expected]
    expected |= {item.cell.id: item.cell for item in further}
    accepted = seal_accepted(checked.accepted, expected, proposal.before.settings.seal)
    keep(repo, accepted, branch, source.remote)
    scored = {**adopt(planned, ledger, now), **accepted}
    spoiled = _spoiled(planned, scored)
    add_notes(repo, branch, source.remote, dict([
        outcome_file(Outcome(approval=approval.id, at=now, spoiled=sorted(spoiled)))
    ]))  # fmt: skip
    complete = len(scored) == len(expected)
    failed = not complete or any(_fails(item, scored.get(item.cell.id)) for item in planned)
    report = Report(
        state="failed" if failed else "scored",
        reason="" if complete else f"{len(expected) - len(scored)} cells came without a record.",
        head=proposal.head,
        tree=proposal.tree,
        problems=[
            Problem(file="records", message=text, actor=Actor.PLATFORM)
            for text in (*checked.malformed, *checked.left_out)
        ],
        cells=[line_of(item, scored.get(item.cell.id)) for item in planned],
        boards=board_changes(proposal, scored, now),
        next_step=_next(complete=complete, failed=failed, spoiled=bool(spoiled)),
        at=now.isoformat(timespec="seconds"),
    )
    return Step(report=report, ok=not failed, proposal=proposal, planned=tuple(planned))


def _fails(item: PlannedCell, accepted: Accepted | None) -> bool:
    """Whether a cell keeps a proposal back: a stage that cannot do without the others does not."""
    error = accepted.record.error if accepted else None
    return error is not None and (item.cell.is_whole or error.actor != Actor.PARTICIPANT)


def _next(*, complete: bool, failed: bool, spoiled: bool) -> str:
    if not complete or spoiled:
        return (
            "Nothing is booked to the participant: an organiser takes the label off and sets it "
            "again, which evaluates what is missing."
        )
    if failed:
        return "The participant mends it and pushes again, or an organiser merges it as it is."
    return "An organiser merges it; the scores are committed and the site is rebuilt."


def _spoiled(planned: Sequence[PlannedCell], scored: Mapping[CellId, Accepted]) -> set[str]:
    """Submissions of which no cell came to an end that is the participant's own.

    Some of its stages alone are no attempt.
    """
    own: dict[str, bool] = {}
    for item in planned:
        if not item.cell.is_whole:
            continue
        found = scored.get(item.cell.id)
        error = found.record.error if found else None
        counts = found is not None and (error is None or error.actor == "participant")
        name = item.cell.submission.id
        own[name] = own.get(name, False) or counts
    return {name for name, counts in own.items() if not counts}
