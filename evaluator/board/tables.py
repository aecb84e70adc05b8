"""A board as data: frame, CSV, JSON, and text for a terminal."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.board.claims import check_claim, claim_mark
from evaluator.board.difficulty import difficulties
from evaluator.board.leaderboard import Board, Row
from evaluator.board.published import published
from evaluator.board.results import TaskResult
from evaluator.board.twins import twins
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
    questions whose answers stand on the board.
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
    return names


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
    return flat


def to_csv(board: Board) -> str:
    """CSV with repr precision, ranks as whole numbers."""
    frame = to_frame(board)
    frame["rank"] = frame["rank"].astype("Int64")
    return str(frame.to_csv(index=False, lineterminator="\n"))


class ErrorData(TypedDict):
    """Why a task failed."""

    actor: str
    reason: str
    message: str
    """Empty where the organiser hides what it would tell."""


class EarlierData(TypedDict):
    """What the same submission scored before the benchmark was changed."""

    repeat: int | None
    """From 0; None where tasks are not repeated."""
    score_key: str
    """Key of the record that was replaced."""
    finished: str
    """End of that evaluation, ISO time."""
    scores: dict[str, float]
    """As they stood, in the columns that are shown today."""


class TaskData(TypedDict):
    """What a submission reached on one task."""

    status: str
    counts: bool
    """Whether it counts for the rank: not on own data, nor on retired data."""
    scores: dict[str, float]
    deviations: dict[str, float]
    """Sample standard deviations over repeats."""
    seconds: float | None
    """Wall clock of all steps."""
    peak_memory: int | None
    """Bytes."""
    error: ErrorData | None
    earlier: list[EarlierData]
    """Under earlier versions of the benchmark, by repeat, the oldest first."""


class ClaimData(TypedDict):
    """What a participant states that the score is, and what it is."""

    column: str
    """Key of the column."""
    found: float | None
    """None where the scoring program wrote none."""
    agrees: bool


class RowData(TypedDict):
    """One submission."""

    rank: int | None
    participant: str
    submission: str
    title: str
    submitted: str
    status: str
    kind: str
    """``code``, ``results``, ``reported`` or ``dataset``."""
    retired: str
    """Of a data set: why it no longer counts; empty while it does."""
    source: str
    """Of reported scores: where they are stated; else empty."""
    fact_sheet: dict[str, str | bool]
    claims: dict[str, ClaimData]
    """By question of the fact sheet."""
    same_predictions: list[str]
    """Other submissions whose predictions have the same digest."""
    overall: dict[str, float]
    """Column key -> value over all tasks; empty while any is not finished."""
    tasks: dict[str, TaskData]
    """By task slug."""


class ColumnData(TypedDict):
    """A column that is shown."""

    key: str
    title: str
    group: str
    sorting: str
    precision: int
    primary: bool
    computation: str | None


class QuestionData(TypedDict):
    """A question of the fact sheet whose answers stand on the board."""

    key: str
    title: str
    type: str


class DifficultyData(TypedDict):
    """How difficult a task is by a column: see ``pullbench.baseline`` in a bundle."""

    task: str
    """Slug."""
    column: str
    """Key."""
    baseline: float
    best: float
    modelling: float
    intrinsic: float


class TaskInfo(TypedDict):
    """A task of the board."""

    slug: str
    name: str
    dataset: str
    """``participant/submission`` of the data set that it was made of; empty for the bundle's."""
    retired: str
    """Why it no longer counts; empty while it does."""


class BoardData(TypedDict):
    """A board, as ``api/v1/<benchmark>/<phase>.json`` has it."""

    benchmark: str
    title: str
    phase: str
    commit: str | None
    tasks: list[TaskInfo]
    columns: list[ColumnData]
    fact_sheet: list[QuestionData]
    """The answers stand in the rows, with those to questions that are not on the board."""
    rows: list[RowData]
    difficulty: list[DifficultyData]
    """Empty where the benchmark declares no baseline."""


def to_data(board: Board) -> BoardData:
    """Everything on the board that may be published, as plain data."""
    board = published(board)
    equal = twins(board)
    return {
        "benchmark": board.benchmark.name,
        "title": board.benchmark.title,
        "phase": board.phase.slug,
        "commit": board.commit,
        "tasks": [
            {
                "slug": task.slug,
                "name": task.name,
                "dataset": task.origin.id if task.origin else "",
                "retired": task.retired,
            }
            for task in board.tasks
        ],
        "columns": [
            {
                "key": column.key,
                "title": column.title,
                "group": column.group,
                "sorting": column.sorting,
                "precision": column.precision,
                "primary": column.key == board.benchmark.leaderboard.primary.key,
                "computation": column.ranks.operation if column.ranks else column.computation,
            }
            for column in board.columns
        ],
        "fact_sheet": [
            {"key": question.key, "title": question.title, "type": question.type}
            for question in board.benchmark.board_questions
        ],
        "difficulty": _difficulty_data(board),
        "rows": [_row_data(row, board, equal.get(row.submission.id, ())) for row in board.rows],
    }


def _difficulty_data(board: Board) -> list[DifficultyData]:
    return [
        {
            "task": one.task.slug,
            "column": item.column.key,
            "baseline": one.baseline,
            "best": one.best,
            "modelling": one.modelling,
            "intrinsic": one.intrinsic,
        }
        for item in difficulties(board)
        for one in item.tasks
    ]


def _row_data(row: Row, board: Board, equal: Sequence[str]) -> RowData:
    claims = {question: check_claim(row, question, board) for question in row.submission.fact_sheet}
    return {
        "rank": row.rank,
        "participant": row.submission.participant,
        "submission": row.submission.name,
        "title": row.submission.title,
        "submitted": row.submitted,
        "status": row.state,
        "kind": row.submission.kind,
        "retired": row.submission.retired,
        "source": row.submission.reported.source if row.submission.reported else "",
        "fact_sheet": dict(row.submission.fact_sheet),
        "claims": {
            question: {"column": claim.column.key, "found": claim.found, "agrees": claim.agrees}
            for question, claim in claims.items()
            if claim is not None
        },
        "same_predictions": list(equal),
        "overall": dict(row.overall),
        "tasks": {
            slug: _task_data(result, counts=slug in row.counted)
            for slug, result in row.tasks.items()
        },
    }


def _task_data(result: TaskResult, *, counts: bool) -> TaskData:
    error: ErrorData | None = None
    if result.error:
        error = {
            "actor": result.error.actor,
            "reason": result.error.reason,
            "message": result.error.message,
        }
    return {
        "status": result.state,
        "counts": counts,
        "scores": dict(result.values),
        "deviations": dict(result.deviations),
        "seconds": result.seconds,
        "peak_memory": result.peak_memory,
        "error": error,
        "earlier": [
            {
                "repeat": record.cell.repeat,
                "score_key": item.score_key,
                "finished": item.finished,
                "scores": dict(item.scores),
            }
            for record in result.records
            for item in record.earlier
        ],
    }


def to_json(board: Board) -> str:
    """Canonical JSON of ``to_data``."""
    return json.dumps(to_data(board), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def to_text(board: Board) -> str:
    """Aligned columns for a terminal; rounded for display alone."""
    questions = board.benchmark.board_questions
    status = board.phase.shows == "status"
    heads = [
        "#", "participant", "submission", *(column.title for column in board.columns),
        *(["status"] if status else []),
        *(printable(question.title)[:_MAX_TEXT] for question in questions),
    ]  # fmt: skip
    lines = [
        heads,
        *(
            [
                "" if row.rank is None else str(row.rank),
                row.submission.participant,
                row.submission.name + (" (reported)" if row.submission.reported else ""),
                *(value_text(row, column) for column in board.columns),
                *([row.state] if status else []),
                *(
                    printable(answer_text(row.submission.fact_sheet.get(question.key)))[:_MAX_TEXT]
                    + claim_mark(row, question.key, board)
                    for question in questions
                ),
            ]
            for row in board.rows
        ),
    ]
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


def value_text(row: Row, column: Column) -> str:
    """Return a value over all tasks as it is shown, or the state that stands in its place."""
    if column.key in row.overall:
        return f"{row.overall[column.key]:.{column.precision}f}"
    return row.state if row.state != "finished" else ""
