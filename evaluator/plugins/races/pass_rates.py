"""How often a task is passed: by one of k repeats (``pass@k``), or by all k (``pass^k``).

Each task is run n times, of which c pass. Without bias, the chance that k fresh runs hold a pass is
1 - C(n-c, k) / C(n, k) (Chen et al. 2021, arXiv:2107.03374), and that all k pass is
C(c, k) / C(n, k) (Yao et al. 2024, arXiv:2406.12045). A column is the mean of that over tasks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.table import FAILED, FINISHED, SCORE, Flags, Floats, Table
from evaluator.core.ranking.proportion import pass_chances, proportion
from evaluator.plugins.races.passes import PassesOf

_PRECISION = 3


@dataclass(frozen=True, kw_only=True)
class PassRate:
    """One such column."""

    key: str
    """Of the column with the outcomes."""
    k: int
    every: bool
    """Whether all k must pass, and not one of them."""
    threshold: float
    less_is_better: bool

    @property
    def name(self) -> str:
        return f"pass{'^' if self.every else '@'}{self.k}"

    @property
    def note(self) -> str:
        who = f"all {self.k} runs pass" if self.every else f"one of {self.k} runs passes"
        way = "at most" if self.less_is_better else "at least"
        return (
            f"{self.name} is the chance that {who} ({self.key} of {way} {self.threshold:g}), the "
            "mean over the tasks; behind it is its 95% interval over tasks."
        )

    def __call__(
        self, table: Table, counts: Flags, weights: Sequence[int], _seconds: object = None
    ) -> tuple[Floats, Floats, Floats]:
        """Count a repeat that failed, or wrote no value, as not passed; all must have run here."""
        rates = self._on_tasks(table)[: len(counts)]
        runs = table.repeats[: len(counts)] if self.k == 1 else np.ones(len(counts))
        ran = (np.isin(table.states, (FINISHED, FAILED)) & table.recorded)[: len(counts)]
        values = np.full((3, counts.shape[1]), np.nan)
        for row in np.flatnonzero((ran | ~counts).all(axis=0) & counts.any(axis=0)).tolist():
            tasks = counts[:, row]
            own, weight = rates[tasks, row], np.array(weights, np.float64)[: len(counts)][tasks]
            _, *limits = proportion(own, weight, None, float(runs[tasks].sum()))
            values[:, row] = mean(own.tolist(), weight.tolist()), *limits
        return values[0], values[1], values[2]

    def _on_tasks(self, table: Table) -> Floats:
        numbers = table.by_repeat(SCORE + self.key)
        sign = -1 if self.less_is_better else 1
        passed = (sign * numbers >= sign * self.threshold).sum(axis=-1)
        rates = {n: pass_chances(n, self.k, every=self.every) for n in {*table.repeats}}
        return np.array([rates[n][c] for n, c in zip(table.repeats, passed, strict=True)])


def pass_columns(passes: Mapping[str, PassesOf], columns: Sequence[Column]) -> Iterator[Column]:
    asked_of = ((column, passes[column.key]) for column in columns if column.key in passes)
    for column, asked in asked_of:
        for every, ks in ((False, asked.at), (True, asked.all)):
            for k in dict.fromkeys(ks):
                rate = PassRate(
                    key=column.key, k=k, every=every, threshold=asked.threshold,
                    less_is_better=column.sorting == "asc",
                )  # fmt: skip
                yield Column(
                    key=f"{column.key}_pass_{'all' if every else 'at'}_{k}",
                    title=rate.name if len(passes) == 1 else f"{column.title} {rate.name}",
                    sorting="desc", precision=_PRECISION, hidden=column.hidden, computation=None,
                    operands=(column.key,), breaks_ties=False, over_tasks=True, derived=rate,
                )  # fmt: skip
