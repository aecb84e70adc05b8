"""The form of ``view.json``: what ``view.view_files`` encodes, for its JSON Schema."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

Values = list[float | None]
"""One for each row, in the order of the rows; or for each task, in theirs."""
ByRow = dict[int, str]
"""Index of a row, in JSON as text, and what is said of it; rows without an entry are left out."""


class ViewTask(TypedDict):
    """A task."""

    slug: str
    name: str
    retired: str
    """Why it no longer counts; empty while it does."""
    weight: int
    """In the board's own means over the tasks."""
    conclusion: str
    """What can be concluded from its values alone; empty where nobody looked."""


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
    mean: bool
    """Whether its mean over tasks means something; not where they have different metrics."""
    derived: bool
    """Whether it is shown beside the column that ranks, and has intervals."""
    breaks_ties: bool
    """Whether it tells apart, after others before it, rows that the primary column leaves equal."""


class ViewRanking(TypedDict):
    """How the board compares values; ``site/organisers`` has the words."""

    ties: Literal["competition", "dense", "average"]
    missing: Literal["last", "last+1", "worst", "midrank"] | None
    """The rank of what has no value on a task; null where the board is not ranked by mean ranks."""
    decimals: int | None


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


class ViewResource(TypedDict):
    """What predictions took: a column that readers may add."""

    key: Literal["time", "memory", "cost"]
    title: str
    """With its unit."""


class ViewCode(TypedDict):
    """Where the files of the submissions are."""

    folder: str
    """On the forge, at the commit of the board; empty where no forge is known. In it each has
    ``participant/submission``."""
    rows: list[int]


class ViewGoal(TypedDict):
    """A value that is worth reaching, and where its line stands."""

    column: str
    label: str
    value: float
    position: int
    after_rank: float


class ViewBlock(TypedDict):
    """One number for each row."""

    of: Literal["overall", "low", "high", "scores", "deviations", "resource", "seconds", "memory"]
    """Values over all tasks and the ends of their 95% intervals, values on one, their deviations
    over repeats; what predictions took over all tasks; seconds of predictions on one, and bytes
    of memory at most."""
    column: str | None
    """Key of the column or resource; null where numbers are of none."""
    task: int | None
    """Index of the task; null where numbers are over all."""
    range: NotRequired[tuple[float, float]]
    """Worst and best of all rows, the less the worse, where the file has some rows alone."""


class ViewNumbers(TypedDict):
    """A file of numbers beside this one: deflated 64-bit floats, NaN where there is none."""

    file: str
    stamp: int
    """The file's first number. Where it is another, the two files are not of the same board."""
    rows: int
    """Whose numbers the file has: so many rows from the first."""
    columns: list[ViewBlock]
    """What follows the stamp, in this order: each has as many numbers as there are ``rows``."""


class ViewData(TypedDict):
    """A board by columns. Lists over rows begin with the listed rows, best first."""

    version: Literal[5]
    benchmark: str
    title: str
    phase: str
    phase_name: str
    commit: str | None
    noun: Literal["submission", "data set"]
    base: str
    """Folder of the benchmark on the site."""
    aggregate: str
    ranked_by: str
    """Key of the column whose values make the ranks."""
    ranking: ViewRanking
    listed: int
    """Rows that are on the board; the submission rule leaves out those after them."""
    tasks: list[ViewTask]
    columns: list[ViewColumn]
    rows: ViewRows
    numbers: list[ViewNumbers]
    """The first is what a page begins with: all of a small board, and else its first rows. Numbers
    are unrounded, but for ``seconds``, which are to the millisecond."""
    reasons: list[tuple[str, str, str, str]]
    """State, actor, reason, message: why a cell has no value."""
    failures: dict[int, dict[int, int]]
    """By index of the task and of the row: index in ``reasons``. Every cell that is not
    finished is there."""
    uncounted: dict[int, ByRow]
    """By index of the task: why a value counts for no rank."""
    best: ViewBest
    questions: list[ViewQuestion]
    sheet: dict[str, list[str]]
    """Answers by key of the question."""
    claims: dict[str, ByRow]
    """By key of the question: what was found in place of what is claimed."""
    facts: list[ViewFact]
    resources: list[ViewResource]
    """Those of which there are numbers: wall-clock time of a run and its price, the means over
    tasks and repeats, and the most memory that one took."""
    near: str | None
    """Key of the column by which rows are said to be near the best; null for none."""
    goals: list[ViewGoal]
    intervals: dict[int, tuple[int, int, int, tuple[float, float] | None]]
    """By index of a row: best and worst rank (95% confidence), group, and how much worse and how
    much better than seen its value may be beside that of the first; null for not known."""
    marks: dict[int, list[tuple[str, str]]]
    """By index of the row: short texts behind the name, each with an explanation."""
    aside: list[int]
    """Indexes of rows that nobody approved."""
    code: ViewCode
    details: ByRow
    """Slug of the first task with detailed results."""
