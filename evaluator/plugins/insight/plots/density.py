"""Many points as a density: squares that are the darker the more stand in them."""

import math
from collections import Counter
from collections.abc import Iterable

from evaluator.plugins.insight.plots.marks import OTHER
from evaluator.plugins.insight.plots.svg import Drawing

SIZE = 8
LEVELS = 5


def draw_density(drawing: Drawing, places: Iterable[tuple[float, float]]) -> int:
    """Draw squares of five strengths, logarithmic in the number of points; returns the most."""
    counts = Counter((int(x // SIZE), int(y // SIZE)) for x, y in places)
    most = max(counts.values(), default=0)
    levels: dict[int, list[str]] = {}
    for (column, row), count in sorted(counts.items()):
        share = math.log(count + 1) / math.log(most + 1)
        level = max(1, math.ceil(share * LEVELS))
        square = f"M{column * SIZE} {row * SIZE}h{SIZE}v{SIZE}h-{SIZE}z"
        levels.setdefault(level, []).append(square)
    for level, squares in sorted(levels.items()):
        drawing.path("".join(squares), fill=OTHER, opacity=0.15 + 0.15 * level)
    return most
