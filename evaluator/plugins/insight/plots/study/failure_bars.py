"""How many results of each method failed, and of what kind."""

from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import FAILED, WIDTH, Drawing, shortened
from evaluator.plugins.insight.statistics.study import Study

ROW = 34.0


def failure_figure(study: Study) -> Drawing:
    """Draw a bar for each method with failures; kinds are told apart by text and by edges."""
    shown = list(study.failures.items())
    description = "; ".join(f"{study.name(m)}: {_kinds(kinds)}" for m, kinds in shown)
    drawing = Drawing("Failed and missing results", f"{description or 'none'}.")
    longest = max((sum(kinds.values()) for _, kinds in shown), default=1)
    axis = Scale(low=0, high=longest, start=8, end=WIDTH - 8)
    for index, (method, kinds) in enumerate(shown):
        y = ROW * index
        drawing.text(8, y + 14, f"{shortened(study.name(method), 26)}: {_kinds(kinds)}")
        start = 0
        for place, (kind, count) in enumerate(kinds.items()):
            x = axis.at(start)
            drawing.box(
                x, y + 19, axis.at(start + count) - x, 9, fill=FAILED,
                opacity=0.9 - 0.25 * (place % 3), stroke="currentColor", says=f"{count} {kind}",
            )  # fmt: skip
            start += count
    drawing.height = ROW * max(len(shown), 1) + 4
    if not shown:
        drawing.text(8, 18, "No result failed.")
    return drawing


def _kinds(kinds: dict[str, int] | object) -> str:
    items = kinds.items() if isinstance(kinds, dict) else ()
    return ", ".join(f"{count} {kind}" for kind, count in items)
