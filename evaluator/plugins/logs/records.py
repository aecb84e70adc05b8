"""Records as a person may read them: by name, and decrypted with the organisers' key."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from evaluator.ci.scores.encryption import decrypt, decrypt_page, unhidden
from evaluator.core.errors import UsageError, nearest, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import disclose
from evaluator.core.scores.uploads import below, records_in


class ShownRecord(NamedTuple):
    """A record, and its benchmark, which decides how much of it is shown."""

    record: Record
    benchmark: Benchmark
    is_decrypted: bool
    """Whether it was encrypted, and is now for organisers' eyes only."""


def find_records(snapshot: Snapshot, name: str, source: Path | None) -> list[ShownRecord]:
    """Return the records of the cells below a name: the snapshot's, or those below a folder."""
    written = records_in(source) if source else None
    all_cells = list(snapshot.record_files if written is None else written)
    cells = below(name, all_cells)
    if not cells:
        way = "`pullbench run` makes records; those that it wrote with --output are read with "
        close = nearest(name, map(str, all_cells), "")
        raise UsageError(
            f"there is no record of '{printable(name)}'",
            hint=f"{close}{close and ' '}{way}--from.",
        )
    return [_find(snapshot, cell, written) for cell in sorted(cells)]


def _find(snapshot: Snapshot, cell: CellId, written: Mapping[CellId, Record] | None) -> ShownRecord:
    benchmark = snapshot.benchmarks.get(cell.benchmark)
    record = snapshot.record_files.with_logs(cell) if written is None else written.get(cell)
    if benchmark is None or record is None:
        raise UsageError(
            f"{cell.scores_path} cannot be read", hint="`pullbench validate` says why."
        )
    key = os.environ.get(SEAL_IDENTITY, "")
    if record.sealed is None or not key:
        return ShownRecord(record, benchmark, is_decrypted=False)
    return ShownRecord(decrypt(record, key), unhidden(benchmark), is_decrypted=True)


def detailed_page(snapshot: Snapshot, record: Record, benchmark: Benchmark) -> bytes:
    """Return the detailed results of a cell, as far as they may be shown. Raises UsageError."""
    if not disclose(record, benchmark).detailed_results:
        raise UsageError(f"{record.cell} has no detailed results that may be shown")
    tree = snapshot.tree
    plain, sealed = record.cell.page_paths
    files = tree.read([path for path in (plain, sealed) if path in tree.entries])
    if plain in files:
        return files[plain]
    content = decrypt_page(files.get(sealed, b""), record)
    if content is None:
        raise UsageError(f"{sealed} is not what the record names")
    return content
