"""Critical-difference diagram (Demsar 2006), turned on its side: one method to a row."""

from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import ACCENT, LINE, MUTED, WIDTH, Drawing, shortened
from evaluator.plugins.insight.statistics.study import Study

ROW = 30.0
BAR = 9.0
"""Between two bars of groups."""


def critical_difference_figure(study: Study) -> Drawing:
    """Draw mean ranks, with bars that join methods within the critical difference."""
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
        drawing.line(axis.at(rank), top, axis.at(rank), top + ROW * len(names), stroke=MUTED,
                     width=0.5, dashed=True)  # fmt: skip
    place = {}
    for index, method in enumerate(names):
        y = top + ROW * index
        place[method] = y + 22
        label = f"{study.means[method]:.2f}  {shortened(study.name(method), 42)}"
        drawing.text(8, y + 13, label)
        drawing.line(8, y + 22, axis.at(study.means[method]), y + 22, stroke=MUTED)
        drawing.dot(axis.at(study.means[method]), y + 22, fill=ACCENT, stroke=ACCENT)
    for index, group in enumerate(groups):
        x = right + BAR * (index + 0.5)
        drawing.line(x, place[group[0]] - 6, x, place[group[-1]] + 6, width=4)
    drawing.height = top + ROW * len(names) + LINE / 2
    return drawing
