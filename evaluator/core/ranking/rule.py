"""What a ranking rule is: one implementation over arrays, for boards and for resampled tasks.

A rule is a class below ``RankingRule``, and a plugin's line that offers it.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.ranking.ranks import Floats

Ties = Literal["competition", "dense", "average"]
"""Rank of equal values: 1, 1, 3 or 1, 1, 2 or 1.5, 1.5, 3."""
Missing = Literal["last", "last+1", "worst", "midrank"]
"""Rank of what has no value: that of the last value, one after it, the number of rows, or the mean
of the ranks that are left."""


@dataclass(frozen=True, kw_only=True)
class RuleColumn:
    """A column that a rule adds before those of the bundle."""

    key: str
    title: str
    sorting: Literal["asc", "desc"]
    precision: int
    over_tasks: bool = False
    """Whether it says something of all tasks together, and nothing of one."""


@dataclass(frozen=True, kw_only=True)
class ComparedRows:
    """The rows that are compared on each task, and how."""

    participants: Sequence[str]
    """By row."""
    ascending: bool
    """Whether less is better."""
    ties: Ties
    missing: Missing
    decimals: int | None
    """Values are rounded to so many before they are compared; None does not."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What the note above a board calls things."""

    column: str
    """Title of the column by which single tasks are compared."""
    better: str
    """``lower is better``."""
    ties: str
    """What equal values have."""
    missing: str
    """What has no value has."""
    excludes_own: bool
    """Whether the data that participants brought do not count for themselves."""


class RankingRule:
    """How rows are ranked over several tasks; as it stands, by the mean of their values."""

    name: str
    """As bundles write it: ``pullbench: aggregate``."""
    columns: tuple[RuleColumn, ...] = ()
    """What the rule adds; rows are ranked by the first. Without any they are ranked by values."""
    breaks_ties: bool = True
    """Whether the bundle's columns decide between rows that are equal by the rule."""
    of_first_task: bool = False
    """Whether the first task alone makes the ranks."""
    of_one_task: bool = True
    """Whether the board of one task ranks by this rule, too, and not by values."""
    failures_lose: bool = False
    """Whether a failure is worse than any value; else it is a missing value."""
    fills_missing: bool = False
    """Whether rows get something on tasks where they have no value."""

    def parts(self, values: "Floats", compared: ComparedRows) -> "Floats":
        """What rows get on each task, or sample of one, whose mean is their value."""
        return values

    def overall(
        self, parts: Sequence[float], weights: Sequence[int], coverage: float
    ) -> dict[str, float]:
        """Values of ``columns``, of parts on tasks; it has run on the share ``coverage``."""
        # Ranks and whole weights have exact products: equal rows stay equal.
        return {self.columns[0].key: statistics.fmean(parts, weights)} if parts else {}

    def note(self, wording: Wording) -> str:
        """Say how ``columns`` are made, in sentences for the note above the board."""
        return ""


RULES = Contract[RankingRule]("ranking_rules")
"""By the name that bundles give them."""
