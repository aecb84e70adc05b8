"""The grade of each student of a class list in one phase: of a commit and the ledger alone."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.ledger.attempts import Attempts, Parties, read_history
from evaluator.ci.ledger.ledger import Ledger
from evaluator.core.formats.columns import Column
from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.rows import Row
from evaluator.core.planning.snapshot import Snapshot
from evaluator.importing.csv_tables import read_table

NUMBER, LOGIN = "number", "login"
"""Columns of a class list: the student's number, and the login or the team; others are carried."""

Student = Mapping[str, str]
"""A row of a class list."""


@dataclass(frozen=True, kw_only=True)
class Grade:
    """What one student reached."""

    student: Student
    submission: str = ""
    """``participant/name`` of the entry that counts; empty if none does."""
    score: float | None = None
    """Of the column that ranks."""
    rank: int | None = None
    """On the board, which knows nothing of class lists."""
    attempts: int = 0
    last: dt.datetime | None = None
    """When the last attempt came."""
    late: dt.timedelta = dt.timedelta()
    """How long after the deadline the entry that counts came."""
    reason: str = ""
    """Why nothing counts."""


def read_students(path: Path) -> list[Student]:
    """Read a class list. Raises UsageError."""
    rows = read_table(path, {NUMBER: "", LOGIN: ""}, key=NUMBER)
    return [{**row, LOGIN: row[LOGIN].strip().removeprefix("@")} for row in rows]


def grade(
    snapshot: Snapshot, board: PublicBoard, ledger: Ledger, students: Sequence[Student]
) -> tuple[list[Grade], list[str]]:
    """Grade students by a board with all scores; returns participants of no student, too."""
    parties = Parties(snapshot.settings)
    logins = [student[LOGIN] for student in students if student[LOGIN]]
    attempts = Attempts(snapshot, ledger, board.benchmark.name, logins)
    read_history(snapshot.tree, [attempts])
    rows: dict[str, list[Row]] = defaultdict(list)
    is_best = board.benchmark.leaderboard.submission_rule == "Force_Best"
    # The best score may not be the best grade.
    for row in (*board.rows, *(board.unlisted if is_best else ())):
        if row.submission.kind.is_evaluated and not row.submission.solution:
            rows[parties.party_of(row.submission.participant)].append(row)
    grades = [
        _grade(student, board, rows[parties.party_of(student[LOGIN])], attempts)
        for student in students
    ]
    known = {parties.party_of(login) for login in logins}
    others = {row.submission.participant for party in rows.keys() - known for row in rows[party]}
    return grades, sorted(name for name in others if not snapshot.settings.is_organiser(name))


def _grade(student: Student, board: PublicBoard, rows: Iterable[Row], attempts: Attempts) -> Grade:
    if not student[LOGIN]:
        return Grade(student=student, reason="the class list has no login")
    made = [one.at for one in attempts.made_by(student[LOGIN])
            if one.work.phase == board.phase.slug]  # fmt: skip
    column = board.benchmark.leaderboard.primary
    counted: list[Grade] = []
    reason = "no entry"
    for row in rows:
        score, at = row.overall.get(column.key), _came(row, attempts)
        if score is None or not row.counts:
            reason = _why_not(row)
            continue
        counted.append(
            Grade(
                student=student, score=score, rank=row.rank, attempts=len(made),
                submission=f"{row.submission.participant}/{row.submission.name}",
                last=max(made, default=None), late=_late_by(board.phase.end, at),
            )
        )  # fmt: skip
    return max(
        counted, key=lambda one: _worth(one, column),
        default=Grade(student=student, attempts=len(made), last=max(made, default=None),
                      reason=reason),
    )  # fmt: skip


def _worth(one: Grade, column: Column) -> tuple[float, dt.timedelta]:
    """What to compare by: the better score, and of equal ones the one that came first."""
    score = one.score or 0.0
    return score if column.sorting == "desc" else -score, -one.late


def _came(row: Row, attempts: Attempts) -> dt.datetime | None:
    """When an entry came; by its record, if its files are no longer here."""
    attempt = attempts.attempt_of(row.submission)
    if attempt is not None:
        return attempt.at
    return dt.datetime.fromisoformat(row.submitted) if row.submitted else None


def _late_by(deadline: dt.datetime | None, at: dt.datetime | None) -> dt.timedelta:
    if deadline is None or at is None:
        return dt.timedelta()
    return max(at - deadline, dt.timedelta())


def _why_not(row: Row) -> str:
    errors = (task.error for task in row.tasks.values())
    message = next((error.message for error in errors if error is not None), "")
    return f"{row.why_unranked}: {one_line(message)}" if message else row.why_unranked
