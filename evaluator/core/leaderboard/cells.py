"""What one submission reached on one task, and columns that are computed from others of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from evaluator.core.formats.columns import Column
from evaluator.core.formats.record import CellError, Record
from evaluator.core.formats.sums import mean, total

State = Literal["finished", "failed", "stale", "missing"]
"""``stale``: there is a record, but of other content than the commit's; ``missing``: none yet."""
STATES: tuple[State, ...] = ("finished", "failed", "stale", "missing")
"""In the order of their numbers; that of what finished is 0."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TaskResult:
    """What one submission reached on one task."""

    state: State
    values: Mapping[str, float]
    """Column key -> value, computed columns included; over repeats the mean."""
    deviations: Mapping[str, float]
    """Column key -> sample standard deviation over repeats; empty for one run."""
    error: CellError | None
    """The first failure."""
    seconds: float | None
    """Wall-clock seconds of all repeats; None without a record."""
    peak_memory: int | None
    """Bytes; the largest of all steps."""
    less: str
    """What machines did not give of what was asked for; empty where all had all."""
    has_earlier: bool
    """Whether a record of the submission remembers former scores."""
    load: Callable[[], tuple[Record, ...]]

    @property
    def records(self) -> tuple[Record, ...]:
        """By repeat, those that are stale included; read when they are asked for."""
        return self.load()


def computed(
    column: Column, values: Mapping[str, npt.NDArray[np.float64]]
) -> npt.NDArray[np.float64] | None:
    """Return a computed column: over the operands that have a value, as Codabench does.

    NaN stands for none; None where no operand is among the values.
    """
    operands = [values[key] for key in column.operands if key in values]
    if column.computation is None or not operands:
        return None
    if column.computation == "min":
        return np.asarray(np.fmin.reduce(operands))
    if column.computation == "max":
        return np.asarray(np.fmax.reduce(operands))
    combine = mean if column.computation == "avg" else total
    stacked = np.stack(operands, axis=-1)
    has_value = ~np.isnan(stacked)
    result = np.full(stacked.shape[:-1], np.nan)
    some = has_value.any(axis=-1)
    result[some] = [
        combine(value for value in numbers if value == value) for numbers in stacked[some].tolist()
    ]
    return result


def with_computed(values: Mapping[str, float], columns: Sequence[Column]) -> dict[str, float]:
    """Add computed columns to the values of one cell or row, if it has any."""
    result = dict(values)
    for column in columns if values else ():
        value = computed(column, {key: np.array(value) for key, value in result.items()})
        if value is not None:
            result[column.key] = float(value)
    return result
