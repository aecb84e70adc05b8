"""Box plots of scaled scores, with the number of values out of the picture."""

from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import ACCENT, LINE, MUTED, WIDTH, Drawing, shortened
from evaluator.plugins.insight.statistics.boxes import HIGH, LOW, ROOM, Box
from evaluator.plugins.insight.statistics.study import Study

ROW = 36.0


def box_figure(study: Study) -> Drawing:
    """Draw a box for each method, the best mean rank first."""
    shown = [(method, study.boxes[method]) for method in study.methods if method in study.boxes]
    low, upper = _range([box for _, box in shown])
    description = "; ".join(
        f"{study.name(m)}: median {b.median:.3f}, quartiles {b.q1:.3f} and {b.q3:.3f}, "
        f"{b.below} below and {b.above} above the picture"
        for m, b in shown
    )
    drawing = Drawing(f"Scaled scores of {len(shown)} methods", f"{description}.")
    axis = Scale(low=low, high=upper, start=12, end=WIDTH - 12)
    bottom = ROW * len(shown) + 4
    for tick in (-2, -1, 0, 1):
        if tick < low:
            continue
        x = axis.at(tick)
        drawing.line(x, 0, x, bottom, stroke=MUTED, width=0.5, dashed=tick not in (0, 1))
        drawing.text(x, bottom + 14, str(tick), anchor="middle", fill=MUTED, size=11)
    for index, (method, box) in enumerate(shown):
        y = ROW * index
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
