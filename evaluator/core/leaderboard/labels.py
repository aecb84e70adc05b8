"""Names and scores of a board's rows as feeds, badges and pictures write them."""

from evaluator.core.formats.plain_text import one_line, value_line
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard


def noun(board: PublicBoard, count: int) -> str:
    """Name what is ranked, in the number."""
    word = board.benchmark.row_noun
    return word if count == 1 else f"{word}s"


def named(row: Row, length: int = 60) -> str:
    """Name a submission and who entered it."""
    submission = row.submission
    return f"{one_line(submission.title, length)} ({submission.participant})"


def score(row: Row, board: PublicBoard) -> str:
    """Return the value by which a row is ranked; empty where it has none that is shown."""
    column = board.benchmark.leaderboard.primary
    if column not in board.columns or column.key not in row.overall:
        return ""
    return value_line(row.overall[column.key], column)


def scored(row: Row, board: PublicBoard) -> str:
    """Return the column and the value, such as ``Accuracy 0.93``; empty where there is none."""
    value = score(row, board)
    return f"{one_line(board.benchmark.leaderboard.primary.title, 40)} {value}" if value else ""


def entered(board: PublicBoard) -> str:
    """Say how many entered, and on how many tasks."""
    rows, tasks = len(board.rows) + len(board.unlisted), len(board.tasks)
    task = board.benchmark.task_noun
    return f"{rows:,} {noun(board, rows)} on {tasks} {task}{'' if tasks == 1 else 's'}"
