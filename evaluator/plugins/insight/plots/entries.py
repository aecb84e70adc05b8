"""A published board as its figures see it: a view, which selects from the board's table."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import FAILED, MISSING, STALE, Floats
from evaluator.plugins.insight.statistics.material import compared_column
from evaluator.site.boards.usage import Usage, usage_by_row
from evaluator.site.content.insight import NO_PRICES, Prices

Group = Literal["submission", "baseline", "reported"]


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardEntries:
    """The rows of a board that count, and what figures ask of them."""

    board: PublicBoard
    rows: tuple[Row, ...]
    """As on the board, the best first, then those that it does not list."""
    prices: Prices = NO_PRICES

    @property
    def primary(self) -> Column:
        return self.board.benchmark.leaderboard.primary

    @property
    def compared(self) -> Column:
        """By which single tasks are compared."""
        return compared_column(self.board.benchmark.leaderboard)

    @property
    def tasks(self) -> tuple[Task, ...]:
        return self.board.tasks

    @property
    def values(self) -> Floats:
        """In ``compared``, by task and row; NaN for none."""
        return self.board.table.finished(self.compared.key)[:, [row.place for row in self.rows]]

    @cached_property
    def failures(self) -> Mapping[str, int]:
        """Task slug -> number of submissions that failed there."""
        return self._count(FAILED)

    @cached_property
    def missing(self) -> Mapping[str, int]:
        """Task slug -> number of submissions without a current result there."""
        return self._count(MISSING, STALE)

    def _count(self, *states: int) -> dict[str, int]:
        own = self.board.table.states[:, [row.place for row in self.rows]]
        counts = np.isin(own, states).sum(axis=1).tolist()
        return dict(zip((task.slug for task in self.tasks), counts, strict=True))

    @property
    def transposed(self) -> bool:
        """Whether rows are data sets, and tasks the organiser's methods."""
        return self.board.benchmark.ranks_datasets

    @property
    def relative(self) -> bool:
        """Whether scores say how submissions compare, such as mean ranks."""
        return self.primary.key != self.compared.key

    @property
    def nouns(self) -> str:
        return "data sets" if self.transposed else "submissions"

    @property
    def asked(self) -> Mapping[str, str]:
        """Questions whose answers are numbers and stand on the board: key -> title."""
        benchmark = self.board.benchmark
        return {
            question.key: question.title for question in benchmark.board_questions
            if benchmark.answer_forms.get(question.key) == "number"
        }  # fmt: skip

    @property
    def listed(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.place < len(self.board.rows))

    def group(self, row: Row) -> Group:
        submission = row.submission
        if submission.reported:
            return "reported"
        name = submission.short_name
        is_baseline = name == self.board.benchmark.baseline or submission.solution
        return "baseline" if is_baseline else "submission"

    @cached_property
    def baselines(self) -> frozenset[int]:
        """Places among ``rows``."""
        groups = map(self.group, self.rows)
        return frozenset(place for place, group in enumerate(groups) if group == "baseline")

    def score(self, row: Row) -> float | None:
        """In ``primary``, over all tasks."""
        return row.overall.get(self.primary.key) if row.is_placed else None

    @cached_property
    def _usage(self) -> list[Usage | None]:
        return usage_by_row(self.board, self.prices)

    def usage(self, row: Row) -> Usage | None:
        return self._usage[row.place]


def gather(board: PublicBoard, prices: Prices = NO_PRICES) -> BoardEntries | None:
    rules = board.benchmark.leaderboard
    if rules.hidden or board.phase.shows == "status":
        return None
    if rules.primary.hidden or compared_column(rules).hidden:
        return None
    # Where participants choose what is listed, they chose that the rest is not shown.
    unlisted = () if rules.submission_rule.startswith("Add") else board.unlisted
    rows = tuple(row for row in (*board.rows, *unlisted) if row.counts)
    return BoardEntries(board=board, rows=rows, prices=prices)
