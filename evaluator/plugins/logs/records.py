"""Records as a person may read them: by name, and decrypted with the organisers' key."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from evaluator.ci.scores.encryption import decrypt_attachment
from evaluator.core.errors import UsageError, nearest, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import SEALED, CellId
from evaluator.core.formats.record import Attachment, Record
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import disclose, unhidden
from evaluator.core.scores.sealing import opened
from evaluator.core.scores.uploads import below, records_in


class ShownRecord(NamedTuple):
    """A record, and its benchmark, which decides how much of it is shown."""

    record: Record
    benchmark: Benchmark
    is_decrypted: bool
    """Whether it was encrypted, and is now for organisers' eyes only."""


def find_records(snapshot: Snapshot, name: str, source: Path | None) -> list[ShownRecord]:
    """The records of the cells below a name: the snapshot's, or those below a folder."""
    written = records_in(source) if source else None
    all_cells = list(snapshot.record_files if written is None else written)
    cells = below(name, all_cells)
    if not cells:
        way = "`pullbench run` makes records; those that it wrote with --output are read with "
        close = nearest(name, map(str, all_cells), "")
        raise UsageError(
            f"there is no record of '{printable(name)}'", hint=f"{close}{close and ' '}{way}--from."
        )
    return [_find(snapshot, cell, written) for cell in sorted(cells)]


def _find(snapshot: Snapshot, cell: CellId, written: Mapping[CellId, Record] | None) -> ShownRecord:
    benchmark = snapshot.benchmarks.get(cell.benchmark)
    record = snapshot.record_files.with_logs(cell) if written is None else written.get(cell)
    if benchmark is None or record is None:
        raise UsageError(
            f"{cell.scores_path} cannot be read", hint="`pullbench validate` says why."
        )
    full = opened(record)
    if full is record:
        return ShownRecord(record, benchmark, is_decrypted=False)
    return ShownRecord(full, unhidden(benchmark), is_decrypted=True)


def shown_attachments(snapshot: Snapshot, record: Record, benchmark: Benchmark) -> dict[str, bytes]:
    """The attachments of a cell that may be shown, by file name. Raises UsageError."""
    files: dict[str, bytes] = {}
    for suffix in disclose(record, benchmark).attachments:
        path, named = record.cell.attachment_path(suffix), record.attachments[suffix]
        there = [one for one in (path, f"{path}{SEALED}") if one in snapshot.tree.entries]
        for place, content in snapshot.tree.read(there).items():
            opened = content if place == path else decrypt_attachment(content, named)
            if opened is None or Attachment.of(opened) != named:
                raise UsageError(f"{place} is not what the record names")
            files[path.rpartition("/")[2]] = opened
    if not files:
        raise UsageError(f"{record.cell} has no detailed results that may be shown")
    return files
