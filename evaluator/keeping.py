"""What goes into the ledger: records, taken from it where a cell misses one, and attempts."""

import datetime as dt
from collections.abc import Iterable, Mapping

from evaluator.accepting import Accepted, fault_of
from evaluator.commit import Committed, Files, add_files
from evaluator.formats.cell import CellId
from evaluator.formats.record_json import to_json
from evaluator.planning.attempts import attempt_file
from evaluator.planning.ledger import Ledger, read_ledger, record_files
from evaluator.planning.plan import PlannedCell, unseen
from evaluator.planning.quotas import judge_entries
from evaluator.planning.repository import Repo
from evaluator.planning.snapshot import Snapshot


def keep(
    repo: Repo, accepted: Mapping[CellId, Accepted], branch: str, remote: str | None
) -> Committed:
    """Add records to the ledger; what it has already is not written again."""

    def accept(tip: str | None) -> Files:
        known = read_ledger(repo, tip).entries
        files: dict[str, bytes] = {}
        for item in accepted.values():
            files |= record_files(item.record, item.page)
        return {path: content for path, content in files.items() if path not in known}

    if not accepted:
        return Committed(commit=None, paths=(), retries=0)
    return add_files(
        repo, accept, lambda files: f"Keep {len(files)} files of records\n",
        branch=branch, remote=remote, create=True,
    )  # fmt: skip


def adopt(
    planned: Iterable[PlannedCell], ledger: Ledger, now: dt.datetime
) -> dict[CellId, Accepted]:
    """Kept records for cells that miss one: the same content is never evaluated twice.

    A platform fault is not adopted: its cell is tried again. Neither is anything for a cell that
    was asked for although it has a record.
    """
    wanted = [item.cell for item in planned if item.state != "asked"]
    kept = ledger.records(cell.keys.score for cell in wanted)
    found: dict[CellId, Accepted] = {}
    for cell in wanted:
        for record in kept.get(cell.keys.score, ()):
            if record.error is not None and record.error.actor == "platform":
                continue
            renamed = record.model_copy(update={"cell": cell.id})
            content = to_json(renamed)
            if fault_of(renamed, cell.id, cell, now):
                continue
            page = record.detailed_results
            found[cell.id] = Accepted(
                record=renamed,
                content=content,
                page=ledger.page(cell.keys.score, page.sha256) if page else None,
            )
            break
    return found


def attempt_files(
    taken: Snapshot, planned: Iterable[PlannedCell], ledger: Ledger, now: dt.datetime
) -> dict[str, bytes]:
    """Return the notes of the attempts that handing out cells spends, those that lack one."""
    found = judge_entries(taken, unseen(taken, planned), ledger, now).attempts
    files = dict(attempt_file(note) for note in found)
    return {path: content for path, content in files.items() if path not in ledger.entries}
