"""Names beside points, without one over another."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from evaluator.plugins.insight.plots.svg import MUTED, Drawing
from evaluator.plugins.insight.plots.wording import label, text_width

MAX_LABELS = 24
MAX_CROWD = 60
"""Points up to which a name may stand apart from its point."""
_NEAR = ((8, 4), (-8, 4), (0, -9), (0, 18), (7, -8), (-7, -8), (7, 17), (-7, 17))
"""From a point to where its name begins, or ends: right, left, above, below, and obliquely."""
_FAR = tuple(
    (across, down)
    for across, distance in product((-14, 14, -40, 40), range(26, 122, 16))
    for down in (4 - distance, 4 + distance)
)
"""The same for a name that a line joins to its point: first to the left, since of points
from left to right none of these lines then meets another's name."""
_Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_Line = tuple[tuple[float, float], tuple[float, float]]


def draw_labels(
    drawing: Drawing,
    wanted: Sequence[tuple[float, float, str]],
    points: Iterable[_Box | tuple[float, float]],
    bounds: _Box,
    line: Sequence[tuple[float, float]] = (),
) -> list[int]:
    """Write names beside their points, the most important first, and leave out what has no room.

    ``points`` and, as far as there is room, the level and upright pieces between the corners of
    ``line`` are kept free, too. Where there is no room beside a point, its name stands apart and a
    line leads to it.
    Returns the places in ``wanted`` of those that have no room.
    """  # fmt: skip
    occupied = [box if len(box) == 4 else _around(*box) for box in points]
    pieces: list[_Box] = []
    for (x, y), (to, down) in pairwise(line):
        pieces += [_piece(x, y, to, y), _piece(to, y, to, down)]
    names: list[_Box] = []
    joints: list[_Line] = []
    offsets = (*_NEAR, *_FAR) if len(occupied) <= MAX_CROWD else _NEAR
    left_out: list[int] = []
    for index, (x, y, name) in enumerate(wanted):
        if len(names) == MAX_LABELS:
            left_out += range(index, len(wanted))
            break
        text = label(name)
        places = (_place(x, y, offset, text_width(text)) for offset in offsets)
        place = next(
            (one for one in places
             if _within(one.box, bounds)
             and not any(_overlap(one.box, other) for other in (*occupied, *names))
             and (one.joint or not any(_overlap(one.box, piece) for piece in pieces))
             and not any(_crosses(joint, one.box) for joint in joints)
             and not (one.joint and any(_crosses(one.joint, box) for box in names))),
            None,
        )  # fmt: skip
        if place is None:
            left_out.append(index)
            continue
        if place.joint:
            (left, top), (to, down) = place.joint
            drawing.line(left, top, to, down, stroke=MUTED, width=0.75)
            joints.append(place.joint)
        drawing.text(*place.at, text, anchor=place.anchor, halo="var(--pb-plot-back, #fff)")
        names.append(place.box)
    return left_out


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where a name may stand."""

    box: _Box
    at: tuple[float, float]
    anchor: str
    joint: "_Line | None"
    """From the point to the name, where it stands apart."""


def _place(x: float, y: float, offset: tuple[float, float], width: float) -> _Place:
    dx, dy = offset
    left = x + dx if dx > 0 else x + dx - width if dx < 0 else x - width / 2
    anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
    box = (left, y + dy - 10, left + width, y + dy + 3)
    near_end = left - 2 if anchor == "start" else left + width + 2
    joint = ((x, y), (near_end, y + dy - 4)) if offset in _FAR else None
    return _Place(box=box, at=(x + dx, y + dy), anchor=anchor, joint=joint)


def _around(x: float, y: float) -> _Box:
    return (x - 4, y - 4, x + 4, y + 4)


def _piece(x: float, y: float, to: float, down: float) -> _Box:
    return (min(x, to) - 1, min(y, down) - 1, max(x, to) + 1, max(y, down) + 1)


def _within(box: _Box, bounds: _Box) -> bool:
    return (
        bounds[0] <= box[0] and box[2] <= bounds[2] and bounds[1] <= box[1] and box[3] <= bounds[3]
    )


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _crosses(line: _Line, box: _Box) -> bool:
    """Whether a straight line passes a box, looked at every two units."""
    (x, y), (to, down) = line
    steps = math.ceil(math.dist(*line) / 2)
    shares = (step / steps for step in range(1, steps + 1))
    return any(
        box[0] <= x + (to - x) * share <= box[2] and box[1] <= y + (down - y) * share <= box[3]
        for share in shares
    )
