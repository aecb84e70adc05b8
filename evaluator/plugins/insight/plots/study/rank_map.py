"""Ranks of methods on each task, as a heat map with its numbers."""

from evaluator.plugins.insight.plots.svg import ACCENT, LINE, MUTED, WIDTH, Drawing, shortened
from evaluator.plugins.insight.statistics.study import Study

ROW = 18.0
MAX_ROWS = 120
"""Beyond, the file of ranks has the rest."""
LABEL = 112.0


def rank_figure(study: Study) -> Drawing:
    """Draw a cell for each task and method, the stronger the better."""
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
            drawing.box(x, y, width - 1, ROW - 1, fill=ACCENT, opacity=0.6 * strength, says=says)
            text = f"{row[method]:g}{mark}"
            drawing.text(x + width / 2, y + 13, text, anchor="middle", size=size)
        y += ROW
    if len(study.ranks) > MAX_ROWS:
        drawing.text(8, y + 14, f"{len(study.ranks) - MAX_ROWS} more are in the file", size=11)
        y += LINE
    if study.stand_in and study.outcomes.filled:
        name = shortened(study.name(study.stand_in), 30)
        drawing.text(8, y + 14, f"* failures count as results of {name}", size=11)
        y += LINE
    drawing.height = y + 6
    return drawing
