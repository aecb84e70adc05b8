"""Which records may join a branch: where planning and the git writer meet."""

import datetime as dt
import hashlib
from collections.abc import Mapping
from pathlib import Path

from evaluator.commit import Committed, Files, commit_records
from evaluator.errors import UsageError
from evaluator.formats.cell import CellId, cell_of_path
from evaluator.formats.record import Record, from_json
from evaluator.log import say
from evaluator.planning.plan import cells
from evaluator.planning.snapshot import Snapshot, bad_record, take_snapshot
from evaluator.planning.tree import open_repository, read_tree


def commit(
    start: Path,
    now: dt.datetime,
    *,
    branch: str | None = None,
    remote: str | None = None,
    source: Path | None = None,
    unisolated: bool = False,
) -> Committed:
    """Commit the records found in the working tree, or below ``source``.

    Each is checked against the plan of the branch's tip: one whose key is not the tip's is
    refused, so that what is on the branch is never older than the branch.
    """
    repo = open_repository(start)
    folder = source or Path(repo.working_tree_dir or start)
    found = _records_below(folder)
    if branch is None:
        if repo.head.is_detached:
            raise UsageError("HEAD is on no branch", hint="Name one with --branch.")
        branch = repo.head.ref.name

    def accept(tip: str | None) -> Files:
        taken = take_snapshot(read_tree(repo, tip))
        return _accepted(folder, found, taken, now, unisolated=unisolated)

    return commit_records(repo, accept, branch=branch, remote=remote)


def _records_below(folder: Path) -> dict[CellId, bytes]:
    found: dict[CellId, bytes] = {}
    for path in sorted((folder / "submissions").glob("*/*/*/scores/*/*.json")):
        cell = cell_of_path(path.relative_to(folder).as_posix())
        if cell is not None and not path.is_symlink():
            found[cell] = path.read_bytes()
    return found


def _accepted(
    folder: Path,
    found: Mapping[CellId, bytes],
    taken: Snapshot,
    now: dt.datetime,
    *,
    unisolated: bool,
) -> dict[str, bytes]:
    expected = {cell.id: cell for cell in cells(taken, now) if cell.phase.has_started(now)}
    accepted: dict[str, bytes] = {}
    for cell, content in found.items():
        if taken.record_files.get(cell) == content:
            continue
        try:
            record = from_json(content)
        except ValueError as error:
            raise UsageError(str(bad_record(cell, str(error)))) from None
        if record.cell.id != cell:
            raise UsageError(str(bad_record(cell, f"is the record of {record.cell.id}")))
        wanted = expected.get(cell)
        if wanted is None:
            say(f"left out: {cell}: the branch has no such cell; commit the submission first")
        elif wanted.keys.score != record.keys.score:
            say(f"left out: {cell}: its record is of other content than the branch's")
        elif record.provenance.isolation == "none" and not unisolated:
            say(f"left out: {cell}: it ran without isolation; --allow-unisolated takes it")
        else:
            accepted[cell.record_path] = content
            accepted |= _page(folder, record)
    return accepted


def _page(folder: Path, record: Record) -> dict[str, bytes]:
    """Detailed results of a record: what stands beside it, if it is what the record names."""
    if record.detailed_results is None:
        return {}
    path = folder / record.cell.id.page_path
    content = b"" if path.is_symlink() or not path.is_file() else path.read_bytes()
    if hashlib.sha256(content).hexdigest() != record.detailed_results.sha256:
        say(f"left out: the detailed results of {record.cell.id}: not those that the record names")
        return {}
    return {record.cell.id.page_path: content}
