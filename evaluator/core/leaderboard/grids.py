"""Lines of cells -> grids by task and submission, in which repeats are joined."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluator.core.formats.sums import deviation, mean, total
from evaluator.core.leaderboard.table import Flags, Floats


class Grids:
    """The lines of cells by task and submission, repeats joined."""

    def __init__(
        self, lines: Mapping[str, npt.NDArray[Any]], tasks: int, submissions: int,
        scores: Mapping[str, Sequence[float]],
    ) -> None:  # fmt: skip
        self._lines = lines
        self._shape = (tasks, submissions)
        self._scores = scores
        self._at = lines["task"] * submissions + lines["submission"]
        self.count = np.bincount(self._at, minlength=tasks * submissions).reshape(self._shape)

    def any(self, name: str) -> Flags:
        """Whether any repeat is marked so."""
        marked = np.zeros(self._shape, np.bool_)
        marked.flat[self._at[self._lines[name]]] = True
        return marked

    def largest(self, names: Sequence[str]) -> Floats:
        """Return the largest number of the repeats in some columns."""
        grid = self._empty()
        for name in names:
            np.fmax.at(grid.reshape(-1), self._at, self._lines[name])
        return grid

    def means(self, keys: Sequence[str]) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Return means and sample standard deviations over repeats, by column."""
        values, deviations = {}, {}
        for key in keys:
            numbers = np.array(self._scores[key], np.float64)
            values[key] = self._joined(numbers, mean)
            deviations[key] = self._joined(numbers, deviation, least=2)
        return values, deviations

    def seconds(self, at_once: Flags) -> Floats:
        """Return what all steps of all repeats took; of steps that ran at once the longest."""
        ingestion = np.nan_to_num(self._lines["ingestion"])
        scoring = np.nan_to_num(self._lines["scoring"])
        together = at_once[self._lines["task"]]
        first = np.where(together, np.maximum(ingestion, scoring), ingestion)
        second = np.where(together, 0.0, scoring)
        with np.errstate(over="ignore"):
            both = first + second  # rounded once, as a total is
        several = (self.count.ravel()[self._at] > 1) | np.isinf(both)
        grid = self._empty()
        grid.flat[self._at[~several]] = both[~several]
        parts: dict[int, list[float]] = defaultdict(list)
        for place, *steps in zip(
            self._at[several].tolist(), first[several].tolist(), second[several].tolist(),
            strict=True,
        ):  # fmt: skip
            parts[place] += steps
        for place, steps in parts.items():
            grid.flat[place] = total(steps)
        return grid

    def _joined(
        self, numbers: Floats, join: Callable[[Sequence[float]], float], *, least: int = 1
    ) -> Floats:
        """Join the numbers of each cell that has at least so many."""
        grid = self._empty()
        has_number = ~np.isnan(numbers)
        at, numbers = self._at[has_number], numbers[has_number]
        count = np.bincount(at, minlength=grid.size)
        alone = count[at] == 1
        if least == 1:  # what is alone is its own mean
            grid.flat[at[alone]] = numbers[alone]
        several: dict[int, list[float]] = defaultdict(list)
        for place, number in zip(at[~alone].tolist(), numbers[~alone].tolist(), strict=True):
            several[place].append(number)
        for place, group in several.items():
            grid.flat[place] = join(group)
        return grid

    def _empty(self) -> Floats:
        return np.full(self._shape, np.nan)
