"""Score over time, with the best so far: who bettered all that was there before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from evaluator.core.errors import counted
from evaluator.core.leaderboard.board import Row
from evaluator.plugins.insight.plots.entries import BoardEntries, Group
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure, Line
from evaluator.plugins.insight.plots.frame import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    axis_name,
    field_drawing,
    level,
    steps,
    upright,
)
from evaluator.plugins.insight.plots.marks import BASELINE, BEST, REPORTED, Mark, kind_of
from evaluator.plugins.insight.plots.scales import Scale, make_scale, time_ticks, timestamp
from evaluator.plugins.insight.plots.scatter import draw_scatter
from evaluator.plugins.insight.plots.svg import number
from evaluator.plugins.insight.plots.wording import NONE, outside_text, shown
from evaluator.site.leaderboard.wording import moment


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
    """Return who bettered all before, in order of time; of several at one moment the best.

    Baselines and what others report hold no records.
    """
    sign = -1 if lower_is_better else 1
    submitted = (item for item in items if item.group == "submission")
    holders: list[Dated] = []
    for _, group in groupby(submitted, key=lambda item: item.time):
        best = max(group, key=lambda item: (sign * item.score, -item.place))
        if not holders or sign * best.score > sign * holders[-1].score:
            holders.append(best)
    return holders


GUTTER = 90.0
"""Room at the right for what has no date."""
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
        place for place, row in enumerate(board.rows)
        if board.score(row) is not None and timestamp(row.submitted) is None
    ]  # fmt: skip
    scores = [score for row in board.rows if (score := board.score(row)) is not None]
    up, outside = make_scale(scores, BOTTOM, TOP)
    right = RIGHT - GUTTER if undated else RIGHT
    first, last = items[0].time, items[-1].time
    room = (last - first) * 0.04 or DAY / 2
    across = Scale(low=first - room, high=last + room, start=LEFT, end=right)
    drawing = field_drawing(f"{column.title} over time", " ".join(_said(board, items, holders)))
    upright(drawing, up, axis_name(column))
    level(drawing, time_ticks(across.low, across.high), across, "submitted (UTC)")
    for item in items:
        if item.group == "baseline":
            y = number(up.at(item.score))
            drawing.path(f"M{number(LEFT)} {y}H{number(right)}", stroke=BASELINE, dashed=True)
    if undated:
        x = number(right + 10)
        drawing.path(f"M{x} {number(TOP)}V{number(BOTTOM)}", stroke=REPORTED, dashed=True)
        drawing.text(right + 18, BOTTOM - 6, "no date", size=11, fill=REPORTED)
    line = [(across.at(item.time), up.at(item.score)) for item in holders]
    if line:
        drawing.path(steps(line, right), stroke=BEST, width=2)
        line.append((right, line[-1][1]))
    best = {item.place for item in holders}
    marks = [
        Mark(
            entry=item.place, kind=kind_of(item.group, best=item.place in best),
            x=across.at(item.time), y=up.at(item.score),
            says=f"{shown(item.score, column)}, {moment(item.row.submitted)}",
        )
        for item in items
    ] + [
        Mark(
            entry=place, kind=kind_of(board.group(board.rows[place]), best=place in best),
            x=RIGHT - GUTTER / 2, y=up.at(board.score(board.rows[place]) or 0),
            says=shown(board.score(board.rows[place]), column),
        )
        for place in undated
    ]  # fmt: skip
    drawn, many = draw_scatter(
        drawing, board, marks, best="records", line="best so far", corners=line, right=right
    )
    return Figure(
        name="score-over-time", heading="Score over time", board=board, drawing=drawing,
        caption=(*_said(board, items, holders), *many, *outside_text(outside)),
        head=("submission", "Submission"), keys=("kind", "submitted", column.key, "record"),
        titles=("Kind", "Submitted", column.title, "Record"),
        lines=_lines(board, [*(item.place for item in items), *undated], best), marks=drawn,
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


def _lines(board: BoardEntries, places: Sequence[int], best: set[int]) -> list[Line]:
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
        lines.append(Line(head=row, values=values, texts=texts))
    return lines
