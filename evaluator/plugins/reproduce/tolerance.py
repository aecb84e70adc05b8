"""``pullbench: tolerance:`` of a bundle: by how much scores of the same files may differ.

What differs by less confirms a score, and ranks that are as near are said to be tied.
"""

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from evaluator.core.errors import Actor, Problem, nearest
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.columns import Column
from evaluator.core.formats.parsing import Strict
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats
from evaluator.core.planning.snapshot import Snapshot

_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


_ROUNDING = 1e-9
"""0.51 - 0.5 is more than 0.01."""


class Tolerance(Strict):
    """Of one column."""

    absolute: _Amount = 0
    relative: _Amount = 0
    """Part of the larger of two values."""
    why: Annotated[str, Field(min_length=1, max_length=300)]
    """A sentence that the page of a board shows."""

    @model_validator(mode="after")
    def _says_how_much(self) -> "Tolerance":
        if not (self.absolute or self.relative):
            raise ValueError("needs 'absolute' or 'relative', such as 'absolute: 0.01'")
        return self

    def holds(self, one: Floats, other: Floats) -> bool:
        """Whether all values are as near; where both are NaN, nothing differs."""
        allowed = np.maximum(self.absolute, self.relative * np.maximum(abs(one), abs(other)))
        allowed *= 1 + _ROUNDING
        return bool(np.all((abs(one - other) <= allowed) | (np.isnan(one) & np.isnan(other))))


Tolerances = dict[str, Tolerance]
"""``pullbench: tolerance:`` by key of the column."""


def tolerances_of(benchmark: Benchmark) -> Tolerances:
    return dict(benchmark.of_plugins.get("tolerance", {}))


def check_tolerances(snapshot: Snapshot, _within: Collection[str]) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        written = sorted(benchmark.leaderboard.score_keys)
        for key in tolerances_of(benchmark).keys() - written:
            yield Problem(
                file=f"{benchmark.path}/{FILE_NAME}", key=f"pullbench.tolerance.{key}",
                message="is the key of no column that a scoring program writes.",
                hint=nearest(key, written, f"Keys are: {', '.join(written)}."),
                actor=Actor.ORGANISER,
            )  # fmt: skip


def note(_boards: Sequence[PublicBoard], board: PublicBoard, _now: dt.datetime) -> str:
    """Say by how much runs may differ in what a board ranks by, and which ranks that ties."""
    tolerance = _tolerance(board)
    if tolerance is None:
        return ""
    amounts = [f"{tolerance.absolute:g}"] if tolerance.absolute else []
    amounts += [f"{tolerance.relative:.3g} of the value"] if tolerance.relative else []
    tied = ", ".join(f"{first} to {last}" for first, last in _tied(board))
    which = f"Tied within that: ranks {tied}." if tied else "No ranks are tied within that."
    begin = f"Two runs may differ by {' or '.join(amounts)} in {_ranked_by(board).title}"
    return f"{begin}: {tolerance.why} {which}"


def tie_marks(board: PublicBoard) -> dict[str, tuple[str, str]]:
    """Mark the rows of ranks that are tied."""
    why = f"These ranks are no further apart in {_ranked_by(board).title} than two runs may be."
    return {
        row.submission.id: (f"tied: {first} to {last}", why)
        for first, last in _tied(board)
        for row in board.ranked if first <= (row.rank or 0) <= last
    }  # fmt: skip


def _ranked_by(board: PublicBoard) -> Column:
    return board.benchmark.leaderboard.ranked_by or board.benchmark.leaderboard.primary


def _tolerance(board: PublicBoard) -> Tolerance | None:
    """Of what ranks a board, if that is shown."""
    column = _ranked_by(board)
    shown = column in board.columns and board.ranked
    return tolerances_of(board.benchmark).get(column.key) if shown else None


def _tied(board: PublicBoard) -> Iterator[tuple[int, int]]:
    """Yield first and last ranks of neighbours that are as near as two runs of the first may be.

    Ranks that come from each task are tied if the values of each task are.
    """
    tolerance, key = _tolerance(board), _ranked_by(board).key
    if tolerance is None:
        return
    by_task = board.benchmark.leaderboard.ranked_by is not None
    values = np.array(list(board.table.finished(key))) if by_task else board.overall[key][None]
    ranks = [row.rank or 0 for row in board.ranked]
    first = 0
    for place in range(1, len(ranks) + 1):
        if place == len(ranks) or not tolerance.holds(values[:, first], values[:, place]):
            if ranks[first] != ranks[place - 1]:
                yield ranks[first], ranks[place - 1]
            first = place
