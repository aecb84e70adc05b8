"""Grades as CSV: one of our own with all that is known, and those that learning platforms import.

Canvas wants the columns of its own export, in their order, and reads a row *Points Possible*
("How do I import grades in the Gradebook?" of its instructor guide; ``lib/gradebook_importer.rb``).
Moodle lets the teacher map columns, and guesses those that have the names of its own export ("Grade
import" of its documentation).
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluator.core.errors import UsageError
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.tables import csv_parts
from evaluator.plugins.courses.grades import LOGIN, NUMBER, Grade

_CANVAS = {"Student": "name", "ID": "", "SIS User ID": NUMBER, "SIS Login ID": "", "Section": ""}
"""Columns of Canvas's export -> the column of a class list that has it, too."""
_MOODLE = {"ID number": NUMBER, "Email address": "email"}


def gradebook(grades: Sequence[Grade], board: PublicBoard, form: str) -> str:
    """Grades as CSV. Raises UsageError for a form that cannot hold them."""
    columns = FORMS[form](grades, board)
    return "".join(csv_parts(list(columns), list(columns.values())))


def _plain(grades: Sequence[Grade], _: PublicBoard) -> dict[str, list[Any]]:
    carried = dict.fromkeys(name for one in grades for name in one.student)
    return {
        **{name: [one.student[name] for one in grades] for name in (NUMBER, LOGIN, *carried)},
        "submission": [one.submission for one in grades],
        "score": [one.score for one in grades],
        "grade": [one.grade for one in grades],
        "rank": [one.rank for one in grades],
        "attempts": [one.attempts for one in grades],
        "last": [one.last and one.last.astimezone(dt.UTC).isoformat() for one in grades],
        "late_hours": [round(one.late / dt.timedelta(hours=1), 2) for one in grades],
        "reason": [one.reason for one in grades],
    }


def _canvas(grades: Sequence[Grade], board: PublicBoard) -> dict[str, list[Any]]:
    columns = _of_platform(grades, board, _CANVAS)
    for name, values in columns.items():
        values.insert(0, "Points Possible" if name == "Student" else "")
    columns[_title(board)][0] = board.benchmark.leaderboard.primary.perfect
    return columns


def _moodle(grades: Sequence[Grade], board: PublicBoard) -> dict[str, list[Any]]:
    reasons = [one.reason for one in grades]
    return {**_of_platform(grades, board, _MOODLE), f"Feedback for {_title(board)}": reasons}


def _of_platform(
    grades: Sequence[Grade], board: PublicBoard, names: Mapping[str, str]
) -> dict[str, list[Any]]:
    column = board.benchmark.leaderboard.primary
    if column.sorting == "asc":
        raise UsageError(
            f"'{column.title}' is better the lower it is, and a platform's grades are not",
            hint="Leave out --format, and make grades of the scores.",
        )
    return {
        **{name: [one.student.get(name) or one.student.get(other, "") for one in grades]
           for name, other in names.items()},
        _title(board): [one.grade for one in grades],
    }  # fmt: skip


def _title(board: PublicBoard) -> str:
    """What the platform calls the exercise."""
    several = len(board.benchmark.phases) > 1
    return board.phase.name if several else board.benchmark.title


FORMS: dict[str, Callable[[Sequence[Grade], PublicBoard], dict[str, list[Any]]]] = {
    "csv": _plain, "canvas": _canvas, "moodle": _moodle,
}  # fmt: skip
