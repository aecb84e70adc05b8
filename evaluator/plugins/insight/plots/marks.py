"""How submissions look in figures: a shape beside the colour of each kind, and rows of them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from evaluator.core.formats.phases import Task
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.scales import AxisScale
from evaluator.plugins.insight.plots.svg import LINE, Drawing, dot, number, text_width
from evaluator.plugins.insight.plots.wording import shown

Kind = Literal["other", "best", "baseline", "reported"]
_ORDER: tuple[Kind, ...] = ("other", "reported", "baseline", "best")
"""From the back to the front."""


def kind_of(group: Literal["submission", "baseline", "reported"], *, best: bool) -> Kind:
    return "best" if best else "other" if group == "submission" else group


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One submission in a figure."""

    entry: int
    """Its place among the board's rows."""
    kind: Kind
    x: float
    y: float
    says: str
    """Its values, in words."""


def shape(kind: Kind, x: float, y: float) -> str:
    """An element without looks, which its group has."""
    place = f"{number(x)} {number(y)}"
    if kind == "best":
        return f'<path d="M{place}m0-6l6 6-6 6-6-6z"/>'
    if kind == "baseline":
        return f'<path d="M{place}m-4.5-4.5h9v9h-9z"/>'
    if kind == "reported":
        return f'<path d="M{place}m0-5.5l5.5 9.5h-11z"/>'
    return dot(x, y)


def draw_marks(drawing: Drawing, marks: Sequence[Mark]) -> list[Mark]:
    """Draw marks, the most important in front; returns them in the order of their elements."""
    drawn: list[Mark] = []
    for kind in _ORDER:
        of_kind = [mark for mark in marks if mark.kind == kind]
        if of_kind:
            drawing.group(f"marks {kind}", (shape(kind, m.x, m.y) for m in of_kind))
            drawn += of_kind
    return drawn


def legend(
    drawing: Drawing, marks: Iterable[Kind], names: dict[Kind, str], line: str = ""
) -> float:
    """Say what each kind is, and the line if there is one; returns where the legend ends."""
    present = set(marks)
    shown: list[tuple[Kind | None, str]] = [
        (kind, name) for kind, name in names.items() if kind in present
    ]  # fmt: skip
    x, y = 10.0, 14.0
    for kind, name in [*shown, *([(None, line)] if line else [])]:
        if x > 10 and x + 12 + text_width(name) > drawing.width:
            x, y = 10.0, y + LINE + 2
        if kind is None:
            drawing.path(f"M{number(x - 6)} {number(y)}h14", "front")
        else:
            drawing.group(kind, (shape(kind, x, y),))
        drawing.text(x + 12, y + 4, name)
        x += 12 + text_width(name) + 20
    return y + 8


BIN = 4
"""Width of a step of the shape."""
HALF = 14.0
"""Its greatest height above the line."""
NEAR = 8
"""Points nearer than that would hide one another."""
MAX_BEST = 3
"""Of those that tie for the best, how many points are drawn where there is a shape."""

Values = Sequence[tuple[float, int]]
"""Values with the places of their rows, the least first."""


def strip(
    board: BoardEntries, task: Task, values: Values, scale: AxisScale, y: float
) -> list[Mark]:
    if not values:
        return []
    numbers = [value for value, _ in values]
    top = min(numbers) if board.compared.sorting == "asc" else max(numbers)
    beside: Counter[int] = Counter()
    marks = []
    for value, place in values:
        group = board.group(board.rows[place])
        kind = kind_of(group, best=value == top and group != "baseline")
        x = scale.at(value)
        near = beside[int(x // NEAR)]
        beside[int(x // NEAR)] += 1
        off = (near + 1) // 2 * 5.0 * (1 if near % 2 else -1)
        says = f"{task.name}: {shown(value, board.compared)}"
        marks.append(Mark(entry=place, kind=kind, x=x, y=y + max(-18.0, min(18.0, off)), says=says))
    return marks


def best_of(values: Values, *, lower: bool) -> Values:
    top = values[0][0] if lower else values[-1][0]
    order = values if lower else list(reversed(values))
    return [item for item in order[:MAX_BEST] if item[0] == top]


def draw_shade(drawing: Drawing, values: Values, scale: AxisScale, y: float) -> None:
    first, last = int(min(scale.start, scale.end)), int(max(scale.start, scale.end))
    edges = range(first - first % BIN, last + 2 * BIN, BIN)
    until = [
        bisect_left(range(len(values)), edge, key=lambda place: int(scale.at(values[place][0])))
        for edge in edges
    ]
    counts = [after - before for before, after in pairwise(until)]
    most = max(counts, default=0)
    bars = (
        f"M{edge} {number(y - HALF * n / most)}h{BIN}V{number(y + HALF * n / most)}h-{BIN}z"
        for edge, n in zip(edges, counts, strict=False)
        if n
    )
    drawing.path("".join(bars), "heat-4")
