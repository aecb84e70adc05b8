"""Ranks of the first submissions on each task."""

import math
from collections.abc import Iterator, Sequence

from evaluator.core.errors import counted
from evaluator.core.leaderboard.board import Row
from evaluator.core.ranking.ranks import ranks as rank_values
from evaluator.plugins.insight.plots.axes import Square, draw_map
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure, FigureLine
from evaluator.plugins.insight.plots.svg import NARROW, WIDE, Drawing
from evaluator.plugins.insight.plots.wording import NONE, shown

MAX_ROWS, MAX_TASKS = 40, 40
LEVELS = 5


def rank_table(board: BoardEntries) -> list[list[int | None]]:
    """The rank of each listed row on each task among them; equal ones share a rank."""
    values = board.values[:, : len(board.listed)]
    table = rank_values(values, ascending=board.compared.sorting == "asc").T
    return [[None if math.isnan(rank) else int(rank) for rank in row] for row in table.tolist()]


def ranks(board: BoardEntries) -> Figure | str:
    if board.transposed:
        return "data sets are not ranked by merit"
    entries = board.listed
    if len(board.tasks) < 2 or len(entries) < 2:
        return "it takes two tasks and two submissions"
    table, values = rank_table(board), board.values
    if not any(rank is not None for row in table for rank in row):
        return "nothing has finished"
    tasks = board.tasks[:MAX_TASKS]
    shown_rows = list(zip(entries, table, strict=True))[:MAX_ROWS]
    description = _said(board, len(entries))
    squares: list[Square] = []
    for index, (_, own_ranks) in enumerate(shown_rows):
        for column, rank in enumerate(own_ranks[: len(tasks)]):
            says = ""
            if rank is not None:
                value = shown(float(values[column, index]), board.compared)
                says = f"{tasks[column].name}: rank {rank}, {value}"
            level = None if rank is None else rank_level(rank, len(entries))
            text = NONE if rank is None else f"{rank}"
            squares.append(Square(row=index, column=column, text=text, level=level, says=says))
    names = [entry.submission.title for entry, _ in shown_rows]
    text = " ".join([*description, *_firsts(board, entries, table)])
    title = f"Ranks on {counted(len(tasks), 'tasks')}"
    drawn = [
        draw_map(Drawing(title, text, width=one), names, [task.name for task in tasks], squares)
        for one in (WIDE, NARROW)
    ]
    return Figure(
        question="best", name="ranks-across-tasks", heading="Ranks across tasks", board=board,
        drawings=tuple(drawing for drawing, _ in drawn), caption=description,
        head=("submission", "Submission"), keys=tuple(task.slug for task in board.tasks),
        titles=tuple(task.name for task in board.tasks),
        lines=[
            FigureLine(head=entry, values=tuple(own_ranks), texts=tuple(
                NONE if rank is None else f"{rank}" for rank in own_ranks
            ) if index < MAX_LINES else ())
            for index, (entry, own_ranks) in enumerate(zip(entries, table, strict=True))
        ],
        marks=drawn[0][1],
    )  # fmt: skip


def rank_level(rank: float, count: int) -> int:
    """How dark a rank is, from 0 to 5: by its logarithm, so that first places differ."""
    if count < 2:
        return LEVELS
    if count <= LEVELS + 1:
        return max(0, math.ceil(LEVELS - rank + 1))
    bounds = (1, 3, max(5, count // 10), max(8, count // 4), max(12, count // 2))
    return next((LEVELS - i for i, bound in enumerate(bounds) if rank <= bound), 0)


def _said(board: BoardEntries, count: int) -> tuple[str, ...]:
    sentences = [f"Rank of each submission on each task by {board.compared.title}, among all "
            f"{counted(count, 'submissions')} of the board; the stronger the colour, the better. "
            "Equal values share a rank."]  # fmt: skip
    if count > MAX_ROWS:
        sentences.append(f"The first {MAX_ROWS} of the board are drawn.")
    if len(board.tasks) > MAX_TASKS:
        sentences.append(f"The first {MAX_TASKS} of {len(board.tasks)} tasks are drawn.")
    return tuple(sentences)


def _firsts(
    board: BoardEntries, rows: Sequence[Row], table: Sequence[Sequence[int | None]]
) -> Iterator[str]:
    for column, task in enumerate(board.tasks[:MAX_TASKS]):
        first = [row for row, ranks in zip(rows, table, strict=True) if ranks[column] == 1]
        if first:
            yield f"{task.name}: {', '.join(row.submission.title for row in first[:3])}."
