"""Score against time, with the Pareto front."""

import math

from evaluator.plots.scales import Scale
from evaluator.plots.svg import ACCENT, LINE, MUTED, WIDTH, Drawing, shortened
from evaluator.statistics.study import Study

PLOT = 220.0


def pareto_figure(study: Study) -> Drawing:
    """Draw a point for each method; time is on a logarithmic scale."""
    points = study.points
    description = "; ".join(
        f"{i}. {study.name(p.method)}: {p.score:.3f} in {p.seconds:.3g} s"
        f"{', on the front' if p.on_front else ''}"
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
    front = [point for point in points if point.on_front]
    previous = None
    for point in sorted(front, key=lambda p: p.seconds):
        here = (across.at(math.log10(max(point.seconds, 1e-6))), up.at(point.score))
        if previous:
            drawing.line(*previous, here[0], previous[1], stroke=ACCENT, width=1.5)
            drawing.line(here[0], previous[1], *here, stroke=ACCENT, width=1.5)
        previous = here
    for index, (point, time) in enumerate(zip(points, times, strict=True), start=1):
        x, y = across.at(time), up.at(point.score)
        drawing.dot(x, y, fill=ACCENT if point.on_front else "none", says=study.name(point.method))
        # Neighbours' numbers stand on alternate sides, so that equal points stay legible.
        drawing.text(x, y - 7 if index % 2 else y + 16, str(index), anchor="middle", size=11)
    y = PLOT + 18
    for index, point in enumerate(points, start=1):
        y += LINE
        mark = " (front)" if point.on_front else ""
        drawing.text(8, y, f"{index}. {shortened(study.name(point.method), 40)}{mark}")
    drawing.height = y + 8
    return drawing
