"""Reports of the steps, for the pull request, the log and the job's summary alike."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evaluator.ci.ledger.arrivals import brought_by
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.pull_requests.comment import CellLine, Report, cell_line
from evaluator.ci.pull_requests.heads import MovedError, Source
from evaluator.ci.pull_requests.merge_preview import Proposal
from evaluator.ci.scores.validation import Accepted
from evaluator.core.errors import Problem, PullbenchError
from evaluator.core.formats.cell import CellId
from evaluator.core.git.tree import read_tree
from evaluator.core.leaderboard.changes import BoardChange, compare_boards
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard, read_tables
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot, take_snapshot

APPROVAL_LABEL = "evaluate"
"""Label with which an organiser approves a pull request; evaluate.yml waits for it."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a step came to."""

    report: Report
    ok: bool
    keeps_status: bool = False
    """Whether the head's status is another pull request's: anybody can open one with its head."""
    comment: int | None = None
    """Number of the comment that the forge has, where the ledger says it."""
    is_first: bool = False
    """Whether nothing of the pull request came before, so that there is no comment yet."""
    proposal: Proposal | None = None
    planned: tuple[PlannedCell, ...] = ()


def is_anothers(ledger: Ledger, proposal: Proposal, source: Source) -> bool:
    """Whether another pull request had this head first."""
    return brought_by(ledger, proposal.head) not in (None, source.pull_request)


def stopped(proposal: Proposal, problems: Sequence[Problem], now: dt.datetime) -> Step:
    """Refuse a proposal for what is wrong with it."""
    report = Report(
        state="refused", reason="", head=proposal.head, tree=proposal.tree,
        changed=proposal.listed, problems=problems,
        next_step="What is listed has to be mended first.",
        at=now.isoformat(timespec="seconds"),
    )  # fmt: skip
    return Step(report=report, ok=False, proposal=proposal)


def withdrawn(proposal: Proposal, now: dt.datetime) -> Report:
    """Return the report that an approval was revoked before it counted."""
    return Report(
        state="void", reason="The label was taken off before the approval counted.",
        head=proposal.head, tree=proposal.tree,
        changed=proposal.listed,
        next_step=f"An organiser looks at what is there now and sets `{APPROVAL_LABEL}` again.",
        at=now.isoformat(timespec="seconds"),
    )  # fmt: skip


def refused(source: Source, now: dt.datetime, error: PullbenchError) -> Report:
    """Return why there is no proposal to judge."""
    return Report(
        state="void" if isinstance(error, MovedError) else "refused",
        reason=error.message, head=source.head, tree="", next_step=error.hint,
        at=now.isoformat(timespec="seconds"),
    )  # fmt: skip


def line_of(item: PlannedCell, accepted: Accepted | None) -> CellLine:
    """Return one cell of the comment, as far as it may be shown."""
    if accepted is not None:
        return cell_line(accepted.record, item.cell.benchmark)
    benchmark = item.cell.benchmark
    return CellLine(cell=item.cell.id, queue=benchmark.queue, status="waiting", reason=item.reason)


def board_changes(
    proposal: Proposal,
    scored: Mapping[CellId, Accepted],
    now: dt.datetime,
) -> list[BoardChange]:
    """Return every board that the records change, before and after."""
    touched = sorted({(cell.benchmark, cell.phase) for cell in scored})
    board_changes: list[BoardChange] = []
    for name, slug in touched:
        after = take_snapshot(read_tree(proposal.repo, proposal.merged), only=name)
        after = after.with_records({cell: item.record for cell, item in scored.items()})
        benchmark = after.benchmarks.get(name)
        phase = benchmark.phase(slug) if benchmark else None
        if benchmark is None or phase is None:
            continue
        tables = read_tables(after, now, only=(name, slug))
        would_be = tables.board(benchmark, phase)
        moves_others = (
            benchmark.stages
            or benchmark.datasets
            or any(one.auto_migrate for one in benchmark.phases)
        )
        private = None
        if proposal.only_adds and not moves_others:
            # What else is on the board stays what it is, and is not read twice.
            private = tables.board(benchmark, phase, without=proposal.submissions)
        if private is not None and (private.rows or private.unlisted):
            before: PublicBoard | None = publish(replace(private, commit=proposal.base))
        else:
            snapshot = take_snapshot(read_tree(proposal.repo, proposal.base), only=name)
            before = _board(snapshot, name, slug, now)
        board_changes.append(compare_boards(before, publish(would_be)))
    return board_changes


def _board(snapshot: Snapshot, benchmark: str, phase: str, now: dt.datetime) -> PublicBoard | None:
    bundle = snapshot.benchmarks.get(benchmark)
    if bundle is None or bundle.phase(phase) is None:
        return None
    return publish(leaderboard(snapshot, benchmark, phase=phase, task=None, now=now))
