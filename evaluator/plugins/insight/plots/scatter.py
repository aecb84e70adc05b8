"""Submissions as points of a field: one by one, or as a density with the best in front."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from evaluator.core.errors import counted
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_MARKS
from evaluator.plugins.insight.plots.frame import BOTTOM, LEFT, TOP
from evaluator.plugins.insight.plots.labels import draw_labels
from evaluator.plugins.insight.plots.marks import OTHER, Kind, Mark, draw_marks, legend
from evaluator.plugins.insight.plots.svg import Drawing

FIRST = 100
"""Submissions of the board that are drawn one by one where the others are a density."""
LABEL_ALL = 24
"""Submissions up to which all are named and not only the best."""


def draw_scatter(
    drawing: Drawing,
    board: BoardEntries,
    marks: Sequence[Mark],
    *,
    best: str,
    line: str,
    corners: Sequence[tuple[float, float]],
    right: float,
) -> tuple[list[Mark], tuple[str, ...]]:
    """Draw points with their names and a legend.

    ``best`` is what the best are called, ``line`` what their line is, ``corners`` where it goes.
    Returns the points that are drawn one by one, in their order, and what must be said of the
    others.
    """  # fmt: skip
    descriptions: tuple[str, ...] = ()
    chosen = list(marks)
    if len(marks) > MAX_MARKS:
        most = draw_density(drawing, ((mark.x, mark.y) for mark in marks))
        chosen = _first(marks)
        descriptions = (
            f"Of {counted(len(marks), board.nouns)} {len(chosen):,} are drawn one by one: "
            f"{best}, baselines and the first {FIRST} of the board; all are in the shading, of "
            f"which the darkest squares hold up to {most:,}.",
        )
    drawn = draw_marks(drawing, chosen)
    names: dict[Kind, str] = {
        "other": board.nouns, "best": best, "baseline": "baseline",
        "reported": "reported, not reproduced",
    }  # fmt: skip
    kinds = {mark.kind for mark in drawn}
    shown: list[tuple[Kind | Literal["line"], str]] = [
        (kind, name) for kind, name in names.items() if kind in kinds
    ]  # fmt: skip
    if "best" in kinds:
        shown.append(("line", line))
    legend(drawing, shown, LEFT, 14)
    named = [m for m in reversed(drawn) if m.kind in ("best", "baseline")]
    if len(drawn) <= LABEL_ALL:
        others = (m for m in drawn if m.kind not in ("best", "baseline"))
        named += sorted(others, key=lambda mark: mark.x)
    draw_labels(
        drawing, [(m.x, m.y, board.rows[m.entry].submission.title) for m in named],
        [(m.x, m.y) for m in drawn], (LEFT + 2, TOP, right, BOTTOM), corners,
    )  # fmt: skip
    return drawn, descriptions


def _first(marks: Sequence[Mark]) -> list[Mark]:
    front = [mark for mark in marks if mark.kind in ("best", "baseline")]
    seen = {mark.entry for mark in front}
    others = sorted((m for m in marks if m.entry not in seen), key=lambda mark: mark.entry)[:FIRST]
    return [*front[-MAX_MARKS + FIRST :], *others]


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
