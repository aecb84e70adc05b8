"""The last step: keeps what runners evaluated, and reports it."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from evaluator.ci.ledger.assignments import read_assignment
from evaluator.ci.ledger.ledger_notes import Outcome, outcome_file
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.budget import used_files
from evaluator.ci.policy.case import MOVED
from evaluator.ci.policy.merging import merges_by_itself, waits_for
from evaluator.ci.policy.races import races
from evaluator.ci.policy.reviews import FEEDBACK
from evaluator.ci.scores.hand_in import read_artifacts
from evaluator.ci.scores.ledger_records import add_to_ledger, without_withdrawn
from evaluator.ci.scores.unsealing import seal_accepted
from evaluator.ci.scores.validation import Accepted, check_with_datasets, with_accepted
from evaluator.ci.steps.board_changes import BoardChange, compare_boards
from evaluator.ci.steps.merge import before_merge, note_merge, note_waiting
from evaluator.ci.steps.reports import StepResult, already_merged, line_of, report_on, stopped
from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.cell import CellId
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import Names, SnapshotTables, read_tables
from evaluator.core.planning.snapshot import read_snapshot
from evaluator.core.scores.uploads import Upload

_MERGES = "pullbench merges it by itself, if nothing has changed since its approval."


def finish(pull: PullRequest, folder: Path | None) -> StepResult:
    """Check every record against the plan, keep them, and show the board as it would be."""
    if not pull.is_merged:
        return _keep(pull, folder)
    # This step was killed right after the merge, or comes late, or a person merged.
    before = before_merge(pull)
    result = _keep(before, folder, is_merged=True) if before else already_merged(pull)
    return note_merge(result, pull)


def _keep(pull: PullRequest, folder: Path | None, *, is_merged: bool = False) -> StepResult:
    ledger, settings = pull.ledger, pull.before.settings
    comment = ledger.comment_of(pull.ref.number)
    approval = ledger.approval_of(pull.ref.number, pull.tree, pull.changed)
    approval = approval or pull.outdated  # records of what its merge leaves as it was still count
    if approval is None:
        problem = Problem(
            file="pull request",
            message=f"the tree {pull.tree[:12]} was not approved with what merging it changes",
            hint="An organiser reads it and sets the label `evaluate`.", actor=Actor.ORGANISER,
        )  # fmt: skip
        return replace(stopped(pull, [problem]), comment=comment, is_known=is_merged)
    table = pull.cells(ledger)
    assignment = read_assignment(ledger, approval.id)
    assigned = table.assigned(assignment)
    received, left_out = (
        read_artifacts(folder, assignment, assigned, pull.after, pull.now, table.records)
        if folder
        else (Upload(), [])
    )
    checked, further = check_with_datasets(
        received, assigned, pull.after, pull.now, adopted=table.records
    )
    table.add(further)
    cells = {cell: item.cell for cell, item in table.planned.items()}
    sealed = seal_accepted(checked.accepted, cells, settings.seal)
    accepted, withdrawn = without_withdrawn(sealed, ledger)
    outcome = outcome_file(Outcome(approval=approval.id, at=pull.now))
    # A step that is repeated adds nothing.
    notes = {} if ledger.outcome(approval) else dict([outcome])
    known = {**table.records, **sealed}
    records = {str(cell): item.record for cell, item in known.items()}
    notes |= used_files(pull, approval, list(assigned.values()), records)
    add_to_ledger(
        pull.repo, notes, "Keep {} files\n",
        branch=settings.ledger, remote=pull.ref.remote, accepted=accepted.values(),
        into=pull.before, at=pull.now,
    )  # fmt: skip
    table.records |= accepted
    table.adopt(ledger, pull.now, settings)
    missing, errors = len(table.missing), table.errors
    failed = bool(missing or errors)
    unsigned = [f"{cell}: {reason}" for cell, reason in table.unsigned.items()]
    ends = _next_step(not missing, {error.actor for error in errors})
    if not failed and (is_merged or merges_by_itself(pull)):
        ends = _MERGES
    feedback_sentences = [feedback.finish(pull, table) for feedback in FEEDBACK.values()]
    read = _read_tables(pull, table.records)
    boards = {names: _board_change(pull, *names, tables) for names, tables in read.items()}
    report = report_on(
        pull,
        "failed" if failed else "scored",
        reason=f"{missing} cells came without a record." if missing else "",
        problems=[
            Problem(file="records", message=text, actor=Actor.PLATFORM)
            for text in (*checked.malformed, *checked.left_out, *left_out, *withdrawn, *unsigned)
        ],
        cells=[line_of(item, table.records.get(cell)) for cell, item in table.planned.items()],
        boards=list(boards.values()),
        next_steps=[ends, *feedback_sentences],
    )
    step = StepResult(report=report, ok=not failed, comment=comment, pull=pull)
    if pull.outdated and not is_merged:
        report = replace(report, state="void")
        return note_waiting(replace(step, report=report, ok=False), MOVED, pull)
    if failed:
        return step
    entered = races(pull)
    refused = waits_for(entered)
    if refused and not is_merged:
        return note_waiting(step, refused, pull)
    after = {names: change.after for names, change in boards.items()}
    sentences = [one for race in entered for one in race.sentences(table.records, read, after)]
    return replace(step, report=replace(report, records=sentences))


def _next_step(complete: bool, actors: Collection[Actor]) -> str:
    if not complete or Actor.PLATFORM in actors:
        return (
            "The participant comments `/retry`, or an organiser takes the label off and sets it "
            "again. CI then evaluates what is missing, as the same attempt."
        )
    if Actor.ORGANISER in actors:
        return (
            "An organiser corrects the benchmark. CI then evaluates the same files again, as the "
            "same attempt."
        )
    if actors:
        return "The participant corrects it and pushes again, or an organiser merges it as it is."
    return "An organiser merges it. CI then commits the scores and rebuilds the site."


def _read_tables(
    pull: PullRequest, scored: Mapping[CellId, Accepted]
) -> dict[Names, SnapshotTables]:
    """Read what each phase with scores would have; a benchmark of several phases once."""
    phases = sorted({(cell.benchmark, cell.phase) for cell in scored})
    snapshots = {
        name: with_accepted(read_snapshot(pull.after.tree, only=name), scored)
        for name in dict(phases)
    }
    return {
        (name, slug): read_tables(snapshots[name], pull.now, only=(name, slug))
        for name, slug in phases
        if (benchmark := snapshots[name].benchmarks.get(name)) and benchmark.phase(slug)
    }


def _board_change(pull: PullRequest, name: str, slug: str, tables: SnapshotTables) -> BoardChange:
    benchmark = tables.snapshot.benchmarks[name]
    phase = next(one for one in benchmark.phases if one.slug == slug)
    after = publish(tables.board(benchmark, phase))
    if pull.only_adds and not benchmark.entries_change_others:
        # The rest of the board stays the same, so it is not read twice.
        others = tables.board(benchmark, phase, without=pull.submissions)
        if others.rows or others.unlisted:
            return compare_boards(publish(replace(others, commit=pull.base)), after)
    snapshot = read_snapshot(pull.before.tree, only=name)
    bundle = snapshot.benchmarks.get(name)
    known = bundle.phase(slug) if bundle else None
    if bundle is None or known is None:
        return compare_boards(None, after)
    before = read_tables(snapshot, pull.now, only=(name, slug)).board(bundle, known)
    return compare_boards(publish(before), after)
