"""Ranks of the first submissions on each task."""

import math
from collections.abc import Iterator, Sequence

from evaluator.core.errors import counted
from evaluator.core.leaderboard.board import Row
from evaluator.core.ranking.ranks import ranks as rank_values
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import MAX_LINES, Figure, Line
from evaluator.plugins.insight.plots.marks import OTHER, Mark
from evaluator.plugins.insight.plots.svg import MUTED, Drawing, number
from evaluator.plugins.insight.plots.wording import NONE, label, shown, text_width

MAX_ROWS, MAX_TASKS = 40, 40
ROW, LEFT = 22.0, 190.0
CELL = 34.0
LEVELS = 5
SLANT = 40
"""Degrees at which names of tasks rise."""


def rank_table(board: BoardEntries) -> list[list[int | None]]:
    """Return the rank of each listed row on each task among them; equal ones share a rank."""
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
    rows = list(zip(entries, table, strict=True))[:MAX_ROWS]
    description = _said(board, len(entries))
    heads = [label(task.name, 18) for task in tasks]
    # Names of tasks rise obliquely.
    top = 20 + max(text_width(head, 11) for head in heads) * math.sin(math.radians(SLANT))
    drawing = Drawing(
        f"Ranks on {counted(len(tasks), 'tasks')}",
        " ".join([*description, *_firsts(board, entries, table)]),
        width=LEFT + CELL * len(tasks) + 70, height=top + ROW * len(rows) + 8, natural=True,
    )  # fmt: skip
    for column, head in enumerate(heads):
        x, y = LEFT + CELL * (column + 0.5), top - 8
        drawing.slanted(x, y, head, SLANT, size=11)
    cells: dict[int, list[str]] = {}
    marks: list[Mark] = []
    texts: list[str] = []
    for index, (entry, own_ranks) in enumerate(rows):
        y = top + ROW * index
        name = label(entry.submission.title, 22)
        drawing.text(LEFT - 8, y + 15, name, anchor="end")
        for column, rank in enumerate(own_ranks[: len(tasks)]):
            x = LEFT + CELL * column
            if rank is None:
                drawing.text(x + CELL / 2, y + 15, NONE, anchor="middle", size=11, fill=MUTED)
                continue
            wide, high = number(CELL - 2), number(ROW - 2)
            square = f"M{number(x)} {number(y)}h{wide}v{high}h-{wide}z"
            cells.setdefault(_level(rank, len(entries)), []).append(square)
            value = shown(float(values[column, index]), board.compared)
            says = f"{tasks[column].name}: rank {rank}, {value}"
            middle = x + CELL / 2 - 1
            marks.append(Mark(entry=index, kind="other", x=middle, y=y + 10, says=says))
            texts.append(f'<text x="{number(middle)}" y="{number(y + 14)}">{rank}</text>')
    for level, squares in sorted(cells.items()):
        drawing.path("".join(squares), fill=OTHER, opacity=0.1 * level)
    drawing.marks(
        "ranks", texts, font_size="11", text_anchor="middle", fill="var(--pb-plot-mark, #000)"
    )
    return Figure(
        name="ranks-across-tasks", heading="Ranks across tasks", board=board, drawing=drawing,
        caption=description, head=("submission", "Submission"),
        keys=tuple(task.slug for task in board.tasks),
        titles=tuple(task.name for task in board.tasks),
        lines=[
            Line(head=entry, values=tuple(own_ranks), texts=tuple(
                NONE if rank is None else f"{rank}" for rank in own_ranks
            ) if index < MAX_LINES else ())
            for index, (entry, own_ranks) in enumerate(zip(entries, table, strict=True))
        ],
        marks=marks, rows=(top, ROW),
    )  # fmt: skip


def _level(rank: int, count: int) -> int:
    """Return how dark a rank is, from 0 to 5: by its logarithm, so that first places differ."""
    if count < 2:
        return LEVELS
    if count <= LEVELS + 1:
        return max(0, LEVELS - rank + 1)
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
