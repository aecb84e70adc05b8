"""The grade of each student of a class list in one phase: of a commit and the ledger alone."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.ledger.attempts import Attempts, Parties, read_history
from evaluator.ci.ledger.ledger import Ledger
from evaluator.core.formats.plain_text import one_line
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.rows import Row
from evaluator.core.planning.snapshot import Snapshot
from evaluator.importing.csv_tables import read_table
from evaluator.plugins.courses.lateness import extension, with_late_policy

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
    grade: float | None = None
    """The score, less what the late policy takes."""
    rank: int | None = None
    """The best one on the board, which knows no late policy."""
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


def _grade(student: Student, board: PublicBoard, rows: Sequence[Row], attempts: Attempts) -> Grade:
    if not student[LOGIN]:
        return Grade(student=student, reason="the class list has no login")
    times = [one.at for one in attempts.made_by(student[LOGIN])
            if one.work.phase == board.phase.slug]  # fmt: skip
    column = board.benchmark.leaderboard.primary
    rank = min((row.rank for row in rows if row.rank), default=None)
    counted: list[Grade] = []
    reason = "no entry"
    for row in rows:
        score, late = row.overall.get(column.key), _late_by(row, board, attempts)
        if score is None or not row.counts:
            reason = _why_not(row)
            continue
        value = with_late_policy(score, late, board.phase, column)
        if value is None:
            reason = f"came {late / dt.timedelta(hours=1):.1f} hours late"
            continue
        counted.append(
            Grade(
                student=student, score=score, grade=value, rank=rank, attempts=len(times),
                submission=row.submission.short_name,
                last=max(times, default=None), late=late,
            )
        )  # fmt: skip
    sign = 1 if column.sorting == "desc" else -1
    return max(  # of equal grades that which came first
        counted, key=lambda one: (sign * (one.grade or 0.0), -one.late),
        default=Grade(student=student, attempts=len(times), last=max(times, default=None),
                      reason=reason),
    )  # fmt: skip


def _late_by(row: Row, board: PublicBoard, attempts: Attempts) -> dt.timedelta:
    """How long after the deadline of its participant an entry came."""
    end, submission = board.phase.end, row.submission
    attempt = attempts.attempt_of(submission)
    # Files that are no longer here have their record.
    at = attempt.at if attempt else row.submitted and dt.datetime.fromisoformat(row.submitted)
    if end is None or not at:
        return dt.timedelta()
    end += extension(board.benchmark, board.phase, submission.participant)
    return max(at - end, dt.timedelta())


def _why_not(row: Row) -> str:
    errors = (task.error for task in row.tasks.values())
    message = next((error.message for error in errors if error is not None), "")
    return f"{row.why_unranked}: {one_line(message)}" if message else row.why_unranked
