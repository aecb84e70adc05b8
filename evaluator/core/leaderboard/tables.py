"""A board as columns, CSV, and text for a terminal."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
import numpy as np

from evaluator.core.errors import printable
from evaluator.core.formats.columns import Column
from evaluator.core.formats.fact_sheet import answer_text
from evaluator.core.formats.plain_text import inert, one_line, value_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import claim_mark, fact, fact_columns, fact_text, goal_lines
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats

_MAX_TEXT = 40
"""Characters of an answer in a terminal."""
CSV_LINES = 1000
"""That are in memory at once: of 10,000 rows and 90 columns all would be 100 MB."""
Form = Literal["table", "csv", "json"]
Cells = Sequence[Any] | Floats
"""Values by row; in an array, NaN where there is none."""


def columns_of_board(board: PublicBoard) -> dict[str, list[Any] | Floats]:
    """One row per published submission, unrounded, by column; absent values as None or NaN.

    Columns: rank, participant, submission, title, status; ``data`` where it is not that of the
    benchmark's name; ``column`` over all tasks, or
    ``column:rank`` where its key is one of these names; ``task:column`` for each task where there
    are several; ``deviation`` behind either for the sample standard deviation over repeats, where
    there is one; ``low`` and ``high`` for the ends of a 95% interval, where there are some;
    ``fact_sheet:question`` for the questions whose answers stand on the board;
    ``fact:key`` for times and dates; ``standing`` where an organiser must approve, or refused some.
    """
    rows, table = board.rows, board.table
    listed = len(rows)
    columns: dict[str, list[Any] | Floats] = {
        "rank": [row.rank for row in rows],
        "participant": [row.submission.participant for row in rows],
        "submission": [row.submission.name for row in rows],
        "title": [row.submission.title for row in rows],
        "status": [row.state for row in rows],
    }
    if board.benchmark.stand_in:
        columns["data"] = ["stand-in"] * listed
    for column in board.columns:
        name = f"column:{column.key}" if column.key in columns else column.key
        columns[name] = board.overall[column.key][:listed]
        for place, end in enumerate(("low", "high") if column.derived else ()):
            ends = [row.intervals.get(column.key) for row in rows]
            columns[f"{name}:{end}"] = [both and both[place] for both in ends]
        if len(board.tasks) == 1 and column.key in table.deviations:
            columns[f"{name}:deviation"] = table.deviations[column.key][0, :listed]
    finished = {column.key: table.finished(column.key) for column in board.task_columns}
    for index, task in enumerate(board.tasks if len(board.tasks) > 1 else ()):
        for key, values in finished.items():
            columns[f"{task.slug}:{key}"] = values[index, :listed]
            if key in table.deviations:
                name = f"{task.slug}:{key}:deviation"
                columns[name] = table.deviations[key][index, :listed]
    for question in board.benchmark.board_questions:
        answers = [row.submission.fact_sheet.get(question.key) for row in rows]
        columns[f"fact_sheet:{question.key}"] = answers
    for fact_column in fact_columns(board):
        columns[f"fact:{fact_column.key}"] = [fact(row, fact_column, board) for row in rows]
    if board.has_standings:
        columns["standing"] = [None if row.standing is None else str(row.standing) for row in rows]
    return columns


def csv_of_board(board: PublicBoard) -> Iterator[str]:
    columns = columns_of_board(board)
    return csv_parts(list(columns), list(columns.values()))


def to_csv(board: PublicBoard) -> str:
    """CSV with repr precision, ranks as whole numbers; no text in it is a spreadsheet's formula."""
    return "".join(csv_of_board(board))


def csv_parts(names: Sequence[str], columns: Sequence[Cells]) -> Iterator[str]:
    """Yield the head and the first lines, then the others; names may be doubled by strangers."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(map(inert, names))
    for start in range(0, max(1, len(columns[0])), CSV_LINES):
        cells = (_cells(column[start : start + CSV_LINES]) for column in columns)
        writer.writerows(zip(*cells, strict=True))
        yield stream.getvalue()
        stream.seek(0)
        stream.truncate()


def _cells(column: Cells) -> Sequence[Any]:
    """What Python's writer writes as it is: texts, whole numbers, an empty text for none."""
    if not isinstance(column, np.ndarray):
        return ["" if cell is None else inert(cell) for cell in column]
    numbers = column.tolist()
    texts = msgspec.json.encode(numbers).decode()[1:-1].split(",") if numbers else []
    size = np.abs(column)
    # These digits are those of repr, in a fifth of its time, wherever it writes no exponent.
    for place in np.flatnonzero(~((size >= 1e-4) & (size < 1e16) | (size == 0))).tolist():
        texts[place] = "" if numbers[place] != numbers[place] else repr(numbers[place])
    return texts


def to_text(board: PublicBoard) -> str:
    questions = board.benchmark.board_questions
    status = board.phase.shows == "status"
    heads = [
        "#", "participant", "submission", *(column.title for column in board.columns),
        *(["status"] if status else []),
        *(printable(question.title)[:_MAX_TEXT] for question in questions),
        *(column.title for column in fact_columns(board)),
        *(["standing"] if board.has_standings else []),
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
    if board.groups:
        text.append(_group_line(board, widths))
    for line in lines:
        cells = [
            cell.rjust(width) if place == 0 or 2 < place <= numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text.append("  ".join(cells).rstrip())
    return "\n".join(text) + "\n"


def _group_line(board: PublicBoard, widths: list[int]) -> str:
    """The names of groups, each over its columns, which are widened where it is longer."""
    names = "  ".join(" " * width for width in widths[:3])
    place = 3
    for name, count in board.groups:
        width = sum(widths[place : place + count]) + 2 * (count - 1)
        text = printable(name)[:_MAX_TEXT]
        widths[place] += max(0, len(text) - width)
        names += "  " + text.center(max(width, len(text)))
        place += count
    return names.rstrip()


def _text_row(row: Row, board: PublicBoard) -> list[str]:
    return [
        "" if row.rank is None else str(row.rank),
        row.submission.participant,
        row.submission.name
        + (" (reported)" if row.submission.reported else "")
        + (" (baseline)" if row.submission.solution else ""),
        *(value_text(row, column) + _spread_text(row, column, board) for column in board.columns),
        *([row.state] if board.phase.shows == "status" else []),
        *(
            printable(answer_text(row.submission.fact_sheet.get(question.key)))[:_MAX_TEXT]
            + claim_mark(row, question.key, board)
            for question in board.benchmark.board_questions
        ),
        *(fact_text(fact(row, column, board)) for column in fact_columns(board)),
        *([printable(str(row.standing or ""))] if board.has_standings else []),
    ]


def _spread_text(row: Row, column: Column, board: PublicBoard) -> str:
    if column.key in row.intervals:
        low, high = row.intervals[column.key]
        return f" [{low:.{column.precision}f}, {high:.{column.precision}f}]"
    if len(board.tasks) != 1 or column.key not in row.overall:
        return ""
    deviation = row.tasks[board.tasks[0].slug].deviations.get(column.key)
    return "" if deviation is None else f" ± {deviation:.{column.precision}f}"


def value_text(row: Row, column: Column) -> str:
    if column.key in row.overall:
        return f"{row.overall[column.key]:.{column.precision}f}"
    return row.state if row.state != "finished" else ""


def score(row: Row, board: PublicBoard) -> str:
    column = board.benchmark.leaderboard.primary
    if column not in board.columns or column.key not in row.overall:
        return ""
    return value_line(row.overall[column.key], column)


def scored(row: Row, board: PublicBoard) -> str:
    """The column and the value, such as ``Accuracy 0.93``; empty where there is none."""
    value = score(row, board)
    return f"{one_line(board.benchmark.leaderboard.primary.title, 40)} {value}" if value else ""
