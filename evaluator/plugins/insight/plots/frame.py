"""The field of a figure with two axes."""

from collections.abc import Sequence

from evaluator.core.formats.columns import Column
from evaluator.plugins.insight.plots.marks import GRID
from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import MUTED, Drawing, number
from evaluator.plugins.insight.plots.wording import text_width

WIDTH, HEIGHT = 640.0, 380.0
LEFT, TOP, RIGHT, BOTTOM = 64.0, 46.0, 624.0, 332.0
"""The field; above it stand the legend and the name of the upright axis."""


def field_drawing(title: str, description: str) -> Drawing:
    return Drawing(title, description, height=HEIGHT, width=WIDTH, natural=True)


def axis_name(column: Column) -> str:
    return f"{column.title} ({'lower' if column.sorting == 'asc' else 'higher'} is better)"


def upright(drawing: Drawing, scale: Scale, name: str, right: float = RIGHT) -> None:
    texts = short_texts(scale.ticks())
    for tick, text in texts:
        y = scale.at(tick)
        drawing.line(LEFT, y, right, y, stroke=GRID)
        drawing.text(LEFT - 8, y + 4, text, anchor="end", fill=MUTED, size=11)
    drawing.text(8, TOP - 10, name, fill=MUTED, size=11)


def level(drawing: Drawing, ticks: Sequence[tuple[float, str]], scale: Scale, name: str) -> None:
    """Draw the axis at the foot; labels that would touch are left out."""
    end = -1e9
    for tick, text in ticks:
        x = scale.at(tick)
        drawing.line(x, TOP, x, BOTTOM, stroke=GRID)
        half = text_width(text, 11) / 2
        middle = min(x, WIDTH - half - 2)
        if middle - half > end + 6:
            drawing.text(middle, BOTTOM + 16, text, anchor="middle", fill=MUTED, size=11)
            end = middle + half
    drawing.path(f"M{number(LEFT)} {number(TOP)}V{number(BOTTOM)}H{number(RIGHT)}", stroke=MUTED)
    drawing.text((LEFT + RIGHT) / 2, BOTTOM + 36, name, anchor="middle", fill=MUTED, size=11)


def short_texts(ticks: Sequence[float]) -> list[tuple[float, str]]:
    for digits in range(3, 16):
        texts = [f"{tick:.{digits}g}" for tick in ticks]
        if len(set(texts)) == len(texts):
            break
    return [
        (tick, f"{tick:g}" if 1e-4 <= abs(tick) < 1e6 and float(f"{tick:g}") == float(text)
         else text)
        for tick, text in zip(ticks, texts, strict=True)
    ] if ticks else []  # fmt: skip


def steps(places: Sequence[tuple[float, float]], end: float | None = None) -> str:
    """Return a path that goes level, then upright, from point to point, and on to ``end``."""
    x, y = places[0]
    parts = [f"M{number(x)} {number(y)}"]
    parts += [f"H{number(x)}V{number(y)}" for x, y in places[1:]]
    if end is not None:
        parts.append(f"H{number(end)}")
    return "".join(parts)
