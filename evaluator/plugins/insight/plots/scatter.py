"""Points of a field with two axes: one by one, or as a density with the best in front."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from evaluator.plugins.insight.plots.axes import level, polyline, steps, upright
from evaluator.plugins.insight.plots.labels import Place, draw_labels
from evaluator.plugins.insight.plots.marks import Kind, Mark, draw_marks, legend
from evaluator.plugins.insight.plots.scales import AxisScale, make_scale
from evaluator.plugins.insight.plots.svg import LINE, NARROW, WIDE, Drawing

MAX_MARKS = 2000
"""Submissions that are drawn one by one."""
FIRST = 100
"""Submissions of the board that are drawn one by one where the others are a density."""
LABEL_ALL = 24
"""Submissions up to which all are named and not only the best."""
GUTTER = 76.0
"""Room at the right for what has no place on the level axis."""


class ScatterPoint(msgspec.Struct, frozen=True, kw_only=True):
    """One submission with its values."""

    entry: int
    """Its place among the board's rows."""
    kind: Kind
    x: float | None
    y: float
    name: str
    says: str = ""
    shown: str = ""
    """Its value on the upright axis, which is written where the axis does not reach it."""


@dataclass(frozen=True, kw_only=True)
class Level:
    """The axis at the foot."""

    name: str
    make: Callable[[float, float], AxisScale]
    """A scale between two places."""
    ticks: Callable[[AxisScale], list[tuple[float, str]]]
    without: str = ""
    """What points without a value there lack."""


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """What is drawn of points."""

    points: Sequence[ScatterPoint]
    kinds: dict[Kind, str]
    """How the legend names them."""
    up_name: str
    level: Level
    line: Sequence[tuple[float, float]]
    """Values through which the line of the best goes, from left to right."""
    line_name: str

    @property
    def single(self) -> Sequence[ScatterPoint]:
        """Points that are drawn one by one."""
        if len(self.points) <= MAX_MARKS:
            return self.points
        front = [point for point in self.points if point.kind in ("best", "baseline")]
        seen = {point.entry for point in front}
        others = sorted((p for p in self.points if p.entry not in seen), key=lambda p: p.entry)
        return [*front[-MAX_MARKS + FIRST :], *others[:FIRST]]

    @property
    def outside(self) -> int:
        """How many points are too far up or down for the picture."""
        return make_scale([point.y for point in self.points], 0, 1)[1]

    def draw(self, title: str, description: str) -> tuple[tuple[Drawing, ...], list[Mark], int]:
        """The drawings, the marks of the first, and how many the darkest square holds."""
        drawn = [self._draw(Drawing(title, description, width=one)) for one in (WIDE, NARROW)]
        return tuple(one for one, *_ in drawn), drawn[0][1], drawn[0][2]

    def _draw(self, drawing: Drawing) -> tuple[Drawing, list[Mark], int]:
        kinds = (point.kind for point in self.points)
        top = legend(drawing, kinds, self.kinds, self.line_name if self.line else "") + LINE + 12
        left, right = 62.0, drawing.width - 12
        foot = top + (300 if drawing.is_wide else 250)
        apart = any(point.x is None for point in self.points)
        end = right - GUTTER if apart else right
        contenders = [point.y for point in self.points if point.kind != "baseline"]
        up, _ = make_scale([point.y for point in self.points], foot, top, contenders=contenders)
        across = self.level.make(left, end)
        upright(drawing, up, self.up_name, left, right)
        if apart:
            drawing.line(end + 8, top, end + 8, foot, "break")
            drawing.text(end + 14, foot - 6, self.level.without, look="muted")
        level(drawing, across, self.level.ticks(across), self.level.name, top, foot)
        lines: list[list[Place]] = []
        for point in self.points:
            if point.kind == "baseline" and up.low <= point.y <= up.high:
                lines.append([(left, up.at(point.y)), (end, up.at(point.y))])
                drawing.path(polyline(lines[-1]), "reference")
        if self.line:
            places = [(across.at(x), up.at(y)) for x, y in self.line]
            lines.append(steps(places, end))
            drawing.path(polyline(lines[-1]), "front")

        def place(point: ScatterPoint) -> Mark:
            x = (end + right) / 2 + 6 if point.x is None else across.at(point.x)
            return Mark(entry=point.entry, kind=point.kind, x=x, y=up.at(point.y), says=point.says)

        most = 0
        if len(self.points) > MAX_MARKS:
            most = draw_density(drawing, ((one.x, one.y) for one in map(place, self.points)))
        single = self.single
        drawn = draw_marks(drawing, [place(point) for point in single])
        self._name(drawing, [(point, place(point)) for point in single], up, lines,
                   (left + 2, top - 4, right, foot - (LINE if apart else 0)))  # fmt: skip
        return drawing, drawn, most

    def _name(
        self,
        drawing: Drawing,
        placed: Sequence[tuple[ScatterPoint, Mark]],
        up: AxisScale,
        lines: Sequence[Sequence[Place]],
        bounds: tuple[float, float, float, float],
    ) -> None:
        """Name the best and the baselines, and all where they are few."""
        first = [one for kind in ("best", "baseline") for one in placed if one[0].kind == kind]
        rest = [one for one in placed if one[0].kind not in ("best", "baseline")]
        wanted = [
            (mark.x, mark.y, point.name if up.low <= point.y <= up.high
             else f"{point.name} {point.shown}")
            for point, mark in
            [*first, *(sorted(rest, key=lambda one: one[1].x) if len(placed) <= LABEL_ALL else ())]
        ]  # fmt: skip
        marks = [(mark.x, mark.y) for _, mark in placed]
        free = [*lines, *([(bounds[0], y), (bounds[2], y)] for y, _ in up.breaks)]
        draw_labels(drawing, wanted, marks, bounds, free)


SIZE = 8
LEVELS = 5


def draw_density(drawing: Drawing, places: Iterable[tuple[float, float]]) -> int:
    """Draw squares of five strengths, logarithmic in the number of points; returns the most."""
    counts = Counter((int(x // SIZE), int(y // SIZE)) for x, y in places)
    most = max(counts.values(), default=0)
    levels: dict[int, list[str]] = {}
    for (column, row), count in sorted(counts.items()):
        share = math.log(count + 1) / math.log(most + 1)
        strength = max(1, math.ceil(share * LEVELS))
        square = f"M{column * SIZE} {row * SIZE}h{SIZE}v{SIZE}h-{SIZE}z"
        levels.setdefault(strength, []).append(square)
    for strength, squares in sorted(levels.items()):
        drawing.path("".join(squares), f"heat-{strength}")
    return most
