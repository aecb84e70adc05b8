"""The forms of ``analysis.json`` and ``confidence.json``, for their JSON Schemas."""

from typing import Any, Literal

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12


class ImputedCell(TypedDict):
    """Results of a method on a task that are another's."""

    task: str
    method: str
    folds: list[int]


class Imputation(TypedDict):
    """What stands in for failed and missing results."""

    rule: Literal["constant", "amlb", "none"]
    stand_in: str
    """Method whose results stand in; empty where none does."""
    folds: dict[str, int]
    """Method -> how many of its results are filled in."""
    cells: list["ImputedCell"]
    """Which they are."""


class ScoreScale(TypedDict):
    """Methods that are 0 and 1 of scaled scores; null: the worst and the best of each task."""

    zero: str | None
    one: str | None


class FriedmanData(TypedDict):
    """Friedman's test."""

    methods: int
    blocks: int
    statistic: float
    p: float
    differs: bool


class ChangeData(TypedDict):
    """One method here and in another phase."""

    method: str
    tasks: int
    better: int
    equal: int
    worse: int
    median_before: float
    median_after: float


class AgainstData(TypedDict):
    """The comparison with another phase."""

    title: str
    changes: list[ChangeData]


class OtherTests(TypedDict):
    """What other tests say, for papers."""

    friedman: FriedmanData | None
    critical_difference: float | None
    groups: list[list[str]]
    """Methods closer than the critical difference."""


class AnalysisData(OtherTests):
    """What the results say. Tables have the columns of the CSV files beside it."""

    title: str
    phase: str
    column: str
    lower_is_better: bool
    tasks: list[str]
    folds: int
    compared_on: Literal["folds", "tasks"]
    methods: dict[str, str]
    """``participant/submission`` -> name, the best mean rank first."""
    left_out: dict[str, str]
    """Method -> why."""
    imputation: Imputation
    scale: ScoreScale
    basis: list[str]
    findings: list[str]
    against: list[AgainstData]
    mean_ranks: list[dict[str, Any]]
    pairs: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    box_plots: list[dict[str, Any]]
    failures: list[dict[str, Any]]


class ComparisonData(TypedDict):
    """One question about the rows of a board, and what tells any two of them apart."""

    about: Literal["tasks", "runs", "samples"]
    noun: str
    """What the units are, in the plural."""
    units: int
    tasks: int
    turns: int
    critical: float | None
    """How clear a difference must be; null if units are too few."""
    lent: float
    by_ratio: bool
    scale: float
    """``means`` and ``parts`` times this are values, or their logarithms."""
    rows: list[str]
    """``participant/submission`` in the order of the board."""
    tolerated: float
    """By row: by how much two runs of it may differ; the larger one counts for a pair."""
    shares: list[float]
    """By unit; above 1,000 of these each has been joined to every thousandth after it."""
    means: list[float | None]
    parts: list[list[float | None]]
    """By row, then by unit."""
    two: list[float | None] | None
    """Where two rows are all: p, distance and its limits, as parts of ``scale``."""


class ConfidenceData(TypedDict):
    """``confidence.json``."""

    comparisons: list[ComparisonData]
    tests: OtherTests | None
    """Null where methods or results are too few."""
