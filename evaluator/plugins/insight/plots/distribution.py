"""Scores on each task: every submission a point, with their box."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np

from evaluator.core.errors import counted
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.insight.plots.axes import axis_name, draw_box, level, make_rows, short_texts
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure, FigureLine, legend_names
from evaluator.plugins.insight.plots.marks import (
    Mark,
    Values,
    best_of,
    draw_marks,
    draw_shade,
    legend,
    strip,
)
from evaluator.plugins.insight.plots.scales import AxisScale, make_scale
from evaluator.plugins.insight.plots.scatter import MAX_MARKS
from evaluator.plugins.insight.plots.svg import LINE, NARROW, WIDE, Drawing, number, text_width
from evaluator.plugins.insight.plots.wording import outside_text, shown
from evaluator.plugins.insight.statistics.boxes import Box, make_box

ROW = 44.0
MAX_TASKS = 40
APART = 20
"""Ratio of the greatest to the least median of tasks from which each has an axis of its own."""


def distribution(board: BoardEntries) -> Figure | str:
    compared = [(task, _values(own)) for task, own in zip(board.tasks, board.values, strict=True)]
    compared = [(task, values) for task, values in compared if len(values) > 1]
    if not any(len(values) > 2 for _, values in compared):
        return "no task has scores of three submissions"
    rows = compared[:MAX_TASKS]
    scales, outside = _scales(board, [values for _, values in rows], 0, 1)
    count = sum(len(values) for _, values in rows)
    dense = count > MAX_MARKS
    boxes = [make_box([value for value, _ in values]) for _, values in rows]
    description = _said(board, len(compared), count, common=len(scales) == 1, dense=dense)
    title = f"{board.compared.title} on each of {counted(len(rows), _parts(board))}"
    medians = (
        f"{task.name}: median {shown(box.median, board.compared)}."
        for (task, _), box in zip(rows, boxes, strict=True)
    )
    text = " ".join([*description, *medians])
    drawn = [_draw(Drawing(title, text, width=one), board, rows, boxes) for one in (WIDE, NARROW)]
    return Figure(
        question="hard", name="scores-per-task", board=board,
        drawings=tuple(drawing for drawing, _ in drawn),
        heading="Scores of each method" if board.transposed else "Scores on each task",
        caption=(*description, *outside_text(outside)),
        head=("submission", "Submission"), keys=tuple(task.slug for task in board.tasks),
        titles=tuple(task.name for task in board.tasks), lines=_lines(board), marks=drawn[0][1],
    )  # fmt: skip


def _draw(
    drawing: Drawing,
    board: BoardEntries,
    tasks: Sequence[tuple[Task, Values]],
    boxes: Sequence[Box],
) -> tuple[Drawing, list[Mark]]:
    values_of = [values for _, values in tasks]
    remarks = [_counts(board, task, len(values)) for task, values in tasks]
    rows = make_rows(drawing, 0, ROW, remarks)
    scales, _ = _scales(board, values_of, rows.left, rows.right)
    dense = sum(map(len, values_of)) > MAX_MARKS
    lower = board.compared.sorting == "asc"
    places = [
        [*best_of(values, lower=lower), *_baselines(board, values)] if dense else values
        for values in values_of
    ]
    kinds = [mark.kind for (task, _), own in zip(tasks, places, strict=True)
             for mark in strip(board, task, own, scales[0], 0)]  # fmt: skip
    top = legend(drawing, kinds, legend_names(board, f"best of the {_parts(board)[:-1]}")) + 8
    rows = replace(rows, top=top)
    name = axis_name(board.compared)
    if len(scales) == 1:
        beyond = "baseline" if _baselines(board, [v for own in values_of for v in own]) else ""
        level(drawing, scales[0], short_texts(scales[0].ticks()), name, top, rows.foot(len(tasks)),
              beyond)  # fmt: skip
    else:
        drawing.height = rows.foot(len(tasks)) + LINE
        drawing.text(drawing.width / 2, drawing.height - 4, name, anchor="middle", look="muted")
    marks: list[Mark] = []
    for index, ((task, values), own, box) in enumerate(zip(tasks, places, boxes, strict=True)):
        y, scale = rows.middle(index), scales[index % len(scales)]
        rows.name(index, task.name, remarks[index])
        if len(scales) > 1:
            _ends(drawing, scale, values, y)
        if dense:
            draw_shade(drawing, values, scale, y)
        draw_box(drawing, scale, box, y, 11)
        marks += strip(board, task, own, scale, y)
    drawing.rows = f"{number(top)} {number(rows.height)}"
    return drawing, draw_marks(drawing, marks)


def _parts(board: BoardEntries) -> str:
    return "methods" if board.transposed else "tasks"


def _values(own: Floats) -> list[tuple[float, int]]:
    order = np.argsort(own, kind="stable")[: np.count_nonzero(~np.isnan(own))]  # NaN stands last
    return list(zip(own[order].tolist(), order.tolist(), strict=True))


def _scales(
    board: BoardEntries, rows: Sequence[Values], start: float, end: float
) -> tuple[list[AxisScale], int]:
    """One scale for all rows, or one for each, and how many values are too far out."""
    numbers = [[value for value, _ in row] for row in rows]
    contenders = [[value for value, place in row if place not in board.baselines] for row in rows]
    everything = [value for row in numbers for value in row]
    sizes = [size for row in numbers if (size := abs(statistics.median(row))) > 0]
    shares = all(0 <= value <= 1 for value in everything)
    if shares or not sizes or max(sizes) / min(sizes) <= APART:
        flat = [value for row in contenders for value in row]
        scale, outside = make_scale(everything, start, end, contenders=flat)
        return [scale], outside
    scales = [make_scale(row, start, end, contenders=own)
              for row, own in zip(numbers, contenders, strict=True)]  # fmt: skip
    return [scale for scale, _ in scales], sum(count for _, count in scales)


def _said(
    board: BoardEntries, tasks: int, count: int, *, common: bool, dense: bool
) -> tuple[str, ...]:
    failed, missing = sum(board.failures.values()), sum(board.missing.values())
    sentences = [f"{counted(count, 'results')} in {board.compared.title}. The box holds the middle "
             "half, its line is the median, whiskers reach 1.5 boxes."]  # fmt: skip
    if not common:
        sentences.append("Tasks differ so much in size that each row has an axis of its own.")
    if dense:
        sentences.append(f"More than {MAX_MARKS:,} results are drawn as shading; points are the "
                         "best and the baseline.")  # fmt: skip
    if tasks > MAX_TASKS:
        sentences.append(f"The first {MAX_TASKS} of {tasks} {_parts(board)} are drawn.")
    if failed or missing:
        sentences.append(f"{counted(failed, 'results')} failed, {missing:,} are missing or stale: "
                     "they have no point.")  # fmt: skip
    return tuple(sentences)


def _counts(board: BoardEntries, task: Task, count: int) -> str:
    failed, missing = board.failures[task.slug], board.missing[task.slug]
    parts = [f"n = {count:,}", *([f"{failed:,} failed"] if failed else [])]
    return ", ".join(parts + ([f"{missing:,} missing"] if missing else []))


def _ends(drawing: Drawing, scale: AxisScale, values: Values, y: float) -> None:
    last = -1e9
    for value, text in short_texts(list(dict.fromkeys((values[0][0], values[-1][0])))):
        x = scale.at(value)
        if x - text_width(text) / 2 > last + 4:
            drawing.text(x, y + 20, text, anchor="middle", look="muted")
            last = x + text_width(text) / 2


def _baselines(board: BoardEntries, values: Values) -> list[tuple[float, int]]:
    return sorted((item for item in values if item[1] in board.baselines), key=itemgetter(1))


def _lines(board: BoardEntries) -> list[FigureLine]:
    numbers = board.values.T
    rows = numbers.astype(object)
    rows[np.isnan(numbers)] = None
    lines: list[FigureLine] = []
    for row, values in zip(board.rows, map(tuple, rows.tolist()), strict=True):
        texts = tuple(shown(v, board.compared) for v in values) if len(lines) < MAX_LINES else ()
        lines.append(FigureLine(head=row, values=values, texts=texts))
    return lines
