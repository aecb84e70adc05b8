"""One row of scores: points beside one another, or the shape of how many there are."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from evaluator.core.formats.phases import Task
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.marks import OTHER, Kind, Mark
from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import Drawing, number
from evaluator.plugins.insight.plots.wording import shown

BIN = 4
"""Width of a step of the shape."""
HALF = 14.0
"""Its greatest height above the line."""
NEAR = 8
"""Points nearer than that would hide one another."""
MAX_BEST = 3
"""Of those that tie for the best, how many points are drawn where there is a shape."""

Values = Sequence[tuple[float, int]]
"""Values with the places of their entries, the least first."""


def strip(board: BoardEntries, task: Task, values: Values, scale: Scale, y: float) -> list[Mark]:
    """Return the points of a row, neighbours above and below its line in turn."""
    if not values:
        return []
    numbers = [value for value, _ in values]
    top = min(numbers) if board.compared.sorting == "asc" else max(numbers)
    beside: Counter[int] = Counter()
    marks = []
    for value, place in values:
        group = board.entries[place].group
        kind: Kind = "other" if group == "submission" else group
        if value == top and group != "baseline":
            kind = "best"
        x = scale.at(value)
        near = beside[int(x // NEAR)]
        beside[int(x // NEAR)] += 1
        off = (near + 1) // 2 * 5.0 * (1 if near % 2 else -1)
        says = f"{task.name}: {shown(value, board.compared)}"
        marks.append(Mark(entry=place, kind=kind, x=x, y=y + max(-18.0, min(18.0, off)), says=says))
    return marks


def best_of(values: Values, *, lower: bool) -> Values:
    """Return the best, all that tie up to a limit."""
    top = values[0][0] if lower else values[-1][0]
    order = values if lower else list(reversed(values))
    return [item for item in order[:MAX_BEST] if item[0] == top]


def draw_shade(drawing: Drawing, values: Values, scale: Scale, y: float) -> None:
    """Draw how many values there are along a row."""
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
    drawing.path("".join(bars), fill=OTHER, opacity=0.45)
