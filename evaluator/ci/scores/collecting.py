"""Collect what jobs handed in, and what the ledger has, for a branch."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evaluator.ci.git import (
    Committed,
    Files,
    add_files,
    empty_inbox,
    quarantined,
    read_inbox,
    tip_of,
)
from evaluator.ci.ledger.assignments import (
    COLLECT,
    HandedOut,
    hand_out,
    handed_out,
    handed_out_files,
)
from evaluator.ci.ledger.ledger import read_ledger
from evaluator.ci.ledger.ledger_growth import grown_ledger
from evaluator.ci.ledger.ledger_state import STATE_FILE
from evaluator.ci.ledger.quotas import policy_by
from evaluator.ci.ledger.rebases import compare_landed
from evaluator.ci.ledger.withdrawals import Withdrawn
from evaluator.ci.scores.commit import current_branch
from evaluator.ci.scores.hand_in import read_artifacts
from evaluator.ci.scores.ledger_records import (
    Records,
    absent,
    add_to_ledger,
    adopt,
    attempt_files,
    without_withdrawn,
)
from evaluator.ci.scores.record_changes import Changes, pages_of, record_changes, without_committed
from evaluator.ci.scores.revocation import (
    next_state,
    removal_withdrawals,
    seal_withdrawals,
    withdrawn_cells,
)
from evaluator.ci.scores.unsealing import seal_accepted, unseal_all
from evaluator.ci.scores.validation import Accepted, Checked, check_opened
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.repository_status import Landing
from evaluator.core.formats.settings import Settings
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.plan import Cell, PlannedCell, cells, make_plan, opened
from evaluator.core.planning.snapshot import take_snapshot
from evaluator.core.scores.choosing import named_cells
from evaluator.core.scores.handed import Handed, read_references


@dataclass(frozen=True, kw_only=True)
class Collected:
    """What collecting did."""

    committed: Committed
    tip: str
    """Commit id of the branch afterwards."""
    settings: Settings
    missing: tuple[PlannedCell, ...]
    """What is still to be evaluated."""
    left_out: tuple[str, ...]
    malformed: tuple[str, ...]
    inbox_fault: PlatformError | None
    """Why the inbox could not be emptied: what it holds is on the branch."""
    landings: tuple[Landing, ...]
    """Commits that did something else than was shown or approved."""
    handed_out: str
    """Id of the note that says which job gets which of them; empty where there is none."""


def collect(
    start: Path,
    now: dt.datetime,
    *,
    branch: str | None = None,
    remote: str | None = None,
    source: Path | None = None,
    inbox: bool = False,
    rerun: Sequence[str] = (),
    failed_only: bool = False,
    accept_ledger: bool = False,
    handed: str = "",
) -> Collected:
    """Bring a branch's records up to date from what was handed in and from the ledger.

    It enters the ledger first, so that it survives whatever happens to the branch. Cells named by
    ``rerun`` are listed as missing although they have records. What is listed is handed out: its
    attempts are noted in the same swap of the ledger that judges them.

    A record that was withdrawn, or that somebody took off the branch, comes off and stays off; its
    cell is listed again. ``accept_ledger`` accepts a ledger that has lost entries.

    Below ``source`` a folder ``records-<job>`` is what that job handed in: of it those cells count
    that were handed out to it, by the note ``handed`` or by the last one.
    """
    repo = open_repository(start)
    branch = branch or current_branch(repo)
    waiting = read_inbox(repo, remote or ".") if inbox else {}
    received, aside = read_references(repo, waiting)
    checked = Checked()
    given: HandedOut | None = None
    settings = Settings()
    missing: list[PlannedCell] = []
    changes = Changes()

    def accept(tip: str | None) -> Files:
        nonlocal checked, settings, missing, given, changes
        snapshot = take_snapshot(read_tree(repo, tip))
        settings = snapshot.settings
        ledger = grown_ledger(repo, settings.ledger, remote, snapshot.tree, accept=accept_ledger)
        all_cells = list(cells(snapshot, now))
        expected = {cell.id: cell for cell in all_cells if cell.phase.has_started(now)}
        given = handed_out(ledger, COLLECT, handed)
        in_folder, unbound = (
            read_artifacts(source, given, expected, snapshot, now, {}) if source else (Handed(), [])
        )
        both = in_folder.over(received)
        new = without_committed(both, snapshot)
        refused = (
            make_plan(snapshot, now, policy_by(ledger), all_cells).refusals if new.records else {}
        )
        checked, further = check_opened(new, expected, snapshot, now, refused=refused)
        expected |= {item.cell.id: item.cell for item in further}
        accepted = seal_accepted(checked.accepted, expected, settings.seal)
        accepted, withdrawn_texts = without_withdrawn(accepted, ledger)
        add_to_ledger(
            repo, {}, "Keep {} files of records\n", branch=settings.ledger, remote=remote,
            records=Records(accepted.values(), now),
        )  # fmt: skip
        unsealed = unseal_all(snapshot, expected, now)
        revoked = seal_withdrawals(snapshot, unsealed.refused, now) | removal_withdrawals(
            repo, snapshot, ledger, now
        )
        add_to_ledger(repo, revoked, "Withdraw {} records\n", branch=settings.ledger, remote=remote)
        joining: dict[CellId, Accepted] = {}
        gone: dict[CellId, Withdrawn] = {}

        def note_attempts(tip: str | None) -> Files:
            nonlocal ledger, joining, gone, missing, given
            ledger = read_ledger(repo, tip)
            gone = withdrawn_cells(snapshot, ledger)
            policy = policy_by(ledger)
            plan = make_plan(snapshot, now, policy, all_cells)
            planned = list(plan.missing)
            planned += _planned_again(gone, expected, planned)
            if rerun and source is None:
                planned = [
                    item
                    for item in named_cells(snapshot, now, rerun, plan, failed_only=failed_only)
                    if item.state != "refused"
                ]
            wanted = [item for item in planned if item.cell.id not in accepted]
            joining = {**adopt(wanted, ledger, now), **accepted}
            _, further = opened(
                snapshot, {cell: item.record for cell, item in joining.items()}, now, policy
            )
            joining = {**adopt(further, ledger, now), **joining}
            missing = [item for item in (*wanted, *further) if item.cell.id not in joining]
            files = attempt_files(snapshot, [*planned, *further], ledger, now)
            if source is None:
                given = hand_out(COLLECT, missing, settings.queues, now)
                last = handed_out(ledger, COLLECT)
                if last is not None and last.jobs == given.jobs:
                    given = last
                files |= handed_out_files(given)
            return absent(ledger, files)

        noted = add_files(
            repo, note_attempts, lambda new: f"Note {len(new)} attempts\n",
            branch=settings.ledger, remote=remote, create=True, by_path=True,
        )  # fmt: skip
        left_out = (
            *checked.left_out,
            *unbound,
            *withdrawn_texts,
            *map(_withdrawn_text, gone.values()),
            *unsealed.closed,
        )
        checked = replace(checked, left_out=left_out)
        came = record_changes(joining, snapshot, ledger, gone)
        changes = Changes(
            records={
                **{cell: record for cell, record in unsealed.records.items() if cell not in gone},
                **came.records,
            },
            gone=gone.keys() - came.records.keys(),
            pages={
                **unsealed.pages,
                **{path: None for cell in gone for path in pages_of(cell, snapshot)},
                **came.pages,
            },
        )
        files = changes.files(snapshot)
        ledger = replace(ledger, commit=noted.commit or ledger.commit)
        return {**files, **(next_state(snapshot, ledger) if files or accept_ledger else {})}

    committed = add_files(repo, accept, lambda _: changes.message, branch=branch, remote=remote)
    inbox_fault = empty_inbox(repo, remote or ".", waiting, aside)
    tip = committed.commit or tip_of(repo, branch, remote)
    if tip is None:
        raise UsageError(f"there is no branch '{branch}'")
    ledger = read_ledger(repo, tip_of(repo, settings.ledger, remote, by_path=True))
    landings, notes = compare_landed(repo, tip, ledger, remote, now)
    add_to_ledger(repo, notes, "Note what landed\n", branch=settings.ledger, remote=remote)
    paths = tuple(path for path in committed.paths if path != STATE_FILE)
    return Collected(
        committed=replace(committed, paths=paths, cells=changes.count if committed.commit else 0),
        tip=tip, settings=settings,
        missing=tuple(missing), left_out=checked.left_out,
        malformed=(*checked.malformed, *map(_aside_text, aside)),
        handed_out=given.id if given and given.jobs else "",
        inbox_fault=inbox_fault, landings=tuple(landings),
    )  # fmt: skip


def _planned_again(
    gone: Mapping[CellId, Withdrawn],
    expected: Mapping[CellId, Cell],
    planned: Sequence[PlannedCell],
) -> list[PlannedCell]:
    """Plan the cells whose record comes off, those that are not planned anyhow."""
    planned_ids = {item.cell.id for item in planned}
    return [
        PlannedCell(cell=expected[cell], state="retry", reason=f"withdrawn: {note.reason}")
        for cell, note in gone.items()
        if cell in expected and cell not in planned_ids
    ]


def _aside_text(name: str) -> str:
    return (
        f"{name}: is kept as {quarantined(name)}; `git push REMOTE` of it to the old name hands it "
        "in again, and of nothing to the new one deletes it"
    )


def _withdrawn_text(note: Withdrawn) -> str:
    return f"{note.cell}: its record was withdrawn by {note.by}: {note.reason}"
