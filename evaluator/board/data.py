"""A board as data for programs: JSON."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.board.claims import check_claim
from evaluator.board.difficulty import difficulties
from evaluator.board.effects import EffectData, StageData, effect_data, stage_data
from evaluator.board.facts import FactColumn, fact, fact_columns
from evaluator.board.goals import goal_lines
from evaluator.board.leaderboard import Board, Row
from evaluator.board.published import published
from evaluator.board.results import TaskResult
from evaluator.board.twins import twins


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


class StandingData(TypedDict):
    """What an organiser decided about a submission."""

    state: str
    """``approved``, ``refused`` or ``awaiting approval``."""
    reason: str
    date: str
    """ISO date; empty before there is a decision."""


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
    standing: StandingData | None
    """None where the benchmark ranks without approval."""
    facts: dict[str, float | str | None]
    """By key of the board's ``facts``."""
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
    """``checkbox``, ``text``, ``select``, ``url`` or ``email``."""


class FactData(TypedDict):
    """A column that is no score."""

    key: str
    """``seconds_per_item``, ``prediction_seconds`` or ``submitted``."""
    title: str


class GoalData(TypedDict):
    """A value of a column that is worth reaching."""

    column: str
    """Key."""
    label: str
    value: float
    reached: int
    """Number of ranked rows that are as good or better."""


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
    facts: list[FactData]
    goals: list[GoalData]
    rows: list[RowData]
    difficulty: list[DifficultyData]
    """Empty where the benchmark declares no baseline."""
    stages: list[StageData]
    """Of its workflow, in order; empty where it has none."""
    ablation: list[EffectData]
    """What each stage of each submission is worth; empty without stages."""


def to_data(board: Board) -> BoardData:
    """Everything on the board that may be published, as plain data."""
    board = published(board)
    return {**_head(board), "rows": list(_rows(board))}  # type: ignore[typeddict-item]


def _rows(board: Board) -> Iterator[RowData]:
    equal = twins(board)
    facts = fact_columns(board)
    claimed = {column.claim for column in board.columns if column.claim}
    for row in board.rows:
        yield _row_data(row, board, equal.get(row.submission.id, ()), claimed, facts)


def _head(board: Board) -> dict[str, Any]:
    """Return everything but the rows."""
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
            {
                "key": question.key,
                "title": question.title,
                "type": board.benchmark.answer_forms.get(question.key, question.type),
            }
            for question in board.benchmark.board_questions
        ],
        "facts": [{"key": column.key, "title": column.title} for column in fact_columns(board)],
        "goals": [
            {
                "column": line.column.key,
                "label": line.label,
                "value": line.value,
                "reached": line.reached,
            }
            for line in goal_lines(board)
        ],
        "difficulty": _difficulty_data(board),
        "stages": stage_data(board),
        "ablation": effect_data(board),
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


def _row_data(
    row: Row,
    board: Board,
    equal: Sequence[str],
    claimed: Collection[str],
    facts: Sequence[FactColumn],
) -> RowData:
    claims = {
        question: check_claim(row, question, board)
        for question in row.submission.fact_sheet
        if question in claimed
    }
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
        "standing": None
        if row.standing is None
        else {
            "state": row.standing.state,
            "reason": row.standing.reason,
            "date": row.standing.date,
        },
        "facts": {column.key: fact(row, column, board) for column in facts},
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
    """Canonical JSON of ``to_data``: sorted keys, two blanks, a final newline."""
    return to_bytes(board).decode()


def to_bytes(board: Board) -> bytes:
    """Return ``to_json`` as a file has it."""
    return b"".join(json_parts(board))


def json_parts(board: Board) -> Iterator[bytes]:
    """Yield ``to_json`` row by row: of 200,000 cells it is 100 MB, and as data 300 MB more."""
    board = published(board)
    encode = msgspec.json.Encoder(order="sorted").encode
    # Text holds no line ends, so that this can only be the key itself.
    head, key, tail = _indented(encode({**_head(board), "rows": []})).partition(b'\n  "rows": [')
    yield head + key
    for place, row in enumerate(_rows(board)):
        comma = b"," if place else b""
        yield comma + b"\n    " + _indented(encode(row)).replace(b"\n", b"\n    ")
    yield (b"\n  " if board.rows else b"") + tail + b"\n"


def _indented(content: bytes) -> bytes:
    return msgspec.json.format(content, indent=2)
