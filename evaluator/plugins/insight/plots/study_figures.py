"""Figures of the analysis: one method to a row."""

import math
from collections.abc import Mapping

from evaluator.plugins.insight.plots.frame import steps
from evaluator.plugins.insight.plots.labels import draw_labels
from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import (
    ACCENT,
    FAILED,
    LINE,
    MUTED,
    WIDTH,
    Drawing,
    shortened,
)
from evaluator.plugins.insight.statistics.boxes import HIGH, LOW, ROOM, Box
from evaluator.plugins.insight.statistics.study import Study

BOX_ROW, RANK_ROW, FAILURE_ROW, MAP_ROW = 36.0, 30.0, 34.0, 18.0
"""Heights of a method or block in the figures with rows."""


def box_figure(study: Study) -> Drawing:
    shown = [(method, study.boxes[method]) for method in study.methods if method in study.boxes]
    low, upper = _range([box for _, box in shown])
    description = "; ".join(
        f"{study.name(m)}: median {b.median:.3f}, quartiles {b.q1:.3f} and {b.q3:.3f}, "
        f"{b.below} below and {b.above} above the picture"
        for m, b in shown
    )
    drawing = Drawing(f"Scaled scores of {len(shown)} methods", f"{description}.")
    axis = Scale(low=low, high=upper, start=12, end=WIDTH - 12)
    bottom = BOX_ROW * len(shown) + 4
    for tick in (-2, -1, 0, 1):
        if tick < low:
            continue
        x = axis.at(tick)
        drawing.line(x, 0, x, bottom, stroke=MUTED, width=0.5, dashed=tick not in (0, 1))
        drawing.text(x, bottom + 14, str(tick), anchor="middle", fill=MUTED, size=11)
    for index, (method, box) in enumerate(shown):
        y = BOX_ROW * index
        drawing.text(8, y + 14, shortened(study.name(method), 34))
        outside = _outside(box)
        if outside:
            drawing.text(WIDTH - 8, y + 14, outside, anchor="end", fill=MUTED, size=11)
        _box(drawing, axis, box, y + 26)
    ends = (
        ("0", study.name(study.zero) if study.zero else "the worst of each task"),
        ("1", study.name(study.one) if study.one else "the best of each task"),
    )
    for index, (end, name) in enumerate(ends, start=1):
        y = bottom + 14 + LINE * index
        drawing.text(8, y, f"{end}: {shortened(name, 46)}", size=11, fill=MUTED)
    drawing.height = bottom + 14 + LINE * 2 + 8
    return drawing


def _range(boxes: list[Box]) -> tuple[float, float]:
    """Return the ends of the picture: AMLB's, or nearer ones where nothing lies so far out."""
    values = [value for box in boxes for value in (box.low, box.high, *box.outliers)]
    low = LOW if min(values) < -1 else -1.0 if min(values) < 0 else -0.05
    return low, HIGH + ROOM if max(values) > HIGH else HIGH + 0.05


def _outside(box: Box) -> str:
    parts = [f"← {box.below}"] if box.below else []
    return "  ".join(parts + ([f"{box.above} →"] if box.above else []))


def _box(drawing: Drawing, axis: Scale, box: Box, y: float) -> None:
    drawing.line(axis.at(box.low), y, axis.at(box.high), y)
    width = max(axis.at(box.q3) - axis.at(box.q1), 1)
    drawing.box(axis.at(box.q1), y - 6, width, 12, fill=ACCENT, opacity=0.45,
                stroke="currentColor")  # fmt: skip
    drawing.line(axis.at(box.median), y - 6, axis.at(box.median), y + 6, width=2.5)
    for value in box.outliers:
        if axis.low <= value <= axis.high:
            drawing.dot(axis.at(value), y, radius=2, fill="none")


BAR = 9.0
"""Between two bars of groups."""


def critical_difference_figure(study: Study) -> Drawing:
    names = list(study.methods)
    test = study.nemenyi
    groups = test.groups if test else ()
    ranks = "; ".join(f"{study.name(m)} {study.means[m]:.2f}" for m in names)
    joined = "; ".join(" = ".join(study.name(m) for m in group) for group in groups)
    if test is None:
        description = "Friedman's test is not significant, so none are joined."
    elif groups:
        description = (
            f"Critical difference {test.critical_difference:.2f}. Closer than that: {joined}."
        )
    else:
        description = f"Critical difference {test.critical_difference:.2f}. None are closer."
    drawing = Drawing(f"Mean ranks of {len(names)} methods", f"{ranks}. {description}")
    right = WIDTH - 8 - BAR * len(groups)
    axis = Scale(low=1, high=max(len(names), 2), start=8, end=right - 8)
    top = 44.0
    if test is not None:
        width = axis.at(1 + test.critical_difference) - axis.at(1)
        drawing.text(8, 12, f"critical difference {test.critical_difference:.2f}")
        drawing.line(8, 20, 8 + width, 20, width=2, stroke=ACCENT)
        for x in (8, 8 + width):
            drawing.line(x, 16, x, 24, width=2, stroke=ACCENT)
    else:
        drawing.text(8, 12, "Friedman's test is not significant")
    step = max(1, round((len(names) - 1) / 8))
    for rank in range(1, len(names) + 1, step):
        drawing.text(axis.at(rank), top - 6, str(rank), anchor="middle", fill=MUTED, size=11)
        drawing.line(axis.at(rank), top, axis.at(rank), top + RANK_ROW * len(names), stroke=MUTED,
                     width=0.5, dashed=True)  # fmt: skip
    place = {}
    for index, method in enumerate(names):
        y = top + RANK_ROW * index
        place[method] = y + 22
        label = f"{study.means[method]:.2f}  {shortened(study.name(method), 42)}"
        drawing.text(8, y + 13, label)
        drawing.line(8, y + 22, axis.at(study.means[method]), y + 22, stroke=MUTED)
        drawing.dot(axis.at(study.means[method]), y + 22, fill=ACCENT, stroke=ACCENT)
    for index, group in enumerate(groups):
        x = right + BAR * (index + 0.5)
        drawing.line(x, place[group[0]] - 6, x, place[group[-1]] + 6, width=4)
    drawing.height = top + RANK_ROW * len(names) + LINE / 2
    return drawing


def failure_figure(study: Study) -> Drawing:
    shown = list(study.failures.items())
    description = "; ".join(f"{study.name(m)}: {_kinds(kinds)}" for m, kinds in shown)
    drawing = Drawing("Failed and missing results", f"{description or 'none'}.")
    longest = max((sum(kinds.values()) for _, kinds in shown), default=1)
    axis = Scale(low=0, high=longest, start=8, end=WIDTH - 8)
    for index, (method, kinds) in enumerate(shown):
        y = FAILURE_ROW * index
        drawing.text(8, y + 14, f"{shortened(study.name(method), 26)}: {_kinds(kinds)}")
        start = 0
        for place, (kind, count) in enumerate(kinds.items()):
            x = axis.at(start)
            drawing.box(
                x, y + 19, axis.at(start + count) - x, 9, fill=FAILED,
                opacity=0.9 - 0.25 * (place % 3), stroke="currentColor", says=f"{count} {kind}",
            )  # fmt: skip
            start += count
    drawing.height = FAILURE_ROW * max(len(shown), 1) + 4
    if not shown:
        drawing.text(8, 18, "No result failed.")
    return drawing


def _kinds(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items())


PLOT = 220.0


def pareto_figure(study: Study) -> Drawing:
    points = study.points
    description = "; ".join(
        f"{i}. {study.name(p.method)}: {p.score:.3f} in {p.seconds:.3g} s"
        f"{', on the Pareto front' if p.on_front else ''}"
        for i, p in enumerate(points, start=1)
    )
    drawing = Drawing("Median scaled score against time", f"{description}.")
    times = [math.log10(max(point.seconds, 1e-6)) for point in points]
    low, high = math.floor(min(times)), math.ceil(max(times))
    across = Scale(low=low, high=max(high, low + 1), start=40, end=WIDTH - 14)
    scores = [point.score for point in points]
    margin = (max(scores) - min(scores)) * 0.1 or 0.5
    up = Scale(low=min(scores) - margin, high=max(scores) + margin, start=PLOT, end=20)
    drawing.text(4, 12, "median scaled score", size=11, fill=MUTED)
    for power in range(low, int(across.high) + 1):
        x = across.at(power)
        drawing.line(x, 20, x, PLOT, stroke=MUTED, width=0.5, dashed=True)
        drawing.text(x, PLOT + 14, f"{10.0**power:g} s", anchor="middle", size=11, fill=MUTED)
    for share in (0, 0.5, 1):
        value = up.low + margin + share * (up.high - up.low - 2 * margin)
        drawing.text(36, up.at(value) + 4, f"{value:.2f}", anchor="end", size=11, fill=MUTED)
    places = [(across.at(time), up.at(p.score)) for p, time in zip(points, times, strict=True)]
    front = sorted(place for place, p in zip(places, points, strict=True) if p.on_front)
    drawing.path(steps(front), stroke=ACCENT, width=1.5)
    drawing.path(f"M{WIDTH - 96:g} 8h14", stroke=ACCENT, width=1.5)
    drawing.text(WIDTH - 78, 12, "Pareto front", size=11)
    for point, (x, y) in zip(points, places, strict=True):
        drawing.dot(x, y, fill=ACCENT if point.on_front else "none", says=study.name(point.method))
    # The front first, then from left to right, as names find most room.
    order = sorted(range(len(points)), key=lambda i: (not points[i].on_front, places[i]))
    names = [(*places[i], study.name(points[i].method)) for i in order]
    left_out = draw_labels(drawing, names, places, (40, 16, WIDTH - 4, PLOT - 2), front)
    y = PLOT + 18
    if left_out:
        y += LINE
        drawing.text(8, y, "Without room for a name:", size=11, fill=MUTED)
    for place in left_out:
        y += LINE
        drawing.text(8, y, shortened(names[place][2], 40))
    drawing.height = y + 8
    return drawing


MAX_ROWS = 120
"""Beyond, the file of ranks has the rest."""
LABEL = 112.0


def rank_figure(study: Study) -> Drawing:
    names = list(study.methods)
    shown = list(study.ranks.items())[:MAX_ROWS]
    best = "; ".join(
        f"{block}: {', '.join(study.name(m) for m in names if row[m] == min(row.values()))}"
        for block, row in shown[:40]
    )
    drawing = Drawing(
        f"Ranks of {len(names)} methods on {len(study.ranks)} tasks or repeats",
        f"Best on each: {best}. All ranks are in the CSV file.",
    )
    width = (WIDTH - LABEL - 4) / len(names)
    size = min(11.0, width * 0.62)
    y = 0.0
    for index, method in enumerate(names, start=1):
        y += LINE
        drawing.text(8, y, f"{index}. {shortened(study.name(method), 46)}")
    y += LINE + 4
    for index in range(len(names)):
        x = LABEL + width * (index + 0.5)
        drawing.text(x, y, str(index + 1), anchor="middle", fill=MUTED, size=size)
    y += 6
    for block, row in shown:
        drawing.text(LABEL - 4, y + 13, shortened(block, 18), anchor="end", size=11)
        for index, method in enumerate(names):
            x = LABEL + width * index
            strength = 1 - (row[method] - 1) / max(len(names) - 1, 1)
            filled = study.outcomes.imputed_in(block, method)
            mark = "*" if filled else ""
            says = f"{study.name(method)} on {block}: rank {row[method]:g}" + (
                f", with {filled} of another's results for its failures" if filled else ""
            )
            drawing.box(
                x, y, width - 1, MAP_ROW - 1, fill=ACCENT, opacity=0.6 * strength, says=says
            )
            text = f"{row[method]:g}{mark}"
            drawing.text(x + width / 2, y + 13, text, anchor="middle", size=size)
        y += MAP_ROW
    if len(study.ranks) > MAX_ROWS:
        drawing.text(8, y + 14, f"{len(study.ranks) - MAX_ROWS} more are in the file", size=11)
        y += LINE
    if study.stand_in and study.outcomes.filled:
        name = shortened(study.name(study.stand_in), 30)
        drawing.text(8, y + 14, f"* failures count as results of {name}", size=11)
        y += LINE
    drawing.height = y + 6
    return drawing
