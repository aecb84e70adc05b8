"""Sizes, times and limits as pages write them, and the best value of a column."""

from evaluator.board.leaderboard import Board
from evaluator.formats.bundle import Phase


def size(count: float | None) -> str:
    """Bytes as people read them."""
    if count is None:
        return "not measured"
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def seconds(value: float | None) -> str:
    """Seconds as people read them."""
    if value is None:
        return "not measured"
    return f"{value:.2f} s" if value < 100 else f"{value:,.0f} s"


def time_limit(phase: Phase) -> str:
    """Say how long a step may take, and what budget its tasks have beside that."""
    limit = f"{phase.execution_time_limit} s" if phase.execution_time_limit else "none"
    budget = phase.budget
    if budget is None:
        return limit
    texts = dict.fromkeys(budget.text(task.index) for task in phase.tasks)
    return f"{limit}; to predict, {' or '.join(texts)}"


def moment(text: str) -> str:
    """Return an ISO time without seconds; empty where there is none."""
    return text.replace("T", " ")[:16] + " UTC" if text else ""


def best(board: Board, task: str | None, key: str, sorting: str) -> float | None:
    """Best value of a column among what is ranked or, for a task, finished."""
    if task is None:
        values = [row.overall[key] for row in board.rows if row.counts and key in row.overall]
    else:
        values = [
            result.values[key]
            for row in board.rows
            if row.counts
            and (result := row.tasks[task]).state == "finished"
            and key in result.values
        ]
    if not values:
        return None
    return min(values) if sorting == "asc" else max(values)
