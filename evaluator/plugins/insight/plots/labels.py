"""Names beside points: none over another, over a mark or over a line."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from evaluator.plugins.insight.plots.svg import Drawing, label, text_width

MAX_LABELS = 24
MAX_CROWD = 60
"""Points up to which a name may be apart from its point."""
_NEAR = ((9, 4), (-9, 4), (0, -12), (0, 19), (8, -8), (-8, -8), (8, 17), (-8, 17))
"""From a point to where its name begins, or ends: right, left, above, below, and obliquely."""
_FAR = tuple(
    (across, down)
    for across, distance in product((-14, 14, -40, 40, -80, 80), range(26, 186, 16))
    for down in (4 - distance, 4 + distance)
)
"""The same for a name that a line joins to its point: first to the left, since of points
from left to right none of these lines then meets another's name."""
Place = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def draw_labels(
    drawing: Drawing,
    wanted: Sequence[tuple[float, float, str]],
    points: Iterable[Place],
    bounds: Box,
    lines: Sequence[Sequence[Place]] = (),
) -> list[int]:
    """Write names beside their points, the most important first, and leave out what has no room.

    ``points`` and the pieces of ``lines`` are kept free, too. Where there is no room beside a
    point, its name is apart and a line leads to it.
    Returns the places in ``wanted`` of those that have no room.
    """  # fmt: skip
    points = list(points)
    occupied: list[Box] = [(x - 7, y - 7, x + 7, y + 7) for x, y in points]
    occupied += [
        (min(x, to) - 1, min(y, down) - 1, max(x, to) + 1, max(y, down) + 1)
        for line in lines for (x, y), (to, down) in pairwise(line)
    ]  # fmt: skip
    joints: list[tuple[Place, Place]] = []
    offsets = (*_NEAR, *_FAR) if len(points) <= MAX_CROWD else _NEAR
    names: list[Box] = []
    left_out: list[int] = []
    for index, (x, y, name) in enumerate(wanted):
        text = label(name)
        free = (
            one for one in (_name(x, y, offset, text_width(text)) for offset in offsets)
            if _within(one.box, bounds)
            and not any(_overlap(one.box, other) for other in (*occupied, *names))
            and not any(_crosses(joint, one.box) for joint in joints)
            and not (one.joint and any(_crosses(one.joint, box) for box in names))
        )  # fmt: skip
        place = next(free, None) if len(names) < MAX_LABELS else None
        if place is None:
            left_out.append(index)
            continue
        if place.joint:
            (left, top), (to, down) = place.joint
            drawing.line(left, top, to, down, "joint")
            joints.append(place.joint)
        drawing.text(*place.at, text, anchor=place.anchor, look="name")
        names.append(place.box)
    return left_out


@dataclass(frozen=True, kw_only=True)
class _Name:
    """Where a name may be."""

    box: Box
    at: Place
    anchor: str
    joint: tuple[Place, Place] | None
    """From the point to the name, where it is apart."""


def _name(x: float, y: float, offset: Place, width: float) -> _Name:
    dx, dy = offset
    left = x + dx if dx > 0 else x + dx - width if dx < 0 else x - width / 2
    anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
    box = (left - 1, y + dy - 11, left + width + 1, y + dy + 4)
    near_end = left - 2 if anchor == "start" else left + width + 2
    joint = ((x, y), (near_end, y + dy - 4)) if offset in _FAR else None
    return _Name(box=box, at=(x + dx, y + dy), anchor=anchor, joint=joint)


def _within(box: Box, bounds: Box) -> bool:
    return (
        bounds[0] <= box[0] and box[2] <= bounds[2] and bounds[1] <= box[1] and box[3] <= bounds[3]
    )


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _crosses(line: tuple[Place, Place], box: Box) -> bool:
    """Whether a straight line passes a box, looked at every two units."""
    (x, y), (to, down) = line
    steps = math.ceil(math.dist(*line) / 2)
    shares = (step / steps for step in range(1, steps + 1))
    return any(
        box[0] <= x + (to - x) * share <= box[2] and box[1] <= y + (down - y) * share <= box[3]
        for share in shares
    )
