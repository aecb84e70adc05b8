"""Records as a person may read them: by name, and opened where they have the organisers' key."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from evaluator.core.errors import UsageError, nearest, printable
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.handed import records_in
from evaluator.core.scores.redaction import disclose, unhidden
from evaluator.core.scores.sealing import IDENTITY_VARIABLE, opened, opened_page

_LAST_RUN = "build/last-run"
"""File that names the folder to which the last run wrote its records, where it had one."""


def note_last_run(root: Path, output: Path | None) -> None:
    """Remember where a run writes its records: below a folder, or in the working tree."""
    note = root / _LAST_RUN
    note.parent.mkdir(exist_ok=True)
    note.write_text("" if output is None else str(output.resolve()), encoding="utf-8")


def last_run(root: Path, name: str) -> Path | None:
    """Return the folder with what was run last, where it has a record of a cell below a name."""
    note = root / _LAST_RUN
    folder = Path(note.read_text(encoding="utf-8")) if note.is_file() else Path()
    has_it = folder.is_absolute() and folder.is_dir() and _below(name, records_in(folder))
    return folder if has_it else None


class OpenedRecord(NamedTuple):
    """A record, and its benchmark with what decides how much of it is shown."""

    record: Record
    benchmark: Benchmark
    is_opened: bool
    """Whether it was sealed, and is now for organisers' eyes only."""


def open_records(snapshot: Snapshot, name: str, source: Path | None) -> list[OpenedRecord]:
    """Return the records of the cells below a name: the snapshot's, or those below a folder."""
    handed = records_in(source) if source else None
    all_cells = list(snapshot.record_files if handed is None else handed)
    cells = _below(name, all_cells)
    if not cells:
        way = "`pullbench run` makes records; those that it wrote with --output are read with "
        close = nearest(name, map(str, all_cells), "")
        raise UsageError(
            f"there is no record of '{printable(name)}'",
            hint=f"{close}{close and ' '}{way}--from.",
        )
    return [_open(snapshot, cell, handed) for cell in sorted(cells)]


def _below(name: str, cells: Iterable[CellId]) -> list[CellId]:
    name = name.strip("/").removeprefix("submissions/")
    return [cell for cell in cells if f"{cell}/".startswith(f"{name}/")]


def _open(snapshot: Snapshot, cell: CellId, handed: Mapping[CellId, Record] | None) -> OpenedRecord:
    benchmark = snapshot.benchmarks.get(cell.benchmark)
    record = snapshot.record_files.with_logs(cell) if handed is None else handed.get(cell)
    if benchmark is None or record is None:
        raise UsageError(
            f"{cell.scores_path} cannot be read", hint="`pullbench validate` says why."
        )
    key = os.environ.get(IDENTITY_VARIABLE, "")
    if record.sealed is None or not key:
        return OpenedRecord(record, benchmark, is_opened=False)
    return OpenedRecord(opened(record, key), unhidden(benchmark), is_opened=True)


def detailed_page(snapshot: Snapshot, record: Record, benchmark: Benchmark) -> bytes:
    """Return the detailed results of a cell, as far as they may be shown. Raises UsageError."""
    if not disclose(record, benchmark).detailed_results:
        raise UsageError(f"{record.cell.id} has no detailed results that may be shown")
    tree = snapshot.tree
    plain, sealed = record.cell.id.page_paths
    files = tree.read([path for path in (plain, sealed) if path in tree.entries])
    content = files[plain] if plain in files else opened_page(files.get(sealed, b""), record)
    if content is None:
        raise UsageError(f"{sealed} is not what the record names")
    return content
