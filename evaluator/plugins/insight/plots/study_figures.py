"""Figures of the analysis: one method to a row."""

from collections.abc import Mapping

from evaluator.plugins.insight.plots.axes import draw_box, level, make_rows
from evaluator.plugins.insight.plots.scales import AxisScale
from evaluator.plugins.insight.plots.svg import Drawing, dot, draw_both
from evaluator.plugins.insight.statistics.boxes import HIGH, LOW, ROOM, Box
from evaluator.plugins.insight.statistics.confidence import Confidence
from evaluator.plugins.insight.statistics.study import Study

BOX_ROW, ROW = 28.0, 24.0
BAR = 9.0
"""Between two bars of groups."""
MAX_INTERVALS = 40
Drawings = tuple[Drawing, ...]
"""For wide and for narrow places."""


def interval_figure(certain: Confidence) -> Drawings:
    """Draw the ranks between rows that are better for certain and those that are worse."""
    lines = [(line, line.row.rank or 0) for line in certain.lines[:MAX_INTERVALS]]
    described = "; ".join(
        f"{line.row.submission.title}: rank {rank}, {line.low} to {line.high}"
        for line, rank in lines
    )

    def draw(drawing: Drawing) -> None:
        rows = make_rows(drawing, 8, ROW, ("0 to 000",))
        last = max(line.high for line, _ in lines)
        scale = AxisScale(low=0.5, high=last + 0.5, start=rows.left, end=rows.right)
        ticks = [(tick, f"{tick:g}") for tick in scale.ticks() if tick == int(tick)]
        level(drawing, scale, ticks, "rank", 6, rows.foot(len(lines)))
        for index, (line, rank) in enumerate(lines):
            y, x = rows.middle(index), scale.at(line.low) - 4
            rows.name(index, line.row.submission.title, f"{line.low} to {line.high}")
            drawing.box(x, y - 5, scale.at(line.high) + 4 - x, 10, "interval")
            drawing.group("best", (dot(scale.at(rank), y),))

    return draw_both(f"Ranks of {len(lines)} rows and their intervals", f"{described}.", draw)


def box_figure(study: Study) -> Drawings:
    shown = [(method, study.boxes[method]) for method in study.methods if method in study.boxes]
    low, upper = _range([box for _, box in shown])
    description = "; ".join(
        f"{study.name(m)}: median {b.median:.3f}, quartiles {b.q1:.3f} and {b.q3:.3f}, "
        f"{b.below} below and {b.above} above the picture"
        for m, b in shown
    )
    zero = study.name(study.zero) if study.zero else "the worst of each task"
    one = study.name(study.one) if study.one else "the best of each task"

    def draw(drawing: Drawing) -> None:
        rows = make_rows(drawing, 8, BOX_ROW, map(_outside, study.boxes.values()))
        scale = AxisScale(low=low, high=upper, start=rows.left, end=rows.right)
        ticks = [(tick, f"{tick}") for tick in (-2, -1, 0, 1) if tick >= low]
        name = f"scaled score; 0: {zero[:40]}, 1: {one[:40]} (higher is better)"
        level(drawing, scale, ticks, name, 4, rows.foot(len(shown)))
        for index, (method, box) in enumerate(shown):
            rows.name(index, study.name(method), _outside(box))
            y = rows.middle(index)
            draw_box(drawing, scale, box, y, 7)
            if dots := [dot(scale.at(v), y, 2) for v in box.outliers if low <= v <= upper]:
                drawing.group("other", dots)

    return draw_both(f"Scaled scores of {len(shown)} methods", f"{description}.", draw)


def _range(boxes: list[Box]) -> tuple[float, float]:
    """The ends of the picture: AMLB's, or nearer ones where nothing lies so far out."""
    values = [value for box in boxes for value in (box.low, box.high, *box.outliers)]
    low = LOW if min(values) < -1 else -1.0 if min(values) < 0 else -0.05
    return low, HIGH + ROOM if max(values) > HIGH else HIGH + 0.05


def _outside(box: Box) -> str:
    parts = [f"← {box.below}"] if box.below else []
    return "  ".join(parts + ([f"{box.above} →"] if box.above else []))


def critical_difference_figure(study: Study) -> Drawings:
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

    def draw(drawing: Drawing) -> None:
        rows = make_rows(drawing, 40, ROW, ("00.00",))
        right = rows.right - BAR * len(groups) - 6
        scale = AxisScale(low=1, high=max(len(names), 2), start=rows.left + 6, end=right)
        if test is None:
            drawing.text(4, 14, "Friedman's test is not significant")
        else:
            start = scale.start
            width = scale.at(1 + test.critical_difference) - start
            drawing.text(start, 14, f"critical difference {test.critical_difference:.2f}")
            drawing.path(f"M{start:.1f} 20v8m0-4h{width:.1f}m0-4v8", "front")
        ticks = [(tick, f"{tick:g}") for tick in scale.ticks() if tick == int(tick)]
        level(drawing, scale, ticks, "mean rank (lower is better)", 34, rows.foot(len(names)))
        for index, method in enumerate(names):
            y, x = rows.middle(index), scale.at(study.means[method])
            rows.name(index, study.name(method), f"{study.means[method]:.2f}")
            drawing.line(scale.start, y, x, y, "whisker")
            drawing.group("best", (dot(x, y),))
        for index, group in enumerate(groups):
            x = right + BAR * (index + 1)
            first, last = (rows.middle(names.index(group[end])) for end in (0, -1))
            drawing.line(x, first - 6, x, last + 6, "joined")

    return draw_both(f"Mean ranks of {len(names)} methods", f"{ranks}. {description}", draw)


def failure_figure(study: Study) -> Drawings:
    shown = list(study.failures.items())
    description = "; ".join(f"{study.name(m)}: {_kinds(kinds)}" for m, kinds in shown)
    longest = max((sum(kinds.values()) for _, kinds in shown), default=1)

    def draw(drawing: Drawing) -> None:
        rows = make_rows(drawing, 8, ROW, [_kinds(kinds)[:30] for _, kinds in shown])
        scale = AxisScale(low=0, high=longest, start=rows.left, end=rows.right)
        ticks = [(tick, f"{tick:g}") for tick in scale.ticks(4) if tick == int(tick)]
        level(drawing, scale, ticks, "results", 4, rows.foot(len(shown)))
        for index, (method, kinds) in enumerate(shown):
            rows.name(index, study.name(method), _kinds(kinds)[:30])
            start = 0
            for place, (kind, count) in enumerate(kinds.items()):
                x = scale.at(start)
                drawing.box(x, rows.middle(index) - 5, scale.at(start + count) - x, 10,
                            f"failed-{place % 3}", says=f"{count} {kind}")  # fmt: skip
                start += count

    return draw_both("Failed and missing results", f"{description or 'none'}.", draw)


def _kinds(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items())
