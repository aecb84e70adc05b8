"""The board of a benchmark and its columns, every reference between them resolved."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol

from evaluator.core.formats.competition import LeaderboardEntry
from evaluator.core.formats.extension import (
    ColumnExtension,
    Extension,
    Goal,
    RankComputation,
    Ranking,
)
from evaluator.core.formats.parsing import make
from evaluator.core.plugins import Contract
from evaluator.core.ranking.rule import RULES, RankingRule

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from evaluator.core.ranking.ranks import Floats

SortOrder = Literal["asc", "desc"]
_NO_EXTENSION = ColumnExtension.model_construct()


class Derived(Protocol):
    """Makes a column from the repeats of another, once there are ranks: they never read it."""

    @property
    def note(self) -> str:
        """Say how it is made, in a sentence."""

    def __call__(
        self,
        table: Any,
        counts: "npt.NDArray[np.bool_]",
        weights: Sequence[int],
        seconds: Sequence[float],
        /,
    ) -> "tuple[Floats, Floats, Floats]":
        """Values over the tasks that count, and both ends of their 95% intervals.

        ``counts`` is by task and row, ``seconds`` what a run of each task may take, infinite for no
        limit; a result by row; NaN is none.
        """


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of a leaderboard; ``key`` is its key in scores.json. See ``ColumnExtension``."""

    key: str
    title: str
    sorting: SortOrder
    precision: int
    hidden: bool
    computation: str | None
    """``avg``, ``sum``, ``min`` or ``max`` over ``operands``, else None."""
    operands: tuple[str, ...]
    """Keys of the columns that the computation reads."""
    group: str = ""
    ranks: RankComputation | None = None
    perfect: float = 1
    optional: bool = False
    breaks_ties: bool = True
    claim: str = ""
    of_rule: bool = False
    """Whether the ranking rule adds it."""
    over_tasks: bool = False
    """Whether it says something of all tasks together, and nothing of one."""
    goal: Goal | None = None
    mean: bool = True
    ratio: bool = False
    derived: Derived | None = None
    """Of a plugin: ``operands`` says of what."""

    @property
    def is_relative(self) -> bool:
        """Whether its values are made from ranks, so that each result may change them all."""
        return self.of_rule or self.ranks is not None


@dataclass(frozen=True, kw_only=True)
class Leaderboard:
    """The board of a benchmark, or of one of its phases, which may have some columns alone."""

    key: str
    title: str
    hidden: bool
    submission_rule: str
    primary: Column
    columns: tuple[Column, ...]
    """In the order of their index."""
    aggregate: str
    ranking: Ranking
    ranked_by: Column | None
    """The column by which rows are compared on each task; None where they rank by values."""

    @property
    def rule(self) -> RankingRule:
        return RULES[self.aggregate]

    def of_phase(self, keys: Collection[str], primary: str, rule: str) -> "Leaderboard":
        """The board with some of its columns; what is empty is as it is here."""
        if not (keys or primary or rule):
            return self
        columns = tuple(
            column for column in self.columns
            if column.of_rule or not keys or column.key in keys
            or (column.derived and {*column.operands} <= {*keys})
        )  # fmt: skip
        board = replace(self, columns=columns, submission_rule=rule or self.submission_rule)
        ranks = next((column for column in columns if column.key == primary), None)
        if ranks is None:
            return board
        if self.ranked_by is not None:
            return replace(board, ranked_by=ranks)
        return replace(board, primary=ranks)

    @property
    def of_one_task(self) -> "Leaderboard":
        """The board of one task, on which values themselves may be what is compared."""
        if self.rule.of_one_task or self.ranked_by is None:
            return self
        return replace(
            self, aggregate="mean", primary=self.ranked_by, ranked_by=None,
            columns=tuple(column for column in self.columns if not column.of_rule),
        )  # fmt: skip

    @cached_property
    def score_keys(self) -> tuple[str, ...]:
        return tuple(
            column.key
            for column in self.columns
            if not (column.computation or column.is_relative or column.derived)
        )

    @cached_property
    def computed(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.computation is not None)

    @cached_property
    def sorting_columns(self) -> tuple[Column, ...]:
        others = (c for c in self.columns if not c.hidden and c.breaks_ties and c != self.primary)
        return (self.primary, *others)

    @property
    def optional_keys(self) -> frozenset[str]:
        return frozenset(column.key for column in self.columns if column.optional)


def columns_part(board: Leaderboard, recorded: Collection[str]) -> Sequence[object]:
    """Columns, and optional ones: no failure is to outlive that one becomes optional."""
    optional = sorted(board.optional_keys & set(recorded))
    return [sorted(recorded), optional] if optional else sorted(recorded)


FURTHER_COLUMNS = Contract[Callable[[Any, Sequence[Column]], Iterable[Column]]]("columns")
"""By one of a plugin's keys: from its value and the columns to further ones, ``derived``."""


def make_leaderboard(entry: LeaderboardEntry, extension: Extension) -> Leaderboard:
    ordered = sorted(entry.columns, key=lambda column: column.index)
    key_of = {column.index: column.key for column in ordered}
    columns: dict[int, Column] = {}
    for column in ordered:
        more = extension.columns.get(column.key, _NO_EXTENSION)
        best = 1.0 if column.sorting == "desc" else 0.0
        columns[column.index] = make(
            Column, column, more,
            operands=tuple(key_of[index] for index in column.computation_indexes or ()),
            perfect=best if more.perfect is None else more.perfect,
        )  # fmt: skip
    primary = columns[entry.primary_index]
    shown = tuple(columns.values())
    rule = RULES[extension.aggregate]
    ranked_by = primary if rule.columns else None
    added = tuple(
        Column(
            key=column.key, title=column.title, sorting=column.sorting, precision=column.precision,
            hidden=primary.hidden, computation=None, operands=(), breaks_ties=rule.breaks_ties,
            of_rule=True, over_tasks=column.over_tasks,
        )
        for column in rule.columns
    )  # fmt: skip
    if not rule.breaks_ties:
        shown = tuple(replace(column, breaks_ties=False) for column in shown)
    for name, value in extension.of_plugins.items():
        if name in FURTHER_COLUMNS:
            shown += tuple(FURTHER_COLUMNS[name](value, shown))
    return make(
        Leaderboard, entry, primary=added[0] if added else primary, columns=(*added, *shown),
        aggregate=extension.aggregate, ranking=extension.ranking, ranked_by=ranked_by,
    )  # fmt: skip
