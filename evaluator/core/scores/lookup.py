"""Where the last run wrote its records."""

from collections.abc import Iterable
from pathlib import Path

from evaluator.core.formats.cell import CellId
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
    has_it = folder.is_absolute() and folder.is_dir() and below(name, records_in(folder))
    return folder if has_it else None


def below(name: str, cells: Iterable[CellId]) -> list[CellId]:
    name = name.strip("/").removeprefix("submissions/")
    return [cell for cell in cells if f"{cell}/".startswith(f"{name}/")]
