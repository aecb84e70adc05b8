"""Deadlines of a course: days in which entries are late, and more time for one participant.

Keys ``late`` and ``until`` of a phase. A board knows nothing of them: the gradebook does.
"""

import datetime as dt
from collections.abc import Iterator

from pydantic import Field

from evaluator.ci.policy.entrants import Digest, Participants, digest_of
from evaluator.core.errors import Problem, counted
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.columns import Column
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import Moment
from evaluator.core.planning.snapshot import Snapshot

_NONE, _DAY = dt.timedelta(), dt.timedelta(days=1)


class Late(Strict):
    """``pullbench: phases: INDEX: late:``."""

    days: int = Field(ge=1, le=366)
    """For so long after the end of the phase entries come late, and count."""
    minus: float = Field(gt=0, allow_inf_nan=False)
    """What each day that has begun costs, in the unit of the column that ranks."""


Until = dict[Digest, Moment]
"""``pullbench: phases: INDEX: until:``. Digest of a login or a team with the salt of
``participants`` -> when the phase ends for that participant."""


def extension(benchmark: Benchmark, phase: Phase, participant: str) -> dt.timedelta:
    """How much later than for others a phase ends for a participant."""
    until: Until = phase.of_plugins.get("until", {})
    some: Participants | None = benchmark.of_plugins.get("participants")
    end = until.get(digest_of(some.salt, participant)) if some else None
    return _NONE if end is None or phase.end is None else max(end - phase.end, _NONE)


def more_time(benchmark: Benchmark, phase: Phase, participant: str) -> dt.timedelta:
    late: Late | None = phase.of_plugins.get("late")
    return extension(benchmark, phase, participant) + (late.days * _DAY if late else _NONE)


def with_late_policy(
    score: float, late_by: dt.timedelta, phase: Phase, column: Column
) -> float | None:
    """The grade for a score that came late; None if it came too late to count.

    A day that has begun costs as much as a whole one. Where higher is better nobody gets less than
    0, unless the score is less.
    """
    late: Late | None = phase.of_plugins.get("late")
    days = -(-late_by // _DAY)
    if not days or late is None or days > late.days:
        return None if days else score
    cost = days * late.minus
    return max(score - cost, min(score, 0.0)) if column.sorting == "desc" else score + cost


def late_rules(benchmark: Benchmark, phase: Phase) -> Iterator[str]:
    late: Late | None = phase.of_plugins.get("late")
    if late:
        column = benchmark.boards[phase.slug].primary
        yield (
            f"Entries count for {counted(late.days, 'days')} after the end, and each day that has "
            f"begun costs {late.minus:g} of {column.title} in your grade. The board shows the "
            "whole score."
        )
    if phase.of_plugins.get("until"):
        yield "The organisers gave some participants more time."


def check_deadlines(snapshot: Snapshot, prefixes: tuple[str, ...]) -> Iterator[Problem]:
    """Report deadlines of phases without an end, and those of nobody."""
    for benchmark in snapshot.benchmarks.values():
        if prefixes and not f"{benchmark.path}/".startswith(prefixes):
            continue
        some: Participants | None = benchmark.of_plugins.get("participants")
        for phase in benchmark.phases:
            faults = [
                (key, f"is of phase '{phase.name}', which has no end", "Give the phase an 'end'.")
                for key in ("late", "until") if key in phase.of_plugins and phase.end is None
            ]  # fmt: skip
            if not {*phase.of_plugins.get("until", ())} <= {*(some.digests if some else ())}:
                faults.append((
                    "until", "names digests that are not in 'participants'",
                    "`pullbench participants` writes both from a class list.",
                ))  # fmt: skip
            for key, *fault in faults:
                yield benchmark.problem(f"pullbench.phases.{phase.index}.{key}", *fault)
