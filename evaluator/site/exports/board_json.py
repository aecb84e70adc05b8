"""A board as data for programs: JSON."""

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.facts import check_claim, fact, fact_columns, goal_lines
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import STATES
from evaluator.site.forms import filled
from evaluator.site.leaderboard.ablation import EffectData, StageData, effect_data, stage_data
from evaluator.site.leaderboard.comparison import NO_MARKS, Marks, same_predictions
from evaluator.site.leaderboard.difficulty import difficulties
from evaluator.site.leaderboard.lineage import parents

PART_CELLS = 20_000
"""Cells of a part, about."""
_encode = msgspec.json.Encoder(order="sorted").encode


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
    """Wall clock of the whole evaluation."""
    peak_memory: int | None
    """Bytes."""
    less: str
    """What a machine did not give of what the bundle asks for, such as ``2 of 4 cores``."""
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
    based_on: list[str]
    """``participant/submission`` of those that its participant says it is built on."""
    standing: StandingData | None
    """None where the benchmark ranks without approval."""
    proof: str
    """Of the number that is proved least: ``attested``, ``re-derived``, ``unattested``,
    ``altered`` or ``forged``. Empty where nobody signs, and for what is reported."""
    facts: dict[str, float | str | None]
    """By key of the board's ``facts``."""
    overall: dict[str, float]
    """Column key -> value over all tasks; empty while any is not finished."""
    intervals: dict[str, tuple[float, float]]
    """Column key -> both ends of a 95% interval, of columns such as pass@k."""
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
    weight: int
    """In means over the tasks."""


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


def to_data(board: PublicBoard, top: int | None = None, marks: Marks = NO_MARKS) -> BoardData:
    """Return all that may be published, or nothing but so many of the first rows."""
    rows = _RowMaker(board, marks)
    data = _data(board, [rows.data(row) for row in board.rows[:top]])
    return data if top is None else {**data, "ablation": []}


class _RowMaker:
    """Makes the rows of one board."""

    def __init__(self, board: PublicBoard, marks: Marks) -> None:
        self._board, self._marks = board, marks
        self._equal = same_predictions(board)
        self._facts = fact_columns(board)
        self._claimed = {column.claim for column in board.columns if column.claim}

    def data(self, row: Row) -> RowData:
        submission, standing = row.submission, row.standing
        claims = {
            question: claim
            for question in submission.fact_sheet
            if question in self._claimed
            and (claim := check_claim(row, question, self._board)) is not None
        }
        return {
            "rank": row.rank,
            "participant": submission.participant,
            "submission": submission.name,
            "title": submission.title,
            "submitted": row.submitted,
            "status": row.state,
            "kind": submission.kind_name,
            "retired": submission.retired,
            "source": submission.reported.source if submission.reported else "",
            "fact_sheet": dict(submission.fact_sheet),
            "claims": {
                question: filled(ClaimData, claim, column=claim.column.key)
                for question, claim in claims.items()
            },
            "same_predictions": list(self._equal.get(submission.id, ())),
            "based_on": parents(submission),
            "standing": filled(StandingData, standing) if standing else None,
            "proof": self._marks.get(submission.id, ("", ""))[0],
            "facts": {column.key: fact(row, column, self._board) for column in self._facts},
            "overall": dict(row.overall),
            "intervals": dict(row.intervals),
            "tasks": _task_data(row),
        }


def _data(board: PublicBoard, rows: list[RowData]) -> BoardData:
    benchmark = board.benchmark
    return {
        "benchmark": benchmark.name,
        "title": benchmark.title,
        "phase": board.phase.slug,
        "commit": board.commit,
        "tasks": [
            filled(
                TaskInfo,
                task,
                dataset=task.origin.id if task.origin else "",
                weight=task.extension.weight,
            )
            for task in board.tasks
        ],
        "columns": [
            filled(
                ColumnData,
                column,
                primary=column.key == benchmark.leaderboard.primary.key,
                computation=column.ranks.operation if column.ranks else column.computation,
            )
            for column in board.columns
        ],
        "fact_sheet": [
            filled(QuestionData, one, type=benchmark.answer_forms.get(one.key, one.type))
            for one in benchmark.board_questions
        ],
        "facts": [filled(FactData, column) for column in fact_columns(board)],
        "goals": [filled(GoalData, line, column=line.column.key) for line in goal_lines(board)],
        "rows": rows,
        "difficulty": [
            filled(DifficultyData, one, task=one.task.slug, column=item.column.key)
            for item in difficulties(board)
            for one in item.tasks
        ],
        "stages": stage_data(board),
        "ablation": effect_data(board),
    }


def _task_data(row: Row) -> dict[str, TaskData]:
    # Columns of grids and no single places: a board of 200,000 cells asks numpy once for each row.
    table, submission = row.table, row.place
    scores, deviations = (
        {key: grid[:, submission].tolist() for key, grid in grids.items()}
        for grids in (table.values, table.deviations)
    )
    states, seconds, memory = (
        grid[:, submission].tolist() for grid in (table.states, table.seconds, table.memory)
    )
    data: dict[str, TaskData] = {}
    for slug in row.task_slugs:
        task = table.place_of_task[slug]
        error = table.errors.get((task, submission))
        earlier = table.earlier.get((task, submission), ())
        data[slug] = {
            "counts": slug in row.counted,
            "deviations": _numbers(deviations, task),
            "earlier": [filled(EarlierData, one, repeat=repeat) for repeat, one in earlier],
            "error": filled(ErrorData, error) if error else None,
            "less": table.less.get((task, submission), ""),
            "peak_memory": None if math.isnan(memory[task]) else int(memory[task]),
            "scores": _numbers(scores, task),
            "seconds": None if math.isnan(seconds[task]) else seconds[task],
            "status": STATES[states[task]],
        }
    return data


def _numbers(by_key: Mapping[str, Sequence[float]], task: int) -> dict[str, float]:
    return {key: own[task] for key, own in by_key.items() if own[task] == own[task]}  # no NaN


def to_json(board: PublicBoard) -> str:
    """Canonical JSON of ``to_data``: sorted keys, a line for each row, a final newline."""
    return b"".join(json_parts(board)).decode()


def json_parts(board: PublicBoard, marks: Marks = NO_MARKS) -> Iterator[bytes]:
    """Yield ``to_json`` in parts: of 200,000 cells it is 57 MB, as data 300 MB more."""
    # Text holds no line ends, so that this can only be the key itself.
    whole = msgspec.json.format(_encode(_data(board, [])), indent=2)
    head, key, tail = whole.partition(b'\n  "rows": [')
    yield head + key
    rows = _RowMaker(board, marks)
    size = max(1, PART_CELLS // max(1, len(board.tasks)))
    for start in range(0, len(board.rows), size):
        texts = (
            (b",\n    " if place else b"\n    ") + _encode(rows.data(row))
            for place, row in enumerate(board.rows[start : start + size], start)
        )
        yield b"".join(texts)
    yield (b"\n  " if board.rows else b"") + tail + b"\n"
