"""Scores on each task: every submission a point, with their box."""

import statistics
from collections.abc import Sequence
from operator import itemgetter

import numpy as np

from evaluator.core.errors import counted
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_LINES, MAX_MARKS, Figure, Line
from evaluator.plugins.insight.plots.frame import WIDTH, short_texts
from evaluator.plugins.insight.plots.marks import (
    GRID,
    Kind,
    Mark,
    best_of,
    draw_marks,
    draw_shade,
    legend,
    strip,
)
from evaluator.plugins.insight.plots.scales import Scale, make_scale
from evaluator.plugins.insight.plots.svg import MUTED, Drawing
from evaluator.plugins.insight.plots.wording import label, outside_text, shown, text_width
from evaluator.plugins.insight.statistics.boxes import Box, make_box

ROW, TOP = 44.0, 34.0
LEFT, RIGHT = 156.0, 560.0
MAX_TASKS = 40
APART = 20
"""Ratio of the greatest to the least median of tasks from which each has an axis of its own."""


def distribution(board: BoardEntries) -> Figure | str:
    compared = [(task, _values(own)) for task, own in zip(board.tasks, board.values, strict=True)]
    compared = [(task, values) for task, values in compared if len(values) > 1]
    if not any(len(values) > 2 for _, values in compared):
        return "no task has scores of three submissions"
    rows = compared[:MAX_TASKS]
    scales, outside = _scales([[value for value, _ in values] for _, values in rows])
    common = len(set(map(id, scales))) == 1
    count = sum(len(values) for _, values in rows)
    dense = count > MAX_MARKS
    boxes = [make_box([value for value, _ in values]) for _, values in rows]
    description = _said(board, len(compared), count, common=common, dense=dense)
    drawing = Drawing(
        f"{board.compared.title} on each of {counted(len(rows), _parts(board))}",
        " ".join([*description, *_medians(board, rows, boxes)]), width=WIDTH, natural=True,
    )  # fmt: skip
    foot = TOP + ROW * len(rows)
    if common:
        for tick, text in short_texts(scales[0].ticks()):
            x = scales[0].at(tick)
            drawing.line(x, TOP, x, foot, stroke=GRID)
            drawing.text(x, foot + 14, text, anchor="middle", size=11, fill=MUTED)
    marks: list[Mark] = []
    for index, ((task, values), scale, box) in enumerate(zip(rows, scales, boxes, strict=True)):
        y = TOP + ROW * (index + 0.5)
        drawing.text(LEFT - 8, y + 4, label(task.name, 20), anchor="end")
        _counts(drawing, board, task, len(values), y)
        if box:
            _box(drawing, scale, box, y)
        if not common:
            _ends(drawing, scale, values, y)
        if dense:
            draw_shade(drawing, values, scale, y)
            values = [*best_of(values, lower=_lower(board)), *_baselines(board, values)]
        marks += strip(board, task, values, scale, y)
    drawn = draw_marks(drawing, marks)
    kinds = {mark.kind for mark in drawn}
    names: list[tuple[Kind, str]] = [
        ("other", board.nouns), ("best", f"best of the {_parts(board)[:-1]}"),
        ("baseline", "baseline"), ("reported", "reported, not reproduced"),
    ]  # fmt: skip
    legend(drawing, [(kind, name) for kind, name in names if kind in kinds], LEFT, 12)
    name = f"{board.compared.title} ({'lower' if _lower(board) else 'higher'} is better)"
    drawing.text((LEFT + RIGHT) / 2, foot + 32, name, anchor="middle", size=11, fill=MUTED)
    drawing.height = foot + 42
    return Figure(
        name="scores-per-task", board=board, drawing=drawing,
        heading="Scores of each method" if board.transposed else "Scores on each task",
        caption=(*description, *outside_text(outside)),
        head=("submission", "Submission"), keys=tuple(task.slug for task in board.tasks),
        titles=tuple(task.name for task in board.tasks), lines=_lines(board), marks=drawn,
        rows=(TOP, ROW),
    )  # fmt: skip


def _lower(board: BoardEntries) -> bool:
    return board.compared.sorting == "asc"


def _parts(board: BoardEntries) -> str:
    return "methods" if board.transposed else "tasks"


def _values(own: Floats) -> list[tuple[float, int]]:
    order = np.argsort(own, kind="stable")[: np.count_nonzero(~np.isnan(own))]  # NaN stands last
    return list(zip(own[order].tolist(), order.tolist(), strict=True))


def _scales(rows: Sequence[Sequence[float]]) -> tuple[list[Scale], int]:
    everything = [value for row in rows for value in row]
    sizes = [size for row in rows if (size := abs(statistics.median(row))) > 0]
    shares = all(0 <= value <= 1 for value in everything)
    if shares or not sizes or max(sizes) / min(sizes) <= APART:
        scale, outside = make_scale(everything, LEFT, RIGHT)
        return [scale] * len(rows), outside
    scales = [make_scale(row, LEFT, RIGHT) for row in rows]
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


def _medians(
    board: BoardEntries,
    rows: Sequence[tuple[Task, Sequence[tuple[float, int]]]],
    boxes: Sequence[Box | None],
) -> list[str]:
    return [
        f"{task.name}: median {shown(box.median, board.compared)}."
        for (task, _), box in zip(rows, boxes, strict=True) if box
    ]  # fmt: skip


def _counts(drawing: Drawing, board: BoardEntries, task: Task, count: int, y: float) -> None:
    failed, missing = board.failures[task.slug], board.missing[task.slug]
    second = [f"{failed:,} failed"] if failed else []
    second += [f"{missing:,} missing"] if missing else []
    drawing.text(RIGHT + 12, y + (-2 if second else 4), f"n = {count:,}", size=11, fill=MUTED)
    for index, text in enumerate(second):
        drawing.text(RIGHT + 12, y + 11 + 12 * index, text, size=10, fill=MUTED)


def _box(drawing: Drawing, scale: Scale, box: Box, y: float) -> None:
    ends = (min(box.low, box.q1), box.q1, box.median, box.q3, max(box.high, box.q3))
    low, q1, middle, q3, high = map(scale.at, ends)
    drawing.line(low, y, q1, y, stroke=MUTED)
    drawing.line(q3, y, high, y, stroke=MUTED)
    drawing.box(q1, y - 11, max(q3 - q1, 1), 22, stroke=MUTED)
    drawing.line(middle, y - 11, middle, y + 11, width=2.5)


def _ends(drawing: Drawing, scale: Scale, values: Sequence[tuple[float, int]], y: float) -> None:
    last = -1e9
    for value, text in short_texts(list(dict.fromkeys((values[0][0], values[-1][0])))):
        x = scale.at(value)
        if x - text_width(text, 10) / 2 > last + 4:
            drawing.text(x, y + 20, text, anchor="middle", size=10, fill=MUTED)
            last = x + text_width(text, 10) / 2


def _baselines(board: BoardEntries, values: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    return sorted((item for item in values if item[1] in board.baselines), key=itemgetter(1))


def _lines(board: BoardEntries) -> list[Line]:
    numbers = board.values.T
    rows = numbers.astype(object)
    rows[np.isnan(numbers)] = None
    lines: list[Line] = []
    for row, values in zip(board.rows, map(tuple, rows.tolist()), strict=True):
        texts = tuple(shown(v, board.compared) for v in values) if len(lines) < MAX_LINES else ()
        lines.append(Line(head=row, values=values, texts=texts))
    return lines
