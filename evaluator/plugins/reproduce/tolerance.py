"""``pullbench: tolerance:`` of a bundle: by how much scores of the same files may differ."""

from collections.abc import Collection, Iterator
from math import isnan
from typing import Annotated

from pydantic import Field

from evaluator.core.errors import Problem, nearest
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.parsing import Strict
from evaluator.core.planning.snapshot import Snapshot

_ROUNDING = 1e-9
"""0.51 - 0.5 is more than 0.01."""


class Tolerance(Strict):
    """Of one column."""

    absolute: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    why: Annotated[str, Field(min_length=1, max_length=300)]
    """A sentence that the page of a board shows."""

    def holds(self, one: float, other: float) -> bool:
        """Whether two values are as near; if both are NaN, nothing differs."""
        allowed = self.absolute * (1 + _ROUNDING)
        return abs(one - other) <= allowed or (isnan(one) and isnan(other))


Tolerances = dict[str, Tolerance]
"""``pullbench: tolerance:`` by key of the column."""


def tolerances_of(benchmark: Benchmark) -> Tolerances:
    return dict(benchmark.of_plugins.get("tolerance", {}))


def check_tolerances(snapshot: Snapshot, _within: Collection[str]) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        written = sorted(benchmark.leaderboard.score_keys)
        for key in tolerances_of(benchmark).keys() - written:
            yield benchmark.problem(
                f"pullbench.tolerance.{key}",
                "is the key of no column that a scoring program writes.",
                nearest(key, written, f"Keys are: {', '.join(written)}."),
            )
