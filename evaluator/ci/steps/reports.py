"""What a step says: its report, and that written to the forge."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.ci.forge.repository import Forge, StatusState, find_forge
from evaluator.ci.forge.sticky import MARKER
from evaluator.ci.ledger.form_notes import entered_by_form
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import Outcome, comment_file, outcome_file
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.opened.heads import MovedError, PullRequestRef, base_commit, settings_of
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import State
from evaluator.ci.policy.waiting import Waits, last_waits, waiting_file
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.ci.scores.validation import Accepted
from evaluator.ci.steps.comment import CellLine, Report, cell_line
from evaluator.core.errors import Actor, Problem, RefusedError
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot, read_settings
from evaluator.core.plugins import Service

if TYPE_CHECKING:
    from evaluator.ci.steps.board_changes import BoardChange

APPROVAL_LABEL = "evaluate"
"""Label with which an organiser approves a pull request; evaluate.yml waits for it."""
WORKFLOW = "evaluate.yml"
"""In which a pull request goes on."""
RUN_NAME = "evaluate #"
"""Begins the names of its runs; the number of the pull request follows."""
ON_ISSUE = (
    "Your entry is the pull request {}. Commands such as `/withdraw` work in comments there and "
    "here. A change of this issue has no effect: open another form instead."
)
"""Said on the issue of a form, before what the comment on its pull request says."""
STATUS: dict[str, StatusState] = {
    "received": "pending", "queued": "pending", "running": "pending", "scored": "success",
    "refused": "failure", "failed": "failure", "void": "pending",
}  # fmt: skip
"""State of a pull request -> state of its head's commit status."""


@dataclass(frozen=True, kw_only=True)
class StepResult:
    """What a step came to."""

    report: Report
    ok: bool
    keeps_status: bool = False
    """Whether the head's status is another pull request's: anybody can open one with its head."""
    comment: int | None = None
    """Number of the comment that the forge has, where the ledger says it."""
    next: str = ""
    """Step that follows by itself: ``approve``, ``screen`` or none."""
    is_first: bool = False
    """Whether nothing of the pull request came before, so that there is no comment yet."""
    pull: PullRequest | None = None
    planned: tuple[PlannedCell, ...] = ()
    is_known: bool = False
    """Whether nothing is new, so that the comment stays as it is."""


TIP = Service[Callable[[Snapshot, Ledger], str]]("statements.tip")
"""Returns the digest of the last signed statement of a ledger, or nothing."""


def open_for_step(start: Path, ref: PullRequestRef, now: dt.datetime) -> PullRequest | StepResult:
    """Open a pull request, or say why there is none to judge."""
    try:
        return open_pull_request(open_repository(start), ref, now)
    except (MovedError, RefusedError) as error:
        has_moved = isinstance(error, MovedError)
        report = Report(
            state="void" if has_moved else "refused", reason=error.message, head=ref.head, tree="",
            next_steps=(error.hint,), at=now,
        )  # fmt: skip
        if isinstance(error, RefusedError):
            _note_refusal(start, ref, error, now)
        # The push that moved the head has its own comment, which may be there already.
        return StepResult(report=report, ok=False, is_known=has_moved)


def _note_refusal(start: Path, ref: PullRequestRef, error: RefusedError, now: dt.datetime) -> None:
    """Void what was approved of a pull request that cannot be merged, and end its waiting.

    Else entries that arrived later would wait for it, and it would be started again and again.
    """
    number, repo = ref.number, open_repository(start)
    if number is None:
        return
    tree = read_tree(repo, base_commit(repo, ref.base, ref.remote))
    branch = read_settings(tree).ledger
    ledger = grown_ledger(repo, branch, ref.remote, tree)
    void = [Outcome(approval=one.id, at=now, void=True) for one in ledger.unfinished(number)]
    files = dict(map(outcome_file, void))
    last = last_waits(ledger, [number]).get(number)
    if last is not None and (void or last.actor != Actor.PARTICIPANT or last.behind):
        waits = Waits(head=ref.head, at=now, why="person", actor=Actor.PARTICIPANT,
                      reason=f"It cannot be merged: {error.message}.")  # fmt: skip
        files |= [waiting_file(number, waits)]
    add_to_ledger(repo, files, "Note {} files\n", branch=branch, remote=ref.remote)


def report_on(
    pull: PullRequest, state: State, *,
    reason: str = "", next_steps: Sequence[str], problems: Sequence[Problem] = (),
    cells: Sequence[CellLine] = (), boards: Sequence["BoardChange"] = (),
) -> Report:  # fmt: skip
    tip = TIP.load()
    return Report(
        state=state, reason=reason, head=pull.head, tree=pull.tree, changed=pull.changed_paths,
        problems=problems, cells=cells, boards=boards, next_steps=tuple(next_steps),
        at=pull.now, tip=tip(pull.before, pull.ledger) if tip else "",
    )  # fmt: skip


def already_merged(pull: PullRequest) -> StepResult:
    """The report of a step that has nothing to do, since its head is merged."""
    report = report_on(pull, "scored", reason="It is merged.", next_steps=())
    return StepResult(report=report, ok=True, pull=pull, is_known=True)


def stopped(pull: PullRequest, problems: Sequence[Problem]) -> StepResult:
    next_steps = ["What is listed has to be mended first."]
    report = report_on(pull, "refused", problems=problems, next_steps=next_steps)
    return StepResult(report=report, ok=False, pull=pull)


def line_of(item: PlannedCell, accepted: Accepted | None = None) -> CellLine:
    benchmark = item.cell.benchmark
    if accepted is not None:
        return cell_line(accepted.record, benchmark)
    return CellLine(cell=item.cell.id, queue=benchmark.queue, status="waiting", reason=item.reason)


def announce(
    start: Path, ref: PullRequestRef, step: StepResult, markdown: str, *, drop_label: bool
) -> bool:
    """Write comment, status and label to the forge; returns False where there is none."""
    if step.is_known:
        return True
    settings = step.pull.before.settings if step.pull else settings_of(start, ref)
    forge = find_forge(settings.forge)
    if forge is None or ref.number is None:
        return False
    comment = _write(forge, ref.number, step, markdown)
    note = entered_by_form(step.pull.ledger, step.pull.head) if step.pull else None
    if note:
        text = ON_ISSUE.format(f"#{ref.number}")
        forge.comment_sticky(note.issue, f"{text}\n\n{markdown.removeprefix(MARKER)}")
    if drop_label:
        forge.remove_label(ref.number, APPROVAL_LABEL)
    if comment != step.comment and step.pull is not None:
        step.pull.add_notes(dict([comment_file(ref.number, comment)]))
    return True


def _write(forge: Forge, number: int, step: StepResult, markdown: str) -> int:
    report = step.report
    comment = forge.comment_sticky(number, markdown, known=step.comment, is_first=step.is_first)
    # Where an approval is void, the head that took its place waits for one; a head that is gone
    # keeps the status that it had. What is queued waits on, as it did when it was received.
    if (
        (report.state != "queued" or step.comment is None)
        and (report.state != "void" or step.pull is not None)
        and not step.keeps_status
    ):
        forge.set_status(report.head, STATUS[report.state], report.reason or report.next_step)
    return comment.id
