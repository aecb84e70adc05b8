"""Records and attempts in the ledger: added, and adopted for cells that miss a record."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from evaluator.ci.git import Committed, Files, add_files
from evaluator.ci.ledger.attempts import attempt_file
from evaluator.ci.ledger.ledger import Ledger, read_ledger
from evaluator.ci.ledger.quotas import judge_entries
from evaluator.ci.ledger.record_places import key_of
from evaluator.ci.ledger.withdrawals import is_withdrawn
from evaluator.ci.scores.validation import Accepted
from evaluator.core.errors import Actor
from evaluator.core.formats.cell import CellId
from evaluator.core.git.commands import Repo
from evaluator.core.planning.plan import PlannedCell, unseen
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.uploads import record_fault


@dataclass(frozen=True)
class Records:
    """Records that are added, and when."""

    accepted: Collection[Accepted]
    at: dt.datetime


def add_to_ledger(
    repo: Repo,
    files: Mapping[str, bytes],
    message: str,
    *,
    branch: str,
    remote: str | None,
    records: Records | None = None,
) -> Committed:
    """Add notes and records to the ledger, in one commit.

    The first of a name stays, and a record that is there already is not written again.
    ``message`` takes the count of the files.
    """

    def accept(tip: str | None) -> Files:
        ledger = read_ledger(repo, tip)
        new = dict(files)
        if records is not None:
            for item in records.accepted:
                new |= ledger.new_record_files(item.record, item.page, records.at)
        return absent(ledger, new)

    if not files and not (records and records.accepted):
        return Committed(commit=None, paths=(), retries=0)
    return add_files(
        repo, accept, lambda new: message.format(len(new)),
        branch=branch, remote=remote, create=True, by_path=True,
    )  # fmt: skip


def absent(ledger: Ledger, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return those of some files that a ledger does not have."""
    ledger.entries.look(files)
    return {path: content for path, content in files.items() if path not in ledger.entries}


def adopt(
    planned: Iterable[PlannedCell], ledger: Ledger, now: dt.datetime
) -> dict[CellId, Accepted]:
    """Return the ledger's records for cells that miss one: no content is evaluated twice.

    Neither a fault of the platform's nor one of the organiser's is adopted: what was at fault may
    be mended since. Neither is anything for a cell that was asked for although it has a record.
    """
    wanted = [item.cell for item in planned if item.state != "asked"]
    by_key = ledger.records(key_of(cell.keys) for cell in wanted)
    adopted: dict[CellId, Accepted] = {}
    for cell in wanted:
        for record in by_key.get(cell.keys.score, ()):
            if record.error is not None and record.error.actor != Actor.PARTICIPANT:
                continue
            renamed = record.model_copy(update={"cell": cell.id})
            if is_withdrawn(ledger, record) or record_fault(renamed, cell, now):
                continue
            page = ledger.page(record)
            adopted[cell.id] = Accepted(record=renamed, page=page)
            break
    return adopted


def without_withdrawn(
    accepted: Mapping[CellId, Accepted], ledger: Ledger
) -> tuple[dict[CellId, Accepted], list[str]]:
    """Leave out records that were withdrawn before they came again, and say so."""
    gone = {cell for cell, item in accepted.items() if is_withdrawn(ledger, item.record)}
    left = {cell: item for cell, item in accepted.items() if cell not in gone}
    return left, [f"{cell}: this very record was withdrawn" for cell in sorted(gone, key=str)]


def attempt_files(
    snapshot: Snapshot, planned: Iterable[PlannedCell], ledger: Ledger, now: dt.datetime
) -> dict[str, bytes]:
    """Return the notes of the attempts that handing out cells spends, those that lack one."""
    judged = judge_entries(snapshot, unseen(snapshot, planned), ledger, now).attempts
    return absent(ledger, dict(attempt_file(note) for note in judged))
