"""Failures of one submission as its page tells them: tasks with the same reason together."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.core.formats.record import CellError, Record
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard

MAX_NAMES = 5
"""Tasks that a heading names; of more it says how many."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """One reason for which tasks failed."""

    error: CellError
    tasks: tuple[str, ...]
    """Names."""
    log: str
    """End of the log of the step that failed on the first task; empty where none is public."""

    @property
    def named(self) -> str:
        more = len(self.tasks) - MAX_NAMES
        return ", ".join(self.tasks[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def failures_of(row: Row, board: PublicBoard, *, with_logs: bool) -> list[Failure]:
    """Return why tasks failed, in the order of the tasks.

    Logs are looked up in the row's records where ``with_logs`` says so.
    """
    by_error: dict[CellError, list[str]] = {}
    logs: dict[CellError, str] = {}
    for task in board.tasks:
        result = row.tasks[task.slug]
        if result.error is None:
            continue
        by_error.setdefault(result.error, []).append(task.name)
        if with_logs and result.error not in logs:
            logs[result.error] = next(_logs(result.records, result.error), "")
    return [
        Failure(error=error, tasks=tuple(names), log=logs.get(error, ""))
        for error, names in by_error.items()
    ]


def _logs(records: tuple[Record, ...], error: CellError) -> Iterator[str]:
    for record in records:
        step = record.step(error.step or "")
        if record.error is not None and step is not None and step.log:
            yield step.log
