"""Columns of what programs spent on models, from transcripts."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.published import read_attachments
from evaluator.core.leaderboard.table import Flags, Floats, Table
from evaluator.plugins.models.keys import Model
from evaluator.plugins.models.transcript import SUFFIX, Exchange, unpack


@dataclass(frozen=True, kw_only=True)
class SpentColumn:
    """The mean over repeats and tasks; it has no interval."""

    what: Literal["calls", "tokens", "cost"]
    models: Mapping[str, Model]

    @property
    def name(self) -> str:
        return self.what

    @property
    def note(self) -> str:
        of = {
            "calls": "requests that models answered",
            "tokens": "tokens of requests and answers",
            "cost": "what these cost, by the bundle's prices",
        }
        return f"{self.what.capitalize()} are {of[self.what]}, the mean over repeats and tasks."

    def __call__(
        self, table: Table, counts: Flags, weights: Sequence[int], _seconds: object = None
    ) -> tuple[Floats, Floats, Floats]:
        """NaN for a row without a transcript of each task that counts."""
        values = np.full(counts.shape[1], np.nan)
        for row in np.flatnonzero(counts.any(axis=0)).tolist():
            tasks = np.flatnonzero(counts[:, row]).tolist()
            records = [
                table.load_records(table.submissions[row], table.tasks[task]) for task in tasks
            ]
            files = read_attachments(table, (one for some in records for one in some), SUFFIX)
            with suppress(KeyError, ValueError):
                means = [mean([self._of(files[one.cell]) for one in some]) for some in records]
                values[row] = mean(means, [float(weights[task]) for task in tasks])
        unknown = np.full_like(values, np.nan)
        return values, unknown, unknown

    def _of(self, content: bytes) -> float:
        return float(sum(self._of_exchange(one) for one in unpack(content)[1] if not one.refused))

    def _of_exchange(self, exchange: Exchange) -> float:
        if self.what == "calls":
            return 1
        if self.what == "tokens":
            return exchange.input + exchange.output
        return exchange.cost(self.models)
