"""The form of ``view.json``: what ``view.view_data`` returns, for its JSON Schema."""

from typing import Literal

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

Values = list[float | None]
"""One for each row, in the order of the rows; or for each task, in theirs."""
ByRow = dict[str, str]
"""Index of a row, as text, and what is said of it; rows without an entry are left out."""


class ViewTask(TypedDict):
    """A task."""

    slug: str
    name: str
    retired: str
    """Why it no longer counts; empty while it does."""


class ViewColumn(TypedDict):
    """A column that is shown."""

    key: str
    title: str
    group: str
    sorting: Literal["asc", "desc"]
    precision: int
    primary: bool
    over_tasks: bool
    """Whether it says something of all tasks together, and nothing of one."""


class ViewRows(TypedDict):
    """Who stands in the rows: lists of one length."""

    participant: list[str]
    submission: list[str]
    title: list[str]
    rank: list[int | None]
    submitted: list[str]
    status: list[str]
    kind: list[str]


class ViewBest(TypedDict):
    """Best values, by key of the column."""

    overall: dict[str, float]
    tasks: dict[str, Values]
    methods: dict[str, Values]
    """Of each row, where data sets are ranked."""


class ViewQuestion(TypedDict):
    """A question of the fact sheet."""

    key: str
    title: str
    type: str
    name: str
    """Of its filter in the page's address; empty without one."""
    shown: bool
    """Whether the answers are a column."""


class ViewFact(TypedDict):
    """A column that is no score."""

    key: str
    title: str
    number: bool
    values: list[float | str | None]
    texts: list[str]


class ViewGoal(TypedDict):
    """A value that is worth reaching, and where its line stands."""

    column: str
    label: str
    value: float
    position: int
    after_rank: float


class ViewData(TypedDict):
    """A board by columns. Lists over rows begin with the listed rows, best first."""

    version: Literal[1]
    benchmark: str
    title: str
    phase: str
    phase_name: str
    commit: str | None
    noun: Literal["submission", "data set"]
    base: str
    """Folder of the benchmark on the site."""
    aggregate: str
    ties: str
    listed: int
    """Rows that are on the board; the submission rule leaves out those after them."""
    tasks: list[ViewTask]
    columns: list[ViewColumn]
    rows: ViewRows
    overall: dict[str, Values]
    """By key of the column."""
    scores: dict[str, list[Values]]
    """By key of the column, for each task, for each row."""
    deviations: dict[str, dict[str, Values]]
    """By key of the column and index of the task, where there are any."""
    failures: dict[str, dict[str, list[str]]]
    """By index of the task and of the row: state, actor, reason, message."""
    uncounted: dict[str, ByRow]
    """By index of the task: why a value counts for no rank."""
    seconds: list[Values]
    memory: list[list[int | None]]
    """Bytes."""
    best: ViewBest
    questions: list[ViewQuestion]
    sheet: dict[str, list[str]]
    """Answers by key of the question."""
    claims: dict[str, ByRow]
    """By key of the question: what was found in place of what is claimed."""
    facts: list[ViewFact]
    goals: list[ViewGoal]
    intervals: dict[str, tuple[int, int, int, str]]
    """By index of a row: best and worst rank over resampled tasks, group, and what they mean."""
    marks: dict[str, list[tuple[str, str]]]
    """By index of the row: short texts behind the name, each with an explanation."""
    aside: list[int]
    """Indexes of rows that nobody approved."""
    details: ByRow
    """Slug of the first task with detailed results."""
