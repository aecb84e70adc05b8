"""Tasks in the order of how hard they are: how near the middle of the field comes to the best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.errors import counted
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure, Line
from evaluator.plugins.insight.plots.frame import WIDTH
from evaluator.plugins.insight.plots.marks import BASELINE, BEST, GRID, OTHER, shape_in
from evaluator.plugins.insight.plots.scales import Scale
from evaluator.plugins.insight.plots.svg import MUTED, Drawing
from evaluator.plugins.insight.plots.wording import label, shown
from evaluator.plugins.insight.statistics.boxes import Box, make_box

ROW, TOP = 30.0, 30.0
LEFT, RIGHT = 176.0, 560.0
MAX_ROWS = 60
LOW = -1.0
"""What lies below stands at the edge."""
MIN_OTHERS = 2
"""Results beside the baseline's, below which a task says nothing."""
FAR = 1e9
"""Where scaled values end."""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Scaled values of one task."""

    count: int
    least: float
    low: float
    """Least value that is no further from the quartiles than 1.5 times their distance."""
    q1: float
    median: float
    q3: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Hardness:
    """One task, or one data set of a board whose rows are data sets."""

    name: str
    zero: float
    """Value that is 0 of the scale: the baseline's, or the worst."""
    one: float
    """The best value, which is 1."""
    median: float
    """Of the values as they are, without the baseline's."""
    spread: Spread
    """Of the scaled values, without the baseline's."""
    is_baseline: bool
    """Whether 0 is the baseline's value."""


def difficulty(board: BoardEntries) -> Figure | str:
    tasks = hardness(board)
    if len(tasks) < 2:
        return "fewer than two tasks have different results of two submissions beside the baseline"
    rows = tasks[:MAX_ROWS]
    low = min(0.0, max(LOW, min(one.spread.low for one in rows)))
    scale = Scale(low=low - 0.06, high=1.06, start=LEFT, end=RIGHT)
    description = _said(board, tasks)
    drawing = Drawing(
        f"{counted(len(rows), _nouns(board))}, the hardest first",
        " ".join([*description, *(f"{one.name}: {one.spread.median:.2f}." for one in rows)]),
        width=WIDTH, natural=True,
    )  # fmt: skip
    foot = TOP + ROW * len(rows)
    based = any(one.is_baseline for one in rows)
    names = {0.0: "baseline" if based else "worst", 1.0: "best"}
    for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
        if tick < scale.low:
            continue
        x = scale.at(tick)
        drawing.line(x, TOP - 8, x, foot, stroke=GRID)
        text = f"{tick:g} ({names[tick]})" if tick in names else f"{tick:g}"
        drawing.text(x, foot + 14, text, anchor="middle", size=11, fill=MUTED)
    drawing.text(RIGHT + 12, TOP - 12, "median", size=11, fill=MUTED)
    drawing.text(LEFT - 8, TOP - 12, "hardest first", anchor="end", size=11, fill=MUTED)
    for index, one in enumerate(rows):
        _row(drawing, scale, one, TOP + ROW * (index + 0.5))
    drawing.height = foot + 24
    return Figure(
        name="difficulty", heading=f"Difficulty of the {_nouns(board)}", board=board,
        drawing=drawing, caption=description, head=("task", _nouns(board)[:-1].capitalize()),
        keys=("scaled_median", "scaled_q1", "scaled_q3", "median", "zero", "zero_is", "best",
              "results"),
        titles=("Scaled median", "Quartiles", "Median", "Baseline" if based else "Worst", "Best",
                "Results"),
        lines=[_line(board, one, index) for index, one in enumerate(tasks)],
    )  # fmt: skip


def _nouns(board: BoardEntries) -> str:
    return "data sets" if board.transposed else "tasks"


def _row(drawing: Drawing, scale: Scale, one: Hardness, y: float) -> None:
    box = one.spread
    drawing.text(LEFT - 8, y + 4, label(one.name, 22), anchor="end")
    ends = (min(box.low, box.q1), max(box.high, box.q3))
    drawing.line(scale.at(ends[0]), y, scale.at(ends[1]), y, stroke=MUTED)
    q1, q3 = scale.at(box.q1), scale.at(box.q3)
    drawing.box(q1, y - 7, max(q3 - q1, 1), 14, fill=OTHER, opacity=0.35, stroke=OTHER)
    middle = scale.at(box.median)
    drawing.line(middle, y - 9, middle, y + 9, width=3)
    if one.is_baseline:
        shape_in(drawing, "baseline", scale.at(0), y, BASELINE)
    shape_in(drawing, "best", scale.at(1), y, BEST)
    below = " ←" if box.least < scale.low else ""
    drawing.text(RIGHT + 12, y + 4, f"{box.median:.2f}{below}", size=11)


def _said(board: BoardEntries, tasks: list[Hardness]) -> tuple[str, ...]:
    others = "methods" if board.transposed else "submissions"
    part = _nouns(board)[:-1]
    zero = (
        f"the baseline {board.board.benchmark.baseline}, or the worst where nothing betters it"
        if any(one.is_baseline for one in tasks) else f"the worst of each {part}"
    )  # fmt: skip
    sentences = [
        f"On each {part} 0 is {zero}, 1 the best value. The box holds the middle half of the "
        f"{others}, the upright line is their median: the less it is, the harder the {part} is "
        "for most of those who tried."
    ]
    without = (len(board.listed) if board.transposed else len(board.tasks)) - len(tasks)
    if without:
        sentences.append(f"{counted(without, _nouns(board))} without different results "
                    f"{'are' if without != 1 else 'is'} left out.")  # fmt: skip
    if len(tasks) > MAX_ROWS:
        sentences.append(f"The hardest {MAX_ROWS} of {len(tasks):,} are drawn.")
    return tuple(sentences)


def _line(board: BoardEntries, one: Hardness, index: int) -> Line:
    box, column = one.spread, board.compared
    texts = (
        f"{box.median:.3f}", f"{box.q1:.3f} to {box.q3:.3f}", shown(one.median, column),
        shown(one.zero, column), shown(one.one, column), str(box.count),
    ) if index < MAX_LINES else ()  # fmt: skip
    zero_is = "baseline" if one.is_baseline else "worst"
    values = (box.median, box.q1, box.q3, one.median, one.zero, zero_is, one.one, box.count)
    return Line(head=one.name, values=values, texts=texts)


def hardness(board: BoardEntries) -> list[Hardness]:
    """Return what has values to compare, the hardest first.

    Values are scaled: 0 is the baseline, or the worst where there is none or nothing betters it, 1
    the best of all. The less the median of the scaled values, the harder.
    """
    lower = board.compared.sorting == "asc"
    tasks = [
        one
        for name, others, baseline in _parts(board)
        if (one := _one(name, others, baseline, lower=lower))
    ]
    return sorted(tasks, key=lambda one: (one.spread.median, one.name))


def _parts(board: BoardEntries) -> Iterator[tuple[str, list[float], float | None]]:
    """Yield the name, and values by submission or, on a transposed board, by method.

    The last is the baseline's value.
    """
    if board.transposed:
        for row, own in zip(board.listed, board.values.T, strict=False):
            yield row.submission.title, own[~np.isnan(own)].tolist(), None
        return
    listed = board.listed
    baseline = next((n for n, row in enumerate(listed) if board.group(row) == "baseline"), None)
    for task, own in zip(board.tasks, board.values[:, : len(listed)], strict=True):
        value = None if baseline is None or np.isnan(own[baseline]) else float(own[baseline])
        others = own if baseline is None else np.delete(own, baseline)
        yield task.name, others[~np.isnan(others)].tolist(), value


def _one(
    name: str, others: Sequence[float], baseline: float | None, *, lower: bool
) -> Hardness | None:
    if len(others) < MIN_OTHERS:
        return None
    values = [*others, *(() if baseline is None else (baseline,))]
    worst, best = (max(values), min(values)) if lower else (min(values), max(values))
    zero = worst if baseline is None or baseline == best else baseline
    if zero == best:
        return None
    box = make_box(others)
    if box is None:
        return None
    return Hardness(
        name=name,
        zero=zero,
        one=best,
        median=box.median,
        spread=scaled_spread(box, zero, best),
        is_baseline=baseline is not None and baseline != best,
    )


def scaled_spread(box: Box, zero: float, one: float) -> Spread:
    """Return a box on the scale from ``zero`` to ``one``; finite for any finite values."""
    span = one / 2 - zero / 2
    outer = min((box.low, *box.outliers)), max((box.high, *box.outliers))
    low, q1, median, q3, high, *ends = (
        max(-FAR, min(FAR, (value / 2 - zero / 2) / span))
        for value in (box.low, box.q1, box.median, box.q3, box.high, *outer)
    )
    if span < 0:
        low, q1, q3, high = high, q3, q1, low
    return Spread(count=box.count, least=min(ends), low=low, q1=q1, median=median, q3=q3, high=high)
