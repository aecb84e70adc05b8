"""Read what jobs hand in: a folder ``records-<job>`` holds the records of that job's cells."""

import datetime as dt
from collections.abc import Collection, Mapping
from pathlib import Path

from evaluator.ci.git.inbox import hand_in
from evaluator.ci.ledger.assignments import Assignment
from evaluator.ci.ledger.quotas import WITHOUT_LEDGER
from evaluator.ci.scores.validation import Accepted, check
from evaluator.core.errors import UsageError, printable
from evaluator.core.formats.cell import CellId, place_of, place_of_logs
from evaluator.core.formats.record_lines import decode_logs, encode_logs
from evaluator.core.formats.scores_file import decode, encode, merged
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.plan import Cell, cells_of_new_tasks
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.encryption import SUFFIX
from evaluator.core.scores.uploads import Upload, raw_files, read_cells, read_folder

ARTIFACT = "records-"
"""Begins the name of a job's artifact. What bears it alone is the workflow's: a lone artifact would
be unpacked without its name, and nobody knew whose it is."""
_NOBODYS = ("submissions", ARTIFACT)


def read_artifacts(
    folder: Path,
    assignment: Assignment | None,
    expected: Mapping[CellId, Cell],
    snapshot: Snapshot,
    now: dt.datetime,
    adopted: Mapping[CellId, Accepted],
) -> tuple[Upload, list[str]]:
    """Read what jobs handed in for their cells; return why the rest is left out.

    Files directly below the folder are of the caller's own run, and of no job.
    """
    by_name = {str(cell): cell for cell in expected}
    handed = read_folder(folder, jobs=False)
    left_out: list[str] = []
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        if place.name in _NOBODYS:
            continue
        job = place.name.removeprefix(ARTIFACT)
        cells = assignment.jobs.get(job) if assignment and place.name.startswith(ARTIFACT) else None
        if cells is None or place.is_symlink():
            left_out.append(f"'{printable(place.name)[:100]}': no cells were handed out to it")
            continue
        assigned = {
            by_name[name]
            for name, key in cells.items()
            if name in by_name and expected[by_name[name]].keys.score == key
        }
        both = read_cells(place, assigned)
        further = _cells_of_datasets(both, expected, snapshot, now, adopted) - assigned
        if further:
            both = read_cells(place, assigned | further)
        for cell, versions in both.records.items():
            if cell not in handed.records:
                handed.records[cell] = versions
                pages = [path for path in cell.page_paths if path in both.pages]
                handed.pages.update({path: both.pages[path] for path in pages})
        handed.malformed.extend(both.malformed)
        left_out += _others(place, job, assigned | further)
    return handed, left_out


def _cells_of_datasets(
    files: Upload,
    expected: Mapping[CellId, Cell],
    snapshot: Snapshot,
    now: dt.datetime,
    adopted: Mapping[CellId, Accepted],
) -> set[CellId]:
    """Cells that exist since a job's own records accept data sets: it ran them, too."""
    accepted = check(files, expected, now).accepted
    if not any(expected[cell].task.is_check for cell in accepted):
        return set()
    records = {cell: item.record for cell, item in {**adopted, **accepted}.items()}
    return {item.cell.id for item in cells_of_new_tasks(snapshot, records, now, WITHOUT_LEDGER)[1]}


def _others(place: Path, job: str, cells: Collection[CellId]) -> list[str]:
    """Report once that a job handed in more than was handed out to it."""
    handed_in = read_folder(place, jobs=False)
    for cell in handed_in.records:
        if cell not in cells:
            return [f"{printable(str(cell))[:300]}: no such cell was handed out to the job '{job}'"]
    return []


def hand_in_folder(start: Path, folder: Path, remote: str) -> tuple[str, int]:
    """Push the records below a folder for a collector to take; returns reference and number."""
    files: dict[str, bytes] = {}
    handed = Upload()
    for place in (folder, *sorted(folder.iterdir())):
        if place.is_dir() and not place.is_symlink():
            for path, content in raw_files(place, handed, as_it_is=True).items():
                files[path] = _union(path, files[path], content) if path in files else content
    closed = sum(path.endswith(f".json{SUFFIX}") for path in files)
    handed.add(files)
    count = closed + len(handed.records)
    if not count:
        raise UsageError(f"there is no record below {folder}", hint="`pullbench run --output`")
    return hand_in(open_repository(start), remote, files), count


def _union(path: str, first: bytes, second: bytes) -> bytes:
    """Return the file of two jobs that each handed in some of its lines."""
    try:
        if place_of(path) is not None:
            return encode(merged(decode(first), decode(second)))
        if place_of_logs(path) is not None:
            return encode_logs({**decode_logs(first), **decode_logs(second)}) or b""
    except ValueError:
        pass  # the collector reports what is wrong with it
    return second
