"""``api/v1/<benchmark>/<phase>.json``: a board as data for programs."""

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.site.boards.ablation import EffectData, StageData


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
