"""Outlines of many records, or of those that an earlier build has not left."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec.structs import force_setattr

from evaluator.formats.cell import CellId
from evaluator.formats.outline import NO_CELL, Outline, outline
from evaluator.formats.record_json import from_json
from evaluator.planning.kept import Kept

FEW = 5000
"""Records that one process reads sooner than two."""


def read_outlines(
    files: Sequence[tuple[str, CellId]],
    contents: Callable[[Sequence[CellId]], Iterable[bytes]],
    folder: Path | None,
) -> list[Outline | None]:
    """Return the outlines of records, in order; None for what is none.

    ``files`` are contents' ids with cells; ``contents`` reads those that are not in the folder.
    """

    def make(places: Sequence[int]) -> list[Outline | None]:
        cells = [files[place][1] for place in places]
        return [_outlined(content) for content in contents(cells)]

    kept = Kept[Outline | None](folder=folder, make=make, kind=Outline | None, few=FEW)
    owners = [f"{cell.benchmark}/{cell.participant}" for _, cell in files]
    return kept.read(owners, [blob for blob, _ in files])


def _outlined(content: bytes) -> Outline | None:
    try:
        found = outline(from_json(content))
    except ValueError:
        return None
    force_setattr(found, "cell", NO_CELL)
    return found
