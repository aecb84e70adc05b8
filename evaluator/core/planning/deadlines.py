"""Until when a phase takes entries: its end, and what a plugin adds for all or for some."""

import datetime as dt
from collections.abc import Callable
from dataclasses import replace

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.plugins import Contract

MORE_TIME = Contract[Callable[[Benchmark, Phase, str], dt.timedelta]]("more_time")
"""How long after its end a phase takes entries of a participant, or of anybody if that is empty."""


def with_more_time(benchmark: Benchmark, phase: Phase, participant: str = "") -> Phase:
    """A phase with its end as it is for a participant, or for anybody."""
    if phase.end is None:
        return phase
    more = [of(benchmark, phase, participant) for of in MORE_TIME.values()]
    return replace(phase, end=phase.end + max(more, default=dt.timedelta()))
