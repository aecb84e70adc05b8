"""What jobs hand in, each for its own cells: a folder ``records-<job>`` is that job's artifact."""

import datetime as dt
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluator.errors import printable
from evaluator.formats.cell import CellId
from evaluator.formats.envelopes import SUFFIX
from evaluator.planning.assignments import HandedOut
from evaluator.planning.plan import Cell, opened
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.validation import Accepted, Handed, check, read_cells, read_folder

ARTIFACT = "records-"
"""Begins the name of a job's artifact. What bears it alone is the workflow's: a lone artifact would
be unpacked without its name, and nobody knew whose it is."""
_NOBODYS = ("submissions", ARTIFACT)


def read_artifacts(
    folder: Path,
    given: HandedOut | None,
    expected: Mapping[CellId, Cell],
    taken: Snapshot,
    now: dt.datetime,
    known: Mapping[CellId, Accepted],
) -> tuple[Handed, list[str]]:
    """Read what jobs handed in and was handed out to them; say why the rest is left out.

    What lies directly below the folder is of a run by whoever calls this, and of no job.
    """
    by_name = {str(cell): cell for cell in expected}
    handed: dict[str, list[bytes]] = dict(read_folder(folder, jobs=False))
    left_out: list[str] = []
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        if place.name in _NOBODYS:
            continue
        job = place.name.removeprefix(ARTIFACT)
        cells = given.jobs.get(job) if given and place.name.startswith(ARTIFACT) else None
        if cells is None or place.is_symlink():
            left_out.append(f"'{printable(place.name)[:100]}': no cells were handed out to it")
            continue
        assigned = {
            by_name[name]
            for name, key in cells.items()
            if name in by_name and expected[by_name[name]].keys.score == key
        }
        files = dict(read_cells(place, assigned))
        files |= read_cells(place, _opened_by(files, expected, taken, now, known) - assigned)
        for path, contents in files.items():
            if path not in handed:
                handed[path] = contents
        left_out += _others(place, job, files)
    return handed, left_out


def _opened_by(
    files: Handed,
    expected: Mapping[CellId, Cell],
    taken: Snapshot,
    now: dt.datetime,
    known: Mapping[CellId, Accepted],
) -> set[CellId]:
    """Cells that exist since a job's own records accept data sets: it ran them, too."""
    accepted = check(files, expected, now).accepted
    if not any(expected[cell].task.is_check for cell in accepted):
        return set()
    records = {cell: item.content for cell, item in {**known, **accepted}.items()}
    return {item.cell.id for item in opened(taken, records, now)[1]}


def _others(place: Path, job: str, files: Iterable[str]) -> list[str]:
    """Say that a job handed in more than was handed out to it, once."""
    taken = set(files)
    for path in place.glob("submissions/*/*/*/scores/*/*"):
        name = path.relative_to(place).as_posix().removesuffix(SUFFIX)
        if name not in taken:
            return [f"{printable(name)[:300]}: no such cell was handed out to the job '{job}'"]
    return []
