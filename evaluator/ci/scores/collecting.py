"""Collect what jobs handed in, and what the ledger has, for a branch."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.ci.git.branch import Committed, add_files, tip_of
from evaluator.ci.git.following import Files
from evaluator.ci.git.inbox import empty_inbox, quarantined, read_inbox
from evaluator.ci.ledger.assignments import (
    COLLECT,
    Assignment,
    assign,
    assignment_files,
    read_assignment,
)
from evaluator.ci.ledger.ledger import Ledger, read_ledger
from evaluator.ci.ledger.ledger_notes import Withdrawn
from evaluator.ci.ledger.ledger_state import STATE_FILE, grown_ledger
from evaluator.ci.ledger.quotas import admission_by
from evaluator.ci.ledger.unreviewed import find_unreviewed
from evaluator.ci.scores.hand_in import read_artifacts, read_references
from evaluator.ci.scores.ledger_records import (
    CellTable,
    add_to_ledger,
    attempt_files,
    change_ledger,
    sign_records,
    without_withdrawn,
)
from evaluator.ci.scores.record_changes import (
    ScoreChanges,
    no_attachments,
    record_changes,
    without_committed,
)
from evaluator.ci.scores.revocation import (
    next_state,
    removal_withdrawals,
    seal_withdrawals,
    withdrawn_cells,
)
from evaluator.ci.scores.unsealing import Unsealed, seal_accepted, unseal_all
from evaluator.ci.scores.validation import Accepted, check_with_datasets
from evaluator.core.errors import PlatformError
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.repository_status import UnreviewedCommit
from evaluator.core.formats.settings import Settings
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.cells import cells
from evaluator.core.planning.plan import Admission, PlannedCell, make_plan
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.plugins import Service
from evaluator.core.scores.selection import named_cells
from evaluator.core.scores.turns import race_of
from evaluator.core.scores.uploads import Upload

DUE = Service[Callable[[Snapshot, dt.datetime], Sequence[str]]]("sealing.due")
"""Names sealed entries whose date has come."""


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What collecting did."""

    committed: Committed
    tip: str
    settings: Settings
    missing: tuple[PlannedCell, ...]
    left_out: tuple[str, ...]
    malformed: tuple[str, ...]
    fault: PlatformError | None
    """Why what follows the commit failed: the records are on the branch, and the rest is done by
    the next call."""
    unreviewed: Sequence[UnreviewedCommit]
    """Commits that did something else than was shown or approved."""
    assignment: str
    """Id of the note that says which job gets which of them; empty where there is none."""
    due: Sequence[str]
    """Sealed entries that are to be opened."""


def collect(
    start: Path, now: dt.datetime, *,
    branch: str, remote: str | None = None, source: Path | None = None, inbox: bool = False,
    rerun: Sequence[str] = (), failed_only: bool = False, accept_ledger: bool = False,
    assignment: str = "",
) -> Collected:  # fmt: skip
    """Bring a branch's records up to date from what was handed in and from the ledger.

    The ledger comes first, so that it survives whatever happens to the branch; attempts are noted
    in the same swap that judges them. ``rerun`` lists cells that have records, too. Of a folder
    ``records-<job>`` below ``source`` those cells count that ``assignment``, or the last one, gave
    to that job.
    """
    repo = open_repository(start)
    waiting = read_inbox(repo, remote or ".") if inbox else {}
    received, aside = read_references(repo, waiting)
    rounds: list[_Round] = []  # the last one alone: each holds a snapshot

    def accept(tip: str | None) -> Files:
        this = _Round(repo, tip, remote, source, now)
        rounds[:] = [this]
        snapshot = this.snapshot
        ledger = grown_ledger(
            repo, snapshot.settings.ledger, remote, snapshot.tree, accept=accept_ledger
        )
        this.keep_accepted(received, ledger, assignment)
        this.withdraw(ledger)
        ledger = this.assign_missing(rerun, failed_only=failed_only)
        files = this.changes.files(snapshot)
        signed = sign_records(repo, snapshot, this.changes.cells, files, now, remote, is_read=True)
        ledger = replace(ledger, commit=signed or ledger.commit)
        return {**files, **(next_state(snapshot, ledger) if files or accept_ledger else {})}

    committed = add_files(
        repo, accept, lambda _: rounds[0].changes.message, branch=branch, remote=remote
    )
    last = rounds[0]
    tip = committed.commit or last.snapshot.tree.commit or ""  # one of them, or it had raised
    settings = last.snapshot.settings
    unreviewed: Sequence[UnreviewedCommit] = ()
    fault = empty_inbox(repo, remote or ".", waiting, aside)
    try:
        if committed.commit:
            sign_records(repo, last.snapshot, (), {}, now, remote, base=tip, is_read=True)
        ledger = read_ledger(repo, tip_of(repo, settings.ledger, remote, by_path=True))
        unreviewed, notes = find_unreviewed(repo, tip, ledger, remote, now)
        add_to_ledger(repo, notes, "Note what landed\n", branch=settings.ledger, remote=remote)
    except PlatformError as error:
        fault = fault or error
    paths = tuple(path for path in committed.paths if path != STATE_FILE)
    due = DUE.load()
    count = last.changes.count if committed.commit else 0
    put_aside = [
        f"{name}: is kept as {quarantined(name)}; `git push REMOTE` of it to the old name hands it "
        "in again, and of nothing to the new one deletes it"
        for name in aside
    ]
    return Collected(
        committed=replace(committed, paths=paths, cells=count), tip=tip, settings=settings,
        missing=tuple(last.table.missing), left_out=tuple(last.left_out),
        malformed=(*last.malformed, *put_aside),
        assignment=last.assignment.id if last.assignment and last.assignment.jobs else "",
        fault=fault, unreviewed=unreviewed, due=due(last.snapshot, now) if due else (),
    )  # fmt: skip


class _Round:
    """One try to bring a branch up to date from its tip; if the tip moves, another one begins."""

    def __init__(
        self, repo: Repo, tip: str | None, remote: str | None, source: Path | None, now: dt.datetime
    ) -> None:
        self.repo, self.remote, self.source, self.now = repo, remote, source, now
        self.snapshot = read_snapshot(read_tree(repo, tip))
        self.all_cells = list(cells(self.snapshot, now))
        self.started = {cell.id: cell for cell in self.all_cells if cell.phase.has_started(now)}
        self.assignment: Assignment | None = None
        self.accepted: Mapping[CellId, Accepted] = {}
        """Records that were handed in and fit."""
        self.unsealed = Unsealed()
        self.withdrawn: Mapping[CellId, Withdrawn] = {}
        """Cells whose record comes off the branch."""
        self.table = CellTable(())
        """The cells that the branch misses."""
        self.changes = ScoreChanges()
        self.left_out: list[str] = []
        self.malformed: Sequence[str] = ()

    def keep_accepted(self, received: Upload, ledger: Ledger, assignment: str) -> None:
        """Check what was handed in, and add to the ledger what fits."""
        snapshot, now = self.snapshot, self.now
        self.assignment = read_assignment(ledger, COLLECT, assignment)
        if self.source is not None:
            in_folder, self.left_out = read_artifacts(
                self.source, self.assignment, self.started, snapshot, now, {}
            )
            received = in_folder.over(received)
        new = without_committed(received, snapshot)
        plan = (
            make_plan(snapshot, now, admission_by(ledger), self.all_cells) if new.records else None
        )
        checked, further = check_with_datasets(
            new, self.started, snapshot, now, refused=plan.refusals if plan else {}
        )
        self.started |= {item.cell.id: item.cell for item in further}
        sealed = seal_accepted(checked.accepted, self.started, snapshot.settings.seal)
        self.accepted, withdrawn = without_withdrawn(sealed, ledger)
        self.left_out = [*checked.left_out, *self.left_out, *withdrawn]
        self.malformed = checked.malformed
        add_to_ledger(
            self.repo, {}, "Keep {} files of records\n", branch=snapshot.settings.ledger,
            remote=self.remote, accepted=self.accepted.values(), into=snapshot, at=now,
        )  # fmt: skip

    def withdraw(self, ledger: Ledger) -> None:
        """Note what counts no longer: wrongly sealed, or taken off the branch by hand."""
        snapshot = self.snapshot
        self.unsealed = unseal_all(snapshot, self.started, self.now)
        notes = seal_withdrawals(snapshot, self.unsealed.refused, self.now)
        notes |= removal_withdrawals(self.repo, snapshot, ledger, self.now)
        add_to_ledger(
            self.repo, notes, "Withdraw {} records\n",
            branch=snapshot.settings.ledger, remote=self.remote,
        )  # fmt: skip

    def assign_missing(self, rerun: Sequence[str], *, failed_only: bool) -> Ledger:
        """Note attempts and jobs of cells without a record; return the ledger with these notes."""
        ledger = Ledger()

        def new_files(read: Ledger) -> dict[str, bytes]:
            nonlocal ledger
            ledger = read
            self.withdrawn = withdrawn_cells(self.snapshot, ledger)
            admit = admission_by(ledger)
            planned = self._planned(admit, rerun, failed_only=failed_only)
            self.table = CellTable(planned, self.accepted)
            self.table.look_up(self.snapshot, ledger, self.now, admit)
            files = attempt_files(self.snapshot, self.table.planned.values(), ledger, self.now)
            if self.source is None:
                settings = self.snapshot.settings
                self.assignment = assign(COLLECT, self.table.missing, settings, self.now)
                last = read_assignment(ledger, COLLECT)
                if last is not None and last.jobs == self.assignment.jobs:
                    self.assignment = last
                files |= assignment_files(self.assignment)
            return files

        noted = change_ledger(
            self.repo, new_files, "Note {} attempts\n",
            branch=self.snapshot.settings.ledger, remote=self.remote,
        )  # fmt: skip
        self.left_out += [
            f"{note.cell}: its record was withdrawn by {note.by}: {note.reason}"
            for note in self.withdrawn.values()
        ]
        self.left_out += self.unsealed.closed
        self.left_out += [f"{cell}: {reason}" for cell, reason in self.table.unsigned.items()]
        self.changes = self._changes(ledger)
        return replace(ledger, commit=noted.commit or ledger.commit)

    def _planned(
        self, admit: Admission, rerun: Sequence[str], *, failed_only: bool
    ) -> list[PlannedCell]:
        """The cells that the branch misses, or those that are asked for."""
        plan = make_plan(self.snapshot, self.now, admit, self.all_cells)
        if rerun and self.source is None:
            asked = named_cells(self.snapshot, self.now, rerun, plan, failed_only=failed_only)
            return [item for item in asked if item.state != "refused"]
        missing = {item.cell.id for item in plan.missing}
        again = [
            PlannedCell(cell=self.started[cell], state="retry", reason=f"withdrawn: {note.reason}")
            for cell, note in self.withdrawn.items()
            if cell in self.started and cell not in missing
        ]
        race = race_of(self.snapshot.benchmarks.values())
        due = race.due(self.snapshot, self.now) if race and self.source is None else ()
        if due:
            named = named_cells(self.snapshot, self.now, due, plan)
            again += [item for item in named if item.state == "asked"]
        return [*plan.missing, *again]

    def _changes(self, ledger: Ledger) -> ScoreChanges:
        """What the branch gets: records of the table, and what is sealed no longer."""
        snapshot, withdrawn, unsealed = self.snapshot, self.withdrawn, self.unsealed
        new = record_changes(self.table.records, snapshot, ledger, withdrawn)
        reopened = {cell: item for cell, item in unsealed.records.items() if cell not in withdrawn}
        without = {path: None for cell in withdrawn for path in no_attachments(cell, snapshot)}
        return ScoreChanges(
            records={**reopened, **new.records},
            removed=withdrawn.keys() - new.records.keys(),
            attachments={**unsealed.attachments, **without, **new.attachments},
        )
