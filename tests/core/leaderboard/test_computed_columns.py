"""Sums and means of columns are those of each row by itself, to the last bit."""

import math
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from evaluator.core.formats.sums import mean, total
from evaluator.core.leaderboard.computed import add_computed

NUMBERS = (math.nan, 0.0, -0.0, 0.1, 0.2, -1e16, 1.0, 5e-324, 1.7e308, -1.7e308)


@pytest.mark.parametrize("computation", ["avg", "sum"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_row_is_computed_as_it_is_alone(computation: str, count: int) -> None:
    keys = "abc"[:count]
    grids = np.meshgrid(*[np.array(NUMBERS)] * count)
    values = dict(zip(keys, grids, strict=True))
    column = SimpleNamespace(key="joined", operands=tuple(keys), computation=computation)
    add_computed(values, [cast("Any", column)])
    combine = mean if computation == "avg" else total
    for numbers, made in zip(
        zip(*(grid.ravel().tolist() for grid in grids), strict=True),
        values["joined"].ravel().tolist(), strict=True,
    ):  # fmt: skip
        there = [number for number in numbers if not math.isnan(number)]
        expected = combine(there) if there else math.nan
        assert repr(made) == repr(expected), numbers
