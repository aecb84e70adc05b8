"""Score against what it takes: time, memory, cost, stated numbers; with the Pareto front."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from evaluator.core.errors import counted, printable
from evaluator.core.formats.fact_sheet import answer_number
from evaluator.core.leaderboard.board import Row
from evaluator.plugins.insight.plots.axes import axis_name
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import (
    MAX_LINES,
    Figure,
    FigureLine,
    draw_scatter,
    legend_names,
)
from evaluator.plugins.insight.plots.marks import kind_of
from evaluator.plugins.insight.plots.scales import LOG_FROM, make_scale
from evaluator.plugins.insight.plots.scatter import Level, Scatter, ScatterPoint
from evaluator.plugins.insight.plots.wording import bytes_text, outside_text, seconds_text, shown
from evaluator.plugins.insight.statistics.boxes import pareto_front


@dataclass(frozen=True, kw_only=True)
class CostAxis:
    """What scores are drawn against: what submissions took, or a number of the fact sheet."""

    name: str
    """``time``, ``memory``, ``cost``, or the title of a question of the fact sheet."""
    key: str
    """In the data."""
    of: Callable[[BoardEntries, Row], float | None]
    text: Callable[[float], str]
    axis: str
    """Name of its axis, with how it is measured."""
    unit: str
    """Of the axis."""
    size: float = 1
    """Of that unit, in what ``of`` returns."""
    file: str = ""
    """Part of its files' names; empty is ``name``."""
    known: str = "measured"
    """How it is known."""


def _used(what: str, board: BoardEntries, row: Row) -> float | None:
    usage = board.usage(row)
    amount: float | None = getattr(usage, what) if usage else None
    return amount


TIME = CostAxis(
    name="time", key="seconds", of=partial(_used, "seconds"), text=seconds_text,
    axis="prediction time, mean of tasks", unit="s",
)  # fmt: skip
MEMORY = CostAxis(
    name="memory", key="peak_memory_bytes", of=partial(_used, "memory"), text=bytes_text,
    axis="peak memory of the prediction step, the largest of all tasks and repeats", unit="MiB",
    size=2**20,
)  # fmt: skip


def cost_in(currency: str) -> CostAxis:
    return CostAxis(
        name="cost", key=f"cost_{currency.lower()}", of=partial(_used, "cost"),
        text=lambda value: f"{value:.3g} {currency}",
        axis="price of a run's prediction step, mean over tasks and repeats", unit=currency,
    )  # fmt: skip


def against_time(board: BoardEntries) -> Figure | str:
    return trade_off(board, TIME)


def against_memory(board: BoardEntries) -> Figure | str:
    return trade_off(board, MEMORY)


def against_cost(board: BoardEntries) -> Figure | str:
    currency = board.prices.currency
    return trade_off(board, cost_in(currency)) if currency else ""


def against_answers(board: BoardEntries) -> list[tuple[str, Figure | str]]:
    figures: list[tuple[str, Figure | str]] = []
    for place, (key, title) in enumerate(board.asked.items()):
        name = printable(title)[:40].strip() or key
        cost = CostAxis(
            name=name, key=f"fact_sheet:{key}", of=partial(_answer, key),
            text=lambda value: f"{value:,.6g}", axis=f"{name}, as the fact sheet states it",
            unit="", file=f"answer-{place + 1}", known="stated",
        )  # fmt: skip
        figures.append((f"Score against {name}", trade_off(board, cost)))
    return figures


def _answer(key: str, _: BoardEntries, row: Row) -> float | None:
    return answer_number(str(row.submission.fact_sheet.get(key, "")))


def trade_off(board: BoardEntries, cost: CostAxis) -> Figure | str:
    if board.transposed:
        return "a data set's value is no merit"
    column = board.primary
    measured = [
        (place, value, score) for place, row in enumerate(board.rows)
        if (score := board.score(row)) is not None
        and (value := cost.of(board, row)) is not None
    ]  # fmt: skip
    if len(measured) < 2:
        return f"fewer than two submissions have a score and a {cost.known} {cost.name}"
    front = pareto_front(
        ((value, score) for _, value, score in measured), lower_is_better=column.sorting == "asc"
    )
    sizes = [value / cost.size for _, value, _ in measured]
    scale, outside = make_scale(sizes, 0, 1, log_from=LOG_FROM)
    best = [measured[place] for place in front]
    on_front = {place for place, *_ in best}
    scatter = Scatter(
        points=[
            ScatterPoint(
                entry=place, x=value / cost.size, y=score,
                kind=kind_of(board.group(board.rows[place]), best=place in on_front),
                name=board.rows[place].submission.title, shown=shown(score, column),
                says=f"{shown(score, column)}, {cost.text(value)}",
            )
            for place, value, score in sorted(measured, key=lambda item: (item[1], item[0]))
        ],
        kinds=legend_names(board, "on the Pareto front"), up_name=axis_name(column),
        level=Level(
            name=f"{cost.axis}{f' ({cost.unit})' if cost.unit else ''}",
            make=lambda start, end: make_scale(sizes, start, end, log_from=LOG_FROM)[0],
            ticks=lambda axis: [(tick, f"{tick:,g}") for tick in axis.ticks() if tick >= 0],
        ),
        line=sorted({(value / cost.size, score) for _, value, score in best},
                    key=lambda one: (one[0], one[1] if column.sorting == "desc" else -one[1])),
        line_name="Pareto front",
    )  # fmt: skip
    description = _said(board, cost, len(best), len(measured), scale.log)
    drawings, drawn, many = draw_scatter(
        scatter, board, f"{column.title} against {cost.name}", description
    )
    return Figure(
        question="cost", name=f"score-against-{cost.file or cost.name}",
        heading=f"Score against {cost.name}", board=board, drawings=drawings,
        caption=(*description, *many, *outside_text(scatter.outside + outside)),
        head=("submission", "Submission"), keys=(cost.key, column.key, "on_front"),
        titles=(cost.name[:1].upper() + cost.name[1:], column.title, "On the Pareto front"),
        lines=_lines(board, cost, measured, on_front), marks=drawn,
    )  # fmt: skip


def _said(
    board: BoardEntries, cost: CostAxis, front: int, count: int, log: bool
) -> tuple[str, ...]:
    without = len(board.rows) - count
    return (
        f"{counted(count, board.nouns)}; {front:,} on the Pareto front: no "
        f"other is at least as good in score and in {cost.name} and better in one of them.",
        *(("The axis at the foot is logarithmic.",) if log else ()),
        *((f"{counted(without, board.nouns)} without a score or a {cost.known} {cost.name} "
           f"{'are' if without != 1 else 'is'} not drawn.",) if without else ()),
    )  # fmt: skip


def _lines(
    board: BoardEntries, cost: CostAxis, known: Sequence[tuple[int, float, float]], front: set[int]
) -> list[FigureLine]:
    lines: list[FigureLine] = []
    # The front first, for that is what a short table must have.
    for place, value, score in sorted(known, key=lambda item: (item[0] not in front, *item[1:])):
        texts = (
            cost.text(value), shown(score, board.primary), "yes" if place in front else "",
        ) if len(lines) < MAX_LINES else ()  # fmt: skip
        values = (value, score, place in front)
        lines.append(FigureLine(head=board.rows[place], values=values, texts=texts))
    return lines
