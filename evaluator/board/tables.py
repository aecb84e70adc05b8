"""A board as a frame, CSV, and text for a terminal."""

from typing import TYPE_CHECKING, Any, Literal

from evaluator.board.claims import claim_mark
from evaluator.board.csv_cells import inert
from evaluator.board.data import BoardData as BoardData
from evaluator.board.data import to_data as to_data
from evaluator.board.data import to_json as to_json
from evaluator.board.facts import fact, fact_columns, fact_text
from evaluator.board.goals import goal_lines
from evaluator.board.leaderboard import Board, Row
from evaluator.errors import printable
from evaluator.formats.columns import Column
from evaluator.formats.fact_sheet import answer_text

if TYPE_CHECKING:
    import pandas as pd

_MAX_TEXT = 40
"""Characters of an answer in a terminal."""
Form = Literal["table", "csv", "json"]


def to_frame(board: Board) -> "pd.DataFrame":
    """One row per submission, unrounded, absent values as NaN.

    Columns: rank, participant, submission, title, status; ``column`` over all tasks; and
    ``task:column`` for each task where there are several; ``fact_sheet:question`` for the
    questions whose answers stand on the board; ``fact:key`` for times and dates; ``standing``
    where an organiser must approve.
    """
    import pandas as pd  # half a second, which `plan` and `run` need not pay

    return pd.DataFrame([_flat(row, board) for row in board.rows], columns=_names(board))


def _names(board: Board) -> list[str]:
    names = ["rank", "participant", "submission", "title", "status"]
    names += [column.key for column in board.columns]
    if len(board.tasks) > 1:
        names += [
            f"{task.slug}:{column.key}" for task in board.tasks for column in board.task_columns
        ]
    names += [f"fact_sheet:{question.key}" for question in board.benchmark.board_questions]
    names += [f"fact:{column.key}" for column in fact_columns(board)]
    return [*names, "standing"] if board.benchmark.needs_approval else names


def _flat(row: Row, board: Board) -> dict[str, Any]:
    flat: dict[str, Any] = {
        "rank": row.rank,
        "participant": row.submission.participant,
        "submission": row.submission.name,
        "title": row.submission.title,
        "status": row.state,
    }
    for column in board.columns:
        flat[column.key] = row.overall.get(column.key)
    for column in board.task_columns if len(board.tasks) > 1 else ():
        for task in board.tasks:
            result = row.tasks[task.slug]
            value = result.values.get(column.key) if result.state == "finished" else None
            flat[f"{task.slug}:{column.key}"] = value
    for question in board.benchmark.board_questions:
        flat[f"fact_sheet:{question.key}"] = row.submission.fact_sheet.get(question.key)
    for fact_column in fact_columns(board):
        flat[f"fact:{fact_column.key}"] = fact(row, fact_column, board)
    if row.standing is not None:
        flat["standing"] = str(row.standing)
    return flat


def to_csv(board: Board) -> str:
    """CSV with repr precision, ranks as whole numbers; no text in it is a spreadsheet's formula."""
    frame = to_frame(board)
    frame["rank"] = frame["rank"].astype("Int64")
    for name in frame.select_dtypes(exclude="number").columns:
        frame[name] = frame[name].map(inert)
    frame.columns = [inert(name) for name in frame.columns]
    return str(frame.to_csv(index=False, lineterminator="\n"))


def to_text(board: Board) -> str:
    """Aligned columns for a terminal; rounded for display alone."""
    questions = board.benchmark.board_questions
    status = board.phase.shows == "status"
    heads = [
        "#", "participant", "submission", *(column.title for column in board.columns),
        *(["status"] if status else []),
        *(printable(question.title)[:_MAX_TEXT] for question in questions),
        *(column.title for column in fact_columns(board)),
        *(["standing"] if board.benchmark.needs_approval else []),
    ]  # fmt: skip
    lines = [_text_row(row, board) for row in board.rows]
    for goal in reversed(goal_lines(board)):
        value = f"{goal.value:.{goal.column.precision}f}"
        cells = ["", "(goal)", goal.label]
        cells += [value if column == goal.column else "" for column in board.columns]
        lines.insert(goal.position, [*cells, *[""] * (len(heads) - len(cells))])
    lines.insert(0, heads)
    widths = [max(len(line[place]) for line in lines) for place in range(len(heads))]
    numbers = 2 + len(board.columns)
    text = [f"{board.benchmark.title}: {board.phase.name}"]
    for line in lines:
        cells = [
            cell.rjust(width) if place == 0 or 2 < place <= numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(cells).rstrip())
    return "\n".join(text) + "\n"


def _text_row(row: Row, board: Board) -> list[str]:
    return [
        "" if row.rank is None else str(row.rank),
        row.submission.participant,
        row.submission.name + (" (reported)" if row.submission.reported else ""),
        *(value_text(row, column) for column in board.columns),
        *([row.state] if board.phase.shows == "status" else []),
        *(
            printable(answer_text(row.submission.fact_sheet.get(question.key)))[:_MAX_TEXT]
            + claim_mark(row, question.key, board)
            for question in board.benchmark.board_questions
        ),
        *(fact_text(fact(row, column, board)) for column in fact_columns(board)),
        *([printable(str(row.standing))] if row.standing is not None else []),
    ]


def value_text(row: Row, column: Column) -> str:
    """Return a value over all tasks as it is shown, or the state that stands in its place."""
    if column.key in row.overall:
        return f"{row.overall[column.key]:.{column.precision}f}"
    return row.state if row.state != "finished" else ""
