"""Score against time, with the Pareto front."""

import math

from evaluator.plugins.insight.plots.frame import steps
from evaluator.plugins.insight.plots.labels import draw_labels
from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import ACCENT, LINE, MUTED, WIDTH, Drawing, shortened
from evaluator.plugins.insight.statistics.study import Study

PLOT = 220.0


def pareto_figure(study: Study) -> Drawing:
    """Draw a point for each method; time is on a logarithmic scale."""
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
