"""``pullbench: accept:`` of a bundle, and whether its tasks and repeats allow it."""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.columns import Column
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.planning.snapshot import Snapshot

CHALLENGER = 0.4
"""Share of ``p`` that an entry ahead of all before it is asked for: of 200 equal entries some five
are ahead, so that a season without progress has a false record with 2 p."""
MAX_PAIRS = 30
"""Pairs of a race in turn: with these a lead that is one standard deviation of a pair above the
margin is found in 93 % of races."""


class Accept(Strict):
    """Which entries are accepted as records; the others stay listed, as attempts."""

    beats: Literal["record"]
    """The best of all entries that arrived before, by the primary column of the phase."""
    by: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    """Margin, in the units of that column, that an entry must exceed; a share of the best with
    ``rerun``."""
    p: Annotated[float, Field(gt=0, lt=0.5)] | None = None
    """One-sided p-value of the margin being no larger than ``by``: it must have at most 0.4 of
    that. None asks for none. With ``rerun``, the chance of a false record, at most."""
    rerun: Literal["alternate"] | None = None
    """``alternate``: an entry and the best run in turn, on one machine, and pairs of these runs
    decide. For values that machines change, as times."""

    @property
    def margin(self) -> float:
        """``by`` as the log of a ratio."""
        return -math.log(1 - self.by)


def is_alternate(benchmark: Benchmark) -> bool:
    accept: Accept | None = benchmark.of_plugins.get("accept")
    return accept is not None and accept.rerun == "alternate"


def check_accept(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report benchmarks in which no entry could be a record."""
    for benchmark in snapshot.benchmarks.values():
        accept = benchmark.of_plugins.get("accept")
        file = f"{benchmark.path}/{FILE_NAME}"
        if accept is None or (prefixes and not file.startswith(tuple(prefixes))):
            continue
        at = "pullbench.accept"
        for key, message, hint in _faults(benchmark, accept):
            yield Problem(
                file=file, key=f"{at}{key}", message=message, hint=hint, actor=Actor.ORGANISER
            )


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
        elif accept.rerun:
            yield from _faults_of_turns(benchmark, accept, primary)
        elif accept.p is not None and primary.ratio:
            yield ".p", f"knows nothing of machines, and '{primary.title}' depends on them", (
                "Add `rerun: alternate`, so that an entry and the best run in turn on one machine, "
                "or ask for a margin 'by' alone."
            )  # fmt: skip
        elif accept.p is not None and _runs(benchmark, phase) < units_needed(accept.p):
            yield ".p", (
                f"no entry can ever be a record: p {accept.p:g} takes {units_needed(accept.p)} "
                f"runs of tasks, and {of_phase} there are {_runs(benchmark, phase)} "
                "(tasks times repeats)"
            ), "Raise repeats, add tasks, or ask for a larger p, or none."  # fmt: skip


def _faults_of_turns(
    benchmark: Benchmark, accept: Accept, primary: Column
) -> Iterator[tuple[str, str, str]]:
    if accept.p is None:
        yield ".rerun", "needs 'p', the chance of a false record", "Add `p: 0.01`."
    if accept.by >= 0.5:
        yield ".by", "must be below 0.5 with 'rerun': it is a share of the best", (
            "Ask for 0.01, which is 1 %."
        )  # fmt: skip
    if not benchmark.exclusive:
        yield ".rerun", "needs a machine on which nothing else runs", "Add `exclusive: true`."
    if primary.key not in benchmark.leaderboard.score_keys:
        yield ".rerun", f"needs values that the scoring program writes, and '{primary.title}' is "\
            "computed from others", "Rank by a column that is not computed."  # fmt: skip


def units_needed(p: float) -> int:
    """How many runs of tasks can show so small a p; more than anybody has for the least."""
    from evaluator.core.ranking.comparison import least_p  # numpy: not for every bundle

    shows = (units for units in range(1, 14) if least_p(units) <= CHALLENGER * p)
    return next(shows, 10**6)


def _runs(benchmark: Benchmark, phase: Phase) -> int:
    tasks = phase.tasks[:1] if benchmark.boards[phase.slug].rule.of_first_task else phase.tasks
    return sum(map(benchmark.repeats_of, tasks))
