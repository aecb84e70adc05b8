"""What figures stand on: axes with their names and breaks, rows of one thing each, and a map."""

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from evaluator.core.formats.columns import Column
from evaluator.plugins.insight.plots.marks import Mark
from evaluator.plugins.insight.plots.scales import AxisScale
from evaluator.plugins.insight.plots.svg import LINE, Drawing, label, number, text_width
from evaluator.plugins.insight.statistics.boxes import Spread


def axis_name(column: Column) -> str:
    return f"{column.title} ({'lower' if column.sorting == 'asc' else 'higher'} is better)"


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


def upright(drawing: Drawing, scale: AxisScale, name: str, left: float, right: float) -> None:
    for tick, text in short_texts(scale.ticks()):
        drawing.line(left, scale.at(tick), right, scale.at(tick), "grid")
        drawing.text(left - 8, scale.at(tick) + 4, text, anchor="end", look="muted")
    for y, _ in scale.breaks:
        drawing.line(left - 6, y, right, y, "break")
    drawing.path(f"M{number(left)} {number(scale.start)}V{number(scale.end)}", "axis")
    drawing.text(4, min(scale.start, scale.end, *(y for _, y in scale.breaks)) - 14, name,
                 look="muted")  # fmt: skip


def level(
    drawing: Drawing,
    scale: AxisScale,
    ticks: Sequence[tuple[float, str]],
    name: str,
    top: float,
    foot: float,
    beyond: str = "",
) -> None:
    """Draw the axis at the foot, without labels that would touch; ``beyond`` is past a break."""
    end = -1e9
    shown = [(edge, beyond) for _, edge in scale.breaks] if beyond else []
    for x, text in sorted([*((scale.at(tick), text) for tick, text in ticks), *shown]):
        if (x, text) not in shown:
            drawing.line(x, top, x, foot, "grid")
        half = text_width(text) / 2
        middle = max(min(x, drawing.width - half - 2), half + 2)
        if middle - half > end + 6:
            drawing.text(middle, foot + 16, text, anchor="middle", look="muted")
            end = middle + half
    for x, _ in scale.breaks:
        drawing.line(x, top, x, foot + 4, "break")
    drawing.path(f"M{number(scale.start)} {number(foot)}H{number(scale.end)}", "axis")
    drawing.height = foot + 20
    for line in textwrap.wrap(name, int(drawing.width / 7.5)):
        drawing.height += LINE
        x = (scale.start + scale.end) / 2
        half = text_width(line) / 2
        x = max(min(x, drawing.width - half - 2), half + 2)
        drawing.text(x, drawing.height - 4, line, anchor="middle", look="muted")
    drawing.height += 4


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Rows of a name, left of wide figures and above in narrow ones, a drawing and a remark."""

    drawing: Drawing
    top: float
    height: float
    """Of one row."""
    left: float
    right: float

    def middle(self, index: int) -> float:
        """Where the marks of a row are."""
        above = 0 if self.drawing.is_wide else LINE
        return self.top + self.height * index + above + (self.height - above) / 2

    def foot(self, count: int) -> float:
        return self.top + self.height * count

    def name(self, index: int, name: str, remark: str = "") -> None:
        y, drawing = self.middle(index), self.drawing
        if drawing.is_wide:
            drawing.text(self.left - 12, y + 4, label(name, 20), anchor="end")
            drawing.text(self.right + 12, y + 4, remark, look="muted")
            return
        y = self.top + self.height * index + 13
        room = drawing.width - text_width(remark) - 20
        limit = max(10, int(room / 8))
        drawing.text(4, y, label(name, limit))
        drawing.text(drawing.width - 4, y, remark, anchor="end", look="muted")


def make_rows(drawing: Drawing, top: float, height: float, remarks: Iterable[str] = ()) -> Rows:
    """Rows of which each has a ``height`` beside what is written above it."""
    if drawing.is_wide:
        right = drawing.width - 24 - max(map(text_width, remarks), default=0.0)
        return Rows(drawing=drawing, top=top, height=height, left=176, right=right)
    right = drawing.width - 12
    return Rows(drawing=drawing, top=top, height=height + LINE, left=12, right=right)


def draw_box(drawing: Drawing, scale: AxisScale, box: Spread, y: float, half: float) -> None:
    """Draw the middle half of values as a box, and whiskers, with the median."""
    low, high = min(box.low, box.q1), max(box.high, box.q3)
    drawing.line(scale.at(low), y, scale.at(high), y, "whisker")
    q1, q3 = scale.at(box.q1), scale.at(box.q3)
    drawing.box(q1, y - half, max(q3 - q1, 1), half * 2, "middle")
    drawing.line(scale.at(box.median), y - half, scale.at(box.median), y + half, "median")


CELL = 34.0
"""Width of a square of a map at most."""
ROW = 22.0
SLANT = 40
"""Degrees at which names of columns rise."""


class Square(msgspec.Struct, frozen=True, kw_only=True):
    """One square of a map."""

    row: int
    column: int
    text: str
    level: int | None
    """How dark it is, from 0 to 5; None is no square."""
    says: str


def draw_map(
    drawing: Drawing, rows: Sequence[str], columns: Sequence[str], squares: Sequence[Square]
) -> tuple[Drawing, list[Mark]]:
    """Draw squares and their numbers, named above or by a key; return their marks."""
    names = [label(name, 22 if drawing.is_wide else 12) for name in rows]
    heads = [label(name, 18) for name in columns]
    left = max(map(text_width, names)) + 12
    longest = max(map(text_width, heads))
    room = drawing.width - left - 4
    turn = SLANT if drawing.is_wide and (room - longest * 0.77) / len(heads) >= 20 else 90
    cell = min(CELL, (room - (longest * 0.77 if turn == SLANT else 0)) / len(heads))
    named = cell >= 15
    top = longest * math.sin(math.radians(turn)) + 14 if named else 22.0
    for column, head in enumerate(heads):
        x = left + cell * (column + 0.5)
        if named:
            drawing.text(x + (4 if turn == 90 else 0), top - 8, head, turn=turn)
        elif column == 0 or (column + 1) % 5 == 0:
            drawing.text(x, top - 6, str(column + 1), anchor="middle", look="muted")
    for row, name in enumerate(names):
        drawing.text(left - 8, top + ROW * row + 15, name, anchor="end")
    gap = 2 if cell >= 10 else 0.5
    wide_text = max((text_width(square.text) for square in squares), default=0)
    paths: dict[str, list[str]] = {}
    marks: list[Mark] = []
    shapes: list[str] = []
    for square in squares:
        x, y = left + cell * square.column, top + ROW * square.row
        wide = number(cell - gap)
        box = f"M{number(x)} {number(y)}h{wide}v{number(ROW - 2)}h-{wide}z"
        middle = x + (cell - gap) / 2
        if square.level is None:
            if wide_text < cell:
                drawing.text(middle, y + 15, square.text, anchor="middle", look="muted")
            continue
        paths.setdefault(f"heat-{square.level}", []).append(box)
        marks.append(Mark(entry=square.row, kind="other", x=middle, y=y + 10, says=square.says))
        text = f'<text x="{number(middle)}" y="{number(y + 14)}">{square.text}</text>'
        shapes.append(text if wide_text < cell else f'<path d="{box}"/>')
    for look, boxes in sorted(paths.items()):
        drawing.path("".join(boxes), look)
    drawing.group("marks ranks", shapes)
    drawing.rows = f"{number(top)} {number(ROW)}"
    drawing.height = top + ROW * len(names) + 8
    if not named:
        across = int(drawing.width // 168)
        for index in range(len(heads)):
            line, place = divmod(index, across)
            drawing.text(4 + 168 * place, drawing.height + LINE * (line + 1) - 4,
                         f"{index + 1} {label(columns[index], 14)}", look="muted")  # fmt: skip
        drawing.height += LINE * -(-len(heads) // across) + 4
    return drawing, marks


def steps(
    places: Sequence[tuple[float, float]], end: float | None = None
) -> list[tuple[float, float]]:
    """The corners of a line that goes level, then upright, and on to ``end``."""
    corners = [places[0]]
    for x, y in places[1:]:
        corners += [(x, corners[-1][1]), (x, y)]
    return corners if end is None else [*corners, (end, corners[-1][1])]


def polyline(places: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)
