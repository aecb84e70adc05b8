"""Score over time, with the best so far: who bettered all that was there before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from evaluator.core.errors import counted
from evaluator.core.leaderboard.board import Row
from evaluator.plugins.insight.plots.axes import axis_name
from evaluator.plugins.insight.plots.entries import BoardEntries, Group
from evaluator.plugins.insight.plots.figure import (
    MAX_LINES,
    Figure,
    FigureLine,
    draw_scatter,
    legend_names,
)
from evaluator.plugins.insight.plots.marks import kind_of
from evaluator.plugins.insight.plots.scales import AxisScale, time_ticks, timestamp
from evaluator.plugins.insight.plots.scatter import Level, Scatter, ScatterPoint
from evaluator.plugins.insight.plots.wording import NONE, outside_text, shown
from evaluator.site.boards.wording import moment


@dataclass(frozen=True, kw_only=True, slots=True)
class Dated:
    """A row with a score and a time."""

    place: int
    """Among the board's rows."""
    row: Row
    group: Group
    time: float
    """Seconds since 1970."""
    score: float


def dated(board: BoardEntries) -> list[Dated]:
    entries = [
        Dated(place=place, row=row, group=board.group(row), time=time, score=score)
        for place, row in enumerate(board.rows)
        if (score := board.score(row)) is not None
        and (time := timestamp(row.submitted)) is not None
    ]
    return sorted(entries, key=lambda one: (one.time, one.place))


def records(items: Sequence[Dated], *, lower_is_better: bool) -> list[Dated]:
    """Who bettered all before, in order of time, but for baselines and what is reported."""
    sign = -1 if lower_is_better else 1
    submitted = (item for item in items if item.group == "submission")
    holders: list[Dated] = []
    for _, group in groupby(submitted, key=lambda item: item.time):
        best = max(group, key=lambda item: (sign * item.score, -item.place))
        if not holders or sign * best.score > sign * holders[-1].score:
            holders.append(best)
    return holders


DAY = 86400.0


def over_time(board: BoardEntries) -> Figure | str:
    if board.transposed:
        return "a data set's value is no record"
    items = dated(board)
    if len(items) < 2:
        return "fewer than two submissions have a score and a date"
    column = board.primary
    holders = records(items, lower_is_better=column.sorting == "asc")
    undated = [
        (place, score) for place, row in enumerate(board.rows)
        if (score := board.score(row)) is not None and timestamp(row.submitted) is None
    ]  # fmt: skip
    first, last = items[0].time, items[-1].time
    room = (last - first) * 0.04 or DAY / 2
    best = {item.place for item in holders}

    def point(place: int, score: float, time: float | None) -> ScatterPoint:
        row, value = board.rows[place], shown(score, column)
        return ScatterPoint(
            entry=place, kind=kind_of(board.group(row), best=place in best), x=time, y=score,
            name=row.submission.title, shown=value,
            says=value if time is None else f"{value}, {moment(row.submitted)}",
        )  # fmt: skip

    scatter = Scatter(
        points=[*(point(item.place, item.score, item.time) for item in items),
                *(point(place, score, None) for place, score in undated)],
        kinds=legend_names(board, "records"), up_name=axis_name(column),
        level=Level(
            name="submitted (UTC)", without="no date",
            make=lambda start, end: AxisScale(
                low=first - room, high=last + room, start=start, end=end
            ),
            ticks=lambda axis: time_ticks(axis.low, axis.high),
        ),
        line=[(item.time, item.score) for item in holders], line_name="best so far",
    )  # fmt: skip
    description = tuple(_said(board, items, holders))
    drawings, drawn, many = draw_scatter(scatter, board, f"{column.title} over time", description)
    return Figure(
        question="history", name="score-over-time", heading="Score over time", board=board,
        drawings=drawings, caption=(*description, *many, *outside_text(scatter.outside)),
        head=("submission", "Submission"), keys=("kind", "submitted", column.key, "record"),
        titles=("Kind", "Submitted", column.title, "Record"),
        lines=_lines(board, [point.entry for point in scatter.points], best), marks=drawn,
    )  # fmt: skip


def _said(board: BoardEntries, items: Sequence[Dated], holders: Sequence[Dated]) -> Iterator[str]:
    first, last = items[0].row.submitted, items[-1].row.submitted
    when = f"all of {moment(first)}" if first == last else f"from {first[:10]} to {last[:10]}"
    yield f"{counted(len(items), board.nouns)}, {when}."
    if holders:
        best = holders[-1]
        yield (
            f"The line is the best so far, without baselines and reported results: "
            f"{counted(len(holders), 'records')}, now {shown(best.score, board.primary)} "
            f"by {best.row.submission.title} ({best.row.submission.participant})."
        )
    if board.relative:
        yield "Values compare submissions with all others of today's board, earlier ones as well."
    without = sum(board.score(row) is None for row in board.rows)
    if without:
        verb = "have" if without != 1 else "has"
        yield f"{counted(without, board.nouns)} {verb} no score over all tasks."


def _lines(board: BoardEntries, places: Sequence[int], best: set[int]) -> list[FigureLine]:
    lines = []
    for index, place in enumerate(places):
        row = board.rows[place]
        group, score = board.group(row), board.score(row)
        record = place in best
        texts = (
            group, moment(row.submitted) or NONE, shown(score, board.primary),
            "yes" if record else "",
        ) if index < MAX_LINES else ()  # fmt: skip
        values = (group, row.submitted, score, record)
        lines.append(FigureLine(head=row, values=values, texts=texts))
    return lines
