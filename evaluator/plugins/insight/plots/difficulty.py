"""Tasks in the order of how hard they are: how near the middle of the field comes to the best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from evaluator.core.errors import counted
from evaluator.plugins.insight.plots.axes import draw_box, level, make_rows
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure, FigureLine
from evaluator.plugins.insight.plots.marks import Kind, legend, shape
from evaluator.plugins.insight.plots.scales import AxisScale
from evaluator.plugins.insight.plots.svg import Drawing, draw_both
from evaluator.plugins.insight.plots.wording import shown
from evaluator.plugins.insight.statistics.boxes import Box, Spread, make_box

MAX_ROWS = 60
LOW = -1.0
"""What lies below stands at the edge."""
MIN_OTHERS = 2
"""Results beside the baseline's, below which a task says nothing."""
FAR = 1e9
"""Where scaled values end."""


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
    description = _said(board, tasks)
    title = f"{counted(len(rows), _nouns(board))}, the hardest first"
    text = " ".join([*description, *(f"{one.name}: {one.spread.median:.2f}." for one in rows)])
    based = any(one.is_baseline for one in rows)
    return Figure(
        question="hard", name="difficulty", heading=f"Difficulty of the {_nouns(board)}",
        board=board, caption=description, head=("task", _nouns(board)[:-1].capitalize()),
        drawings=draw_both(title, text, partial(_draw, rows, based)),
        keys=("scaled_median", "scaled_q1", "scaled_q3", "median", "zero", "zero_is", "best",
              "results"),
        titles=("Scaled median", "Quartiles", "Median", "Baseline" if based else "Worst", "Best",
                "Results"),
        lines=[_line(board, one, index) for index, one in enumerate(tasks)],
    )  # fmt: skip


def _draw(tasks: Sequence[Hardness], based: bool, drawing: Drawing) -> None:
    low = min(0.0, max(LOW, min(one.spread.low for one in tasks)))
    kinds: tuple[Kind, ...] = ("best", "baseline") if based else ("best",)
    top = legend(drawing, kinds, {"best": "best", "baseline": "baseline"}) + 8
    rows = make_rows(drawing, top, 28, ("median -0.00 ←",))
    scale = AxisScale(low=low - 0.06, high=1.06, start=rows.left, end=rows.right)
    names = {0.0: "0 (baseline)" if based else "0 (worst)", 1.0: "1 (best)"}
    ticks = [(tick, names.get(tick, f"{tick:g}")) for tick in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    ticks = [one for one in ticks if one[0] >= scale.low]
    level(drawing, scale, ticks, "scaled value, the hardest first", top, rows.foot(len(tasks)))
    for index, one in enumerate(tasks):
        box, y = one.spread, rows.middle(index)
        rows.name(
            index, one.name, f"median {box.median:.2f}{' ←' if box.least < scale.low else ''}"
        )
        draw_box(drawing, scale, box, y, 8)
        if one.is_baseline:
            drawing.group("baseline", (shape("baseline", scale.at(0), y),))
        drawing.group("best", (shape("best", scale.at(1), y),))


def _nouns(board: BoardEntries) -> str:
    return "data sets" if board.transposed else "tasks"


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


def _line(board: BoardEntries, one: Hardness, index: int) -> FigureLine:
    box, column = one.spread, board.compared
    texts = (
        f"{box.median:.3f}", f"{box.q1:.3f} to {box.q3:.3f}", shown(one.median, column),
        shown(one.zero, column), shown(one.one, column), str(box.count),
    ) if index < MAX_LINES else ()  # fmt: skip
    zero_is = "baseline" if one.is_baseline else "worst"
    values = (box.median, box.q1, box.q3, one.median, one.zero, zero_is, one.one, box.count)
    return FigureLine(head=one.name, values=values, texts=texts)


def hardness(board: BoardEntries) -> list[Hardness]:
    """Tasks by the median of values, scaled from the baseline or worst to the best."""
    lower = board.compared.sorting == "asc"
    tasks = [
        one
        for name, others, baseline in _parts(board)
        if (one := _one(name, others, baseline, lower=lower))
    ]
    return sorted(tasks, key=lambda one: (one.spread.median, one.name))


def _parts(board: BoardEntries) -> Iterator[tuple[str, list[float], float | None]]:
    """Yield the name, values by submission or method, and last the baseline's value."""
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
    return Hardness(
        name=name, zero=zero, one=best, median=box.median, spread=scaled_spread(box, zero, best),
        is_baseline=baseline is not None and baseline != best,
    )  # fmt: skip


def scaled_spread(box: Box, zero: float, one: float) -> Spread:
    """A box on the scale from ``zero`` to ``one``; finite for any finite values."""
    span = one / 2 - zero / 2
    outer = min((box.low, *box.outliers)), max((box.high, *box.outliers))
    low, q1, median, q3, high, *ends = (
        max(-FAR, min(FAR, (value / 2 - zero / 2) / span))
        for value in (box.low, box.q1, box.median, box.q3, box.high, *outer)
    )
    if span < 0:
        low, q1, q3, high = high, q3, q1, low
    return Spread(count=box.count, least=min(ends), low=low, q1=q1, median=median, q3=q3, high=high)
