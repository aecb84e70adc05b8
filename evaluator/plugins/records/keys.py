"""``pullbench: accept:`` of a bundle, and whether its tasks and repeats allow it."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from evaluator.core.errors import Actor, Problem, counted
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.planning.typed_names import is_within

MIN_REPEATS, MIN_TASKS = 2, 3
"""Of each task, or else of a phase: a p-value needs one or the other."""


class Accept(Strict):
    """Which entries are accepted as records; the others stay listed, as attempts."""

    beats: Literal["record"]
    """The best of all entries that arrived before, by the primary column of the phase."""
    by: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    """Margin, in the units of that column, that an entry must exceed."""
    p: Annotated[float, Field(gt=0, lt=0.5)] | None = None
    """One-sided p-value, of the margin being no larger than ``by``, that it must stay below; None
    asks for none."""


def check_accept(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report benchmarks in which no entry could be a record."""
    for benchmark in snapshot.benchmarks.values():
        accept = benchmark.of_plugins.get("accept")
        file = f"{benchmark.path}/{FILE_NAME}"
        if accept is None or (prefixes and not any(is_within(file, one) for one in prefixes)):
            continue
        for key, message, hint in _faults(benchmark, accept):
            yield Problem(
                file=file, key=f"pullbench.accept{key}", message=message, hint=hint,
                actor=Actor.ORGANISER,
            )  # fmt: skip


def _faults(benchmark: Benchmark, accept: Accept) -> Iterator[tuple[str, str, str]]:
    for phase in benchmark.phases:
        primary = benchmark.boards[phase.slug].primary
        of_phase = f"in phase '{phase.name}'"
        if benchmark.leaderboard.hidden or phase.shows == "status":
            yield "", f"records are public, and {of_phase} the scores are hidden", (
                "Show the leaderboard, or leave out accept."
            )  # fmt: skip
        elif primary.is_relative or benchmark.ranks_datasets:
            yield "", (
                f"'{primary.title}' compares rows with all others, so that it has no records"
            ), "Rank programs by a column whose values do not depend on other entries."  # fmt: skip
        elif accept.p is not None and not (
            repeats_tell(benchmark, phase) or tasks_tell(benchmark, phase)
        ):
            yield ".p", (
                f"no entry can ever be a record: p needs {MIN_REPEATS} repeats of each task or "
                f"{MIN_TASKS} tasks, and {of_phase} there are {counted(len(phase.tasks), 'tasks')} "
                f"with at least {counted(_least_repeats(benchmark, phase), 'repeats')}"
            ), "Raise repeats, add tasks, or leave out p."  # fmt: skip


def _least_repeats(benchmark: Benchmark, phase: Phase) -> int:
    return min(map(benchmark.repeats_of, phase.tasks), default=0)


def repeats_tell(benchmark: Benchmark, phase: Phase) -> bool:
    return _least_repeats(benchmark, phase) >= MIN_REPEATS


def tasks_tell(benchmark: Benchmark, phase: Phase) -> bool:
    rule = benchmark.boards[phase.slug].rule
    return len(phase.tasks) >= MIN_TASKS and not rule.of_first_task
