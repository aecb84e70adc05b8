"""What happened to one submission: in the order of time, and why tasks failed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from evaluator.core.formats.record import CellError, Record
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard

MAX_NAMES = 5
"""Tasks that a line names; of more it says how many."""


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """One thing that happened, to one record or to several in a row."""

    since: str
    """ISO time; empty for what is the case now."""
    until: str
    """ISO time; that of the last record."""
    what: str
    tasks: tuple[str, ...]
    """Names of the tasks, with the repeat where there are several; empty for all."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """One reason for which tasks failed."""

    error: CellError
    tasks: tuple[str, ...]
    log: str
    """End of the log of the step that failed on the first task; empty where none is public."""


def task_names(tasks: Sequence[str]) -> str:
    more = len(tasks) - MAX_NAMES
    return ", ".join(tasks[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")


def timeline(row: Row, board: PublicBoard) -> list[Chapter]:
    chapters: list[Chapter] = []
    happened = sorted(_happened(row, board))
    for what, group in groupby(happened, key=lambda item: item[1]):
        items = list(group)
        names = tuple(dict.fromkeys(name for _, _, name in items if name))
        chapters.append(Chapter(since=items[0][0], until=items[-1][0], what=what, tasks=names))
    for state, what in (
        ("stale", "to be evaluated again: the record is of other content"),
        ("missing", "to be evaluated"),
    ):
        waiting = tuple(t.name for t in board.tasks if row.tasks[t.slug].state == state)
        if waiting:
            chapters.append(Chapter(since="", until="", what=what, tasks=waiting))
    return chapters


def _happened(row: Row, board: PublicBoard) -> Iterator[tuple[str, str, str]]:
    if row.submitted:
        yield row.submitted, "submitted", ""
    for task in board.tasks:
        for record in row.tasks[task.slug].records:
            repeat = record.cell.repeat
            name = task.name if repeat is None else f"{task.name}, repeat {repeat}"
            for index, finished in enumerate(sorted(item.finished for item in record.earlier)):
                yield finished, "scored again" if index else "evaluated", name
            yield record.provenance.finished, _last(record), name


def _last(record: Record) -> str:
    if record.error is not None:
        return f"failed, {record.error.reason}: {record.error.actor} must act"
    if record.provenance.reused_predictions:
        return "scored again from its stored predictions"
    return "evaluated again" if record.earlier else "evaluated"


def failures_of(row: Row, board: PublicBoard, *, with_logs: bool) -> list[Failure]:
    tasks_of: dict[CellError, list[str]] = {}
    logs: dict[CellError, str] = {}
    for task in board.tasks:
        result = row.tasks[task.slug]
        if result.error is None:
            continue
        tasks_of.setdefault(result.error, []).append(task.name)
        if with_logs and result.error not in logs:
            failed = (record for record in result.records if record.error is not None)
            steps = (record.step(result.error.step or "") for record in failed)
            logs[result.error] = next((step.log for step in steps if step and step.log), "")
    return [
        Failure(error=error, tasks=tuple(names), log=logs.get(error, ""))
        for error, names in tasks_of.items()
    ]
