"""Records as a person may read them: by name, and decrypted with the organisers' key."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from evaluator.core.errors import UsageError, nearest, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import disclose, unhidden
from evaluator.core.scores.sealing import sealing
from evaluator.core.scores.uploads import records_in

_LAST_RUN = "build/last-run"
"""File that names the folder to which the last run wrote its records, where it had one."""


def note_last_run(root: Path, output: Path | None) -> None:
    note = root / _LAST_RUN
    note.parent.mkdir(exist_ok=True)
    note.write_text("" if output is None else str(output.resolve()), encoding="utf-8")


def last_run(root: Path, name: str) -> Path | None:
    """Return the folder with what was run last, where it has a record of a cell below a name."""
    note = root / _LAST_RUN
    folder = Path(note.read_text(encoding="utf-8")) if note.is_file() else Path()
    has_it = folder.is_absolute() and folder.is_dir() and _below(name, records_in(folder))
    return folder if has_it else None


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
    cells = _below(name, all_cells)
    if not cells:
        way = "`pullbench run` makes records; those that it wrote with --output are read with "
        close = nearest(name, map(str, all_cells), "")
        raise UsageError(
            f"there is no record of '{printable(name)}'",
            hint=f"{close}{close and ' '}{way}--from.",
        )
    return [_find(snapshot, cell, written) for cell in sorted(cells)]


def _below(name: str, cells: Iterable[CellId]) -> list[CellId]:
    name = name.strip("/").removeprefix("submissions/")
    return [cell for cell in cells if f"{cell}/".startswith(f"{name}/")]


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
    return ShownRecord(sealing("decrypt")(record, key), unhidden(benchmark), is_decrypted=True)


def detailed_page(snapshot: Snapshot, record: Record, benchmark: Benchmark) -> bytes:
    """Return the detailed results of a cell, as far as they may be shown. Raises UsageError."""
    if not disclose(record, benchmark).detailed_results:
        raise UsageError(f"{record.cell} has no detailed results that may be shown")
    tree = snapshot.tree
    plain, sealed = record.cell.page_paths
    files = tree.read([path for path in (plain, sealed) if path in tree.entries])
    if plain in files:
        return files[plain]
    content: bytes | None = sealing("decrypt_page")(files.get(sealed, b""), record)
    if content is None:
        raise UsageError(f"{sealed} is not what the record names")
    return content
