"""What a board says above its rows: what ranks them, and how ranks are made."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.plugins import Contract
from evaluator.core.ranking.rule import Wording

_TIES = {
    "competition": "the rank of the first of them",
    "dense": "one rank, and the next rank follows",
    "average": "the mean of their ranks",
}
_MISSING = {
    "last": "the rank of the last value",
    "last+1": "one rank more than the last value",
    "worst": "the number of submissions as its rank",
    "midrank": "the mean of the ranks that are left behind all values",
}
_OPERATIONS = {
    "avg_rank": "the mean of the ranks",
    "weighted_rank": "the weighted sum of the ranks",
    "mrr": "the mean of 1 / rank, for the ranks",
}


def ranking_note(board: PublicBoard) -> str:
    return " ".join(_sentences(board))


def ranked_by(board: PublicBoard) -> str:
    order = _better(board.benchmark.leaderboard.primary)
    if board.benchmark.ranks_datasets:
        order = f"{order.split()[0]} is first: whoever brings a data set wins nothing by it"
    return f"ranked by {_primary(board)} ({order})"


def _sentences(board: PublicBoard) -> Iterator[str]:
    rules, rows = board.benchmark.leaderboard, board.rows
    transposed = board.benchmark.ranks_datasets
    noun = board.benchmark.row_noun
    yield f"{len(rows)} {noun}{'' if len(rows) == 1 else 's'}, {ranked_by(board)}."
    dense = ", and none is left out after them" if rules.ranking.ties == "dense" else ""
    yield f"Equal results share a rank{dense}."
    if rules.ranked_by is not None:
        yield rules.rule.note(
            Wording(
                column=rules.ranked_by.title, better=_better(rules.ranked_by),
                ties=_TIES[rules.ranking.ties], missing=_MISSING[rules.ranking.missing],
                excludes_own=_excludes_own(board),
            )
        )  # fmt: skip
    for column in board.columns:
        if column.ranks is not None:
            yield _made_of_ranks(column, board)
        if column.derived is not None:
            yield column.derived.note
    if transposed and len(board.tasks) > 1:
        yield "The best method on each data set is marked."
    if len({task.extension.weight for task in board.tasks}) > 1:
        weights = (f"{task.name} {task.extension.weight}" for task in board.tasks)
        yield f"Means over the {board.benchmark.task_noun}s are weighted: {', '.join(weights)}."
    for task in board.tasks:
        if task.extension.withdrawn:
            yield f"{task.name} does not count: {task.retired.rstrip('.')}."
    if rules.ranking.decimals is not None:
        yield f"Values are rounded to {rules.ranking.decimals} decimals before they are compared."
    if board.benchmark.needs_approval:
        yield "What the organiser has not approved has no rank; its row says so."
    elif board.has_standings:
        yield "What the organiser disqualified has no rank; its row says why."


def _excludes_own(board: PublicBoard) -> bool:
    datasets = board.benchmark.datasets
    return datasets is not None and datasets.become == "tasks" and datasets.own == "exclude"


def _primary(board: PublicBoard) -> str:
    rules = board.benchmark.leaderboard
    tasks = sum(not task.retired for task in board.tasks)
    if len(board.tasks) == 1 or rules.ranked_by is not None:
        return rules.primary.title
    if rules.primary.ranks is not None and rules.primary.ranks.over == "board":
        return rules.primary.title  # which is over all tasks as it stands
    if rules.rule.of_first_task:
        return f"{rules.primary.title} on {board.tasks[0].name}"
    tasks_of = f"{board.benchmark.task_noun}{'' if tasks == 1 else 's'}"
    return f"the mean over {tasks} {tasks_of} of {rules.primary.title}"


def _made_of_ranks(column: Column, board: PublicBoard) -> str:
    ranks = column.ranks
    if ranks is None:
        return ""
    titles = {one.key: one.title for one in board.benchmark.leaderboard.columns}
    names = [titles.get(key, key) for key in ranks.fields]
    by = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    several = len(board.tasks) > 1
    on = " on each task, and then the mean over the tasks" if ranks.over == "tasks" else ""
    values = " of the values over all tasks" if several and ranks.over == "board" else ""
    single = ranks.operation == "avg_rank" and len(names) == 1
    what = "the rank" if single else _OPERATIONS[ranks.operation]
    return (
        f"{column.title} is {what} by {by}{on if several else ''}{values}, "
        f"among the submissions of this board; equal values have {_TIES[ranks.ties]}, and a "
        "submission without one of the values has none."
    )


PHASE_NOTES = Contract[Callable[[Sequence[PublicBoard], PublicBoard, dt.datetime], str]](
    "phase_notes"
)
"""From all boards of a benchmark, one of them and the time to a sentence, or to nothing."""


def phase_notes(boards: Sequence[PublicBoard], board: PublicBoard, now: dt.datetime) -> list[str]:
    return [note for say in PHASE_NOTES.values() if (note := say(boards, board, now))]


def _better(column: Column) -> str:
    return f"{'lower' if column.sorting == 'asc' else 'higher'} is better"
