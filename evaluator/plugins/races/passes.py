"""``pullbench: passes:`` of a bundle, and what must be true of it."""

from collections.abc import Collection, Iterator
from typing import Annotated

from pydantic import Field, model_validator

from evaluator.core.errors import Actor, Problem, nearest
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.parsing import Strict
from evaluator.core.planning.snapshot import Snapshot

_Ks = Annotated[list[Annotated[int, Field(ge=1, le=1000)]], Field(max_length=10)]


class PassesOf(Strict):
    """Columns to derive from one column."""

    at: _Ks = []
    """Each k of a column ``pass@k``."""
    all: _Ks = []
    """Each k of a column ``pass^k``."""
    threshold: Annotated[float, Field(allow_inf_nan=False)] = 1
    """A repeat passes with this value or a better one."""

    @model_validator(mode="after")
    def _says_something(self) -> "PassesOf":
        if not (self.at or self.all):
            raise ValueError("needs 'at', 'all' or both, such as 'at: [1, 8]'")
        return self


Passes = dict[str, PassesOf]
"""``pullbench: passes:`` by key of the column."""


def check_passes(snapshot: Snapshot, _within: Collection[str]) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        for key, asked in benchmark.of_plugins.get("passes", {}).items():
            at = f"pullbench.passes.{key}"
            for more, message, hint in _faults(benchmark, key, asked):
                yield Problem(
                    file=f"{benchmark.path}/{FILE_NAME}", key=at + more, message=message,
                    hint=hint, actor=Actor.ORGANISER,
                )  # fmt: skip


def _faults(benchmark: Benchmark, key: str, asked: PassesOf) -> Iterator[tuple[str, str, str]]:
    columns = benchmark.leaderboard.columns
    written = benchmark.leaderboard.score_keys
    if key not in written:
        hint = nearest(key, sorted(written), f"Keys are: {', '.join(sorted(written))}.")
        yield "", "is the key of no column that a scoring program writes.", hint
        return
    for column in columns:
        if column.operands == (key,) and column.derived and column.key in written:
            yield "", f"makes the column '{column.key}', which the board has.", "Rename that."
    phases = [phase for phase in benchmark.phases if key in phase.columns or not phase.columns]
    for task in {task.slug: task for phase in phases for task in phase.tasks}.values():
        repeats = benchmark.repeats_of(task)
        for name, ks in (("at", asked.at), ("all", asked.all)):
            if any(k > repeats for k in ks):
                yield (
                    f".{name}", f"asks for {max(ks)} of {repeats} repeats of task '{task.name}'.",
                    "Raise 'repeats', or ask for fewer.",
                )  # fmt: skip
