"""The ``pullbench:`` key of a bundle: what Codabench's schema has no word for.

Everything of ours stands under this one key, so that a bundle stays valid on Codabench.
"""

import datetime as dt
import math
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from evaluator.core.formats.budget import Budget
from evaluator.core.formats.datasets import Datasets
from evaluator.core.formats.parsing import Extensible, NameIn, Strict
from evaluator.core.formats.pinned_files import PrivateData
from evaluator.core.formats.quantities import Bytes
from evaluator.core.formats.stages import MAX_STAGES, Stage
from evaluator.core.plugins import Contract
from evaluator.core.ranking.rule import RULES, Missing, Ties

MIN_PIDS = 32
"""runc's own threads count, too, until the program starts: with 4, one start in 120 crashed."""


class Limits(Strict):
    """What one container may use. All are enforced by the kernel or from outside."""

    memory: Bytes = 4 * 2**30
    """Bytes of memory; there is no swap on top."""
    cpus: float = Field(default=1.0, gt=0, le=1024)
    """Cores; fractions throttle."""
    pids: int = Field(default=256, ge=MIN_PIDS, le=32768)
    """Processes and threads at once."""
    output_size: Bytes = 2**30
    """Bytes that a step may write to its output."""
    log_size: Bytes = 2**20
    """Bytes of a log that are stored, from its end."""


class PredictionsFile(Strict):
    """A file of a results submission, so that ``validate`` can say what is missing or wrong."""

    file: str
    """With ``{repeat}`` in its name, one for each repeat, from 0; others of that name are refused.
    """
    optional: bool = False
    """Whether a submission may do without."""
    columns: dict[str, Literal["integer", "number", "string"]] = {}
    """Of a CSV file: column -> type, in the order of the header. Numbers must be finite. The
    content of a file without columns is the scoring program's to check."""
    rows: int | None = Field(default=None, ge=1)
    """Rows without the header."""
    unique: list[str] = []
    """Columns in which no value may stand twice."""

    @model_validator(mode="after")
    def _unique_columns_exist(self) -> "PredictionsFile":
        if self.rows is not None and not self.columns:
            raise ValueError("'rows' are those of a CSV file: name its 'columns'")
        for name in self.unique:
            if name not in self.columns:
                raise ValueError(f"'unique' names '{name}', which is not among 'columns'")
        return self


class RankComputation(Strict):
    """A column made from the ranks of other columns among the rows of the board.

    CodaLab's ``computed``: ``Avg`` is the mean rank or, with weights, their weighted sum; ``MRR``
    is the mean reciprocal rank (codalab/apps/web/models.py:1238-1285).
    """

    operation: Literal["avg_rank", "weighted_rank", "mrr"]
    fields: list[str] = Field(min_length=1)
    """Keys of columns."""
    weights: list[float] = []
    """One for each field, for ``weighted_rank``."""
    ties: Ties = "competition"
    over: Literal["board", "tasks"] = "board"
    """Ranks by the values over all tasks, or ranks on each task and then their mean."""

    @model_validator(mode="after")
    def _weights_fit(self) -> "RankComputation":
        if (self.operation == "weighted_rank") != bool(self.weights):
            raise ValueError("'weights' belong to the operation 'weighted_rank'")
        if self.weights and len(self.weights) != len(self.fields):
            raise ValueError(f"has {len(self.weights)} weights for {len(self.fields)} fields")
        return self


class Goal(Strict):
    """A value of a column that is worth reaching; the board shows it as a line, without a rank."""

    value: float = Field(allow_inf_nan=False)
    label: Annotated[str, Field(min_length=1, max_length=64)]


class ColumnExtension(Strict):
    """What Codabench has no word for about one column."""

    group: str = ""
    """Columns of one group stand together under its name."""
    ranks: RankComputation | None = None
    """Where set, no scoring program writes the column."""
    perfect: float | None = Field(default=None, allow_inf_nan=False)
    """The value that cannot be bettered, for the difficulty of tasks; None is 1 where higher is
    better, else 0."""
    optional: bool = False
    """Whether a scoring program may leave it out; the board then shows a dash."""
    breaks_ties: bool = True
    """Whether it decides between rows whose columns before it are equal."""
    claim: str = ""
    """Question of the fact sheet in which participants state the value themselves. The board
    marks an answer that the score does not confirm."""
    goal: Goal | None = None
    ratio: bool = False
    """Whether rows are compared by ratios of its values, as times are; all must be above 0."""
    mean: bool = True
    """Whether its mean over tasks means something; false where tasks are measured by different
    metrics. Each task then shows its values, and all together none."""


SubmissionRule = Literal[
    "Add", "Add_And_Delete", "Add_And_Delete_Multiple",
    "Force_Last", "Force_Latest_Multiple", "Force_Best",
]  # fmt: skip


class Ladder(Strict):
    """A score of hidden labels is shown only if it beats the participant's best by a step."""

    labels: int = Field(ge=1, le=10**9)
    """How many hidden labels the score compares: they decide what is chance."""

    @property
    def step(self) -> float:
        """Two standard deviations of the accuracy of a random file: less is noise."""
        return max(0.01, 1 / math.sqrt(self.labels))


class PhaseExtension(Extensible):
    """What Codabench has no word for about one phase."""

    plugin_keys = Contract[Any]("phase_keys")

    shows: Literal["results", "status"] = "results"
    """``status``: only whether a submission ran. Its records hold no scores, no log, no
    measurements and no reason of a failure that the participant must mend."""
    feedback_digits: int | None = Field(default=None, ge=1, le=6)
    """Decimals of a score that anybody sees, or that records hold: each score of hidden labels
    gives some of them away. Such records hold no log, no details and no times either."""
    ladder: Ladder | None = None
    """Who does not beat the own best by a step is shown that again."""
    budget: Budget | None = None
    """What the prediction step may take; it is stopped there, as at the phase's time limit."""
    max_submissions_per_week: int = Field(default=0, ge=0)
    """In any seven days, beside Codabench's limits per day and in all; 0 is no limit."""
    columns: list[str] = []
    """Keys of those columns of the board that the phase has; empty is all. The scoring programs of
    its tasks need not write the others, and nobody sees them there."""
    primary: str = ""
    """Key of the column that ranks in this phase; empty is that of the board."""
    submission_rule: Literal["", SubmissionRule] = ""
    """Which submissions its board lists; empty is the board's."""


RepeatData = bool | Literal["rows"]
"""Whether each repeat has data of its own: folders, or rows of one table."""


class TaskWithdrawal(Strict):
    """Since when a task no longer counts, and why; the commit that says so is what counts."""

    date: dt.date
    reason: Annotated[str, Field(min_length=1, max_length=500)]

    def __str__(self) -> str:
        return f"withdrawn on {self.date}: {self.reason}"


class TaskExtension(Strict):
    """Where one task differs from the others; None is as the benchmark or the phase has it."""

    repeats: int | None = Field(default=None, ge=1, le=1000)
    """How often it is run."""
    repeat_data: RepeatData | None = None
    """Whether its repeats have data of their own."""
    memory: Bytes | None = None
    """Bytes of memory."""
    cpus: float | None = Field(default=None, gt=0, le=1024)
    """Cores; fractions throttle."""
    seconds: int | None = Field(default=None, ge=1)
    """Seconds for each step, instead of the phase's ``execution_time_limit``."""
    weight: int = Field(default=1, ge=1, le=1000)
    """Of what a row reached on it, in each mean over the tasks: whole, so that equal rows stay
    equal. No score depends on it."""
    group: Annotated[str, Field(max_length=64)] = ""
    """Family of tasks that depend on each other, such as folds of one data set. In comparisons it
    counts as one task."""
    perfect: dict[str, Annotated[float, Field(allow_inf_nan=False)]] = {}
    """By key of the column, the value that cannot be bettered on this task, where its metric has
    another one than the column."""
    metrics: list[Annotated[str, Field(min_length=1, max_length=64)]] = []
    """Names of its metrics, where tasks differ. The first is what the column that ranks holds, with
    ``neg_`` where it is negated; results from elsewhere of another metric have no value there."""
    withdrawn: TaskWithdrawal | None = None
    """It keeps its results, and has neither new ones nor a part in ranks."""


class QuestionExtension(Strict):
    """What Codabench has no word for about one question of the fact sheet, a ``text`` there."""

    type: Literal["text", "url", "email", "number"] = "text"
    """``url``: the answer must be an address, http or https, and is shown as a link; ``email``: it
    must be the e-mail address of somebody; ``number``: it must be one, such as 6700000 or 6.7M, and
    scores are plotted against it where it is on the board."""


class Ranking(Strict):
    """How equal and absent values are placed, among the rows of a board.

    ``missing`` is the rank of a row without a value: that of the ``last`` value, one after it
    (``last+1``, as CodaLab does), the number of rows (``worst``), or the mean of the ranks that
    are left (``midrank``), so that all ranks of a task add up to the same whoever failed.
    """

    ties: Ties = "competition"
    missing: Missing = "worst"
    decimals: int | None = Field(default=None, ge=0, le=15)
    """Values are rounded to so many before they are compared, halves to even; None does not."""


class Analysis(Strict):
    """How the analysis over tasks and folds reads the results. No score depends on it."""

    constant: Annotated[str, Field(pattern="^([^/]+/[^/]+)?$")] = ""
    """``participant/submission`` that predicts a constant: 0 on the scale of scores. Where it is
    empty, ``baseline`` is, or else the worst method of each task."""
    reference: Annotated[str, Field(pattern="^([^/]+/[^/]+)?$")] = ""
    """``participant/submission`` that is 1 on that scale, such as a tuned forest. Empty: the best
    method of each task is 1."""
    impute: Literal["constant", "amlb", "none"] = "constant"
    """What a failed or missing fold counts as: the value of ``stand_in`` on the same task and
    fold; with ``amlb`` only where the method has another fold of the task, as in AMLB's reports; or
    nothing, so that it ranks last."""
    stand_in: Annotated[str, Field(pattern="^([^/]+/[^/]+)?$")] = ""
    """``participant/submission`` whose values are filled in; empty is ``constant``."""


class DataOrigin(Strict):
    """What a benchmark's data are where they are not those that its name promises."""

    stand_in: Annotated[str, Field(alias="stand-in", min_length=1, max_length=300)]
    """What they are, in a sentence, which pages and files show; the title says that they are."""

    @model_validator(mode="before")
    @classmethod
    def _has_sentence(cls, data: object) -> object:
        if not isinstance(data, dict):
            raise ValueError("must be {stand-in: A sentence that says what the data are}")  # noqa: TRY004
        return data


_KINDS = {"reported": ("reported", "cited_scores"), "datasets": ("dataset", "datasets")}
"""Key -> a submission kind that it is about, and the plugin that offers it."""


class Extension(Extensible):
    """The ``pullbench:`` key."""

    plugin_keys = Contract[Any]("bundle_keys")

    limits: Limits = Limits.model_construct()
    network: str = "none"
    """``none``, or the name of a Docker network; the site then says so."""
    scoring_network: str = "none"
    """The same for scoring programs, which see the reference data."""
    ingestion_may_fail: bool = False
    """Whether predictions are scored also where the program that makes them ends with an error, as
    on Codabench. Where they cannot be scored, that error is the cell's."""
    repeats: int = Field(default=1, ge=1, le=1000)
    """How often each task is run; repeat r sees the environment variable PULLBENCH_REPEAT=r."""
    repeat_data: RepeatData = False
    """Whether each repeat has data of its own, as folds have: folders ``0``, ``1``, … in input_data
    and reference_data, of which repeat r sees the one with its number, and no other. ``rows``:
    these folders are made of one table in reference_data and of row numbers of each repeat."""
    exclusive: bool = False
    """Nothing else runs beside a cell of this benchmark: for boards where time is the score."""
    gpus: int = Field(default=0, ge=0, le=64)
    """GPUs that a prediction step is given."""
    queue: Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$")] = "default"
    """Which runners take the cells."""
    reported: bool | Literal["only"] = False
    """Whether results from elsewhere may stand on the board, marked as not reproduced here;
    ``only``: nothing else may, and the benchmark is never open."""
    baseline: Annotated[str, Field(pattern="^([^/]+/[^/]+)?$")] = ""
    """``participant/submission`` with which the difficulty of tasks is measured."""
    predictions: list[PredictionsFile] = []
    analysis: Analysis = Analysis.model_construct()
    fingerprint: str = ""
    """Key of a number that the scoring program writes beside the scores, equal for equal
    predictions. The board names the submissions that share one."""
    extra: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(
        default=[], max_length=100
    )
    """Keys of further numbers that the scoring program writes and that are to be recorded and
    shown on each submission's page. What stands under neither a column nor one of these is
    dropped: it may be what only the organiser knows."""
    private: list[PrivateData] = []
    columns: dict[str, ColumnExtension] = {}
    """By key of the column."""
    phases: dict[int, PhaseExtension] = {}
    """By index of the phase."""
    tasks: dict[int, TaskExtension] = {}
    """By index of the task."""
    datasets: Datasets | None = None
    """Where participants submit data sets: what becomes of them."""
    stages: list[Stage] = Field(default=[], max_length=MAX_STAGES)
    """Parts of a workflow, each of which a code submission may bring in a folder of its name; the
    ingestion program holds the organiser's own for the others."""
    aggregate: Annotated[str, NameIn(RULES)] = "mean"
    """How a multi-task row is ranked: by the mean of the primary column over all tasks of the
    phase; with ``none`` by the first task; with ``mean_rank`` by the mean, over the tasks, of its
    rank among the rows of the board by the primary column; with ``win_rate`` by the mean, over the
    tasks on which it has run, of the share of the others there that it beats."""
    ranking: Ranking = Ranking.model_construct()
    """How ranks are given, in the places of the board and in mean ranks over tasks."""
    quota_by: str = ""
    """Question of the fact sheet: submissions with the same answer, whatever its case, count
    together for quotas, as if they were of one participant."""
    approval: Literal["none", "required"] = "none"
    """``required``: only what an organiser approves in ``approvals.yaml`` is ranked."""
    dates: bool = False
    """Whether the day on which a submission came is a column of the board."""
    data: DataOrigin | None = None
    questions: dict[str, QuestionExtension] = {}
    """By key of the question."""

    @field_validator("reported", "datasets")
    @classmethod
    def _kind_is_there(cls, value: object, info: ValidationInfo) -> object:
        kind, plugin = _KINDS[info.field_name or ""]
        if value and kind not in Contract[object]("kinds"):
            raise ValueError(f"needs the plugin '{plugin}', which is not installed")
        return value
