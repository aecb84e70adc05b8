"""Names beside points, without one over another."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from evaluator.plots.svg import Drawing
from evaluator.plots.wording import label, text_width

MAX_LABELS = 24
_Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def draw_labels(
    drawing: Drawing,
    wanted: Sequence[tuple[float, float, str]],
    points: Iterable[_Box | tuple[float, float]],
    bounds: _Box,
    line: Sequence[tuple[float, float]] = (),
) -> int:
    """Write names beside their points, the most important first, and leave out what has no room.

    ``points`` and the corners of a line of level and upright pieces, ``line``, are kept free, too.
    Returns the number of names that were written.
    """  # fmt: skip
    occupied = [box if len(box) == 4 else _around(*box) for box in points]
    for (x, y), (to, down) in pairwise(line):
        occupied += [_piece(x, y, to, y), _piece(to, y, to, down)]
    written = 0
    for x, y, name in wanted:
        text = label(name)
        width = text_width(text)
        for box, anchor, place in _places(x, y, width):
            inside = (
                bounds[0] <= box[0] and box[2] <= bounds[2]
                and bounds[1] <= box[1] and box[3] <= bounds[3]
            )  # fmt: skip
            if inside and not any(_overlap(box, other) for other in occupied):
                drawing.text(*place, text, anchor=anchor, halo="var(--pb-plot-back, #fff)")
                occupied.append(box)
                written += 1
                break
        if written == MAX_LABELS:
            break
    return written


def _around(x: float, y: float) -> _Box:
    return (x - 4, y - 4, x + 4, y + 4)


def _piece(x: float, y: float, to: float, down: float) -> _Box:
    return (min(x, to) - 1, min(y, down) - 1, max(x, to) + 1, max(y, down) + 1)


def _places(x: float, y: float, width: float) -> list[tuple[_Box, str, tuple[float, float]]]:
    """Return where a text may stand: right, left, above, below, and obliquely."""
    places = []
    for dx, dy in ((8, 4), (-8, 4), (0, -9), (0, 18), (7, -8), (-7, -8), (7, 17), (-7, 17)):
        left = x + dx if dx > 0 else x + dx - width if dx < 0 else x - width / 2
        anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
        top = y + dy - 10
        places.append(((left, top, left + width, top + 13), anchor, (x + dx, y + dy)))
    return places


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
