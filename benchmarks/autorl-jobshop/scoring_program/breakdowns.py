"""Breakdowns from a seed: the same on every machine, and unknown without the seed.

Standard library alone.
"""

import random
from collections.abc import Iterator, Sequence

from shop import Operation, Outage

UP = (2, 14)
"""A machine works for so many mean durations of an operation, from the least to the most."""
REPAIR = (1, 3)


def outages(jobs: Sequence[Sequence[Operation]], seed: str) -> list[Iterator[Outage]]:
    """Draw the breakdowns of each machine, whether it works or stands.

    Times of work and of repair are uniform between their bounds, so that a machine is up for four
    parts of five.
    """
    durations = [duration for job in jobs for _, duration in job]
    mean = sum(durations) / len(durations)
    machines = 1 + max(machine for job in jobs for machine, _ in job)
    return [_outages(f"{seed}/{machine}", mean) for machine in range(machines)]


def _outages(seed: str, mean: float) -> Iterator[Outage]:
    # Python promises that random() repeats for a seed; of its other methods it does not.
    draw = random.Random(seed).random
    now = 0
    while True:
        failure = now + _between(UP, mean, draw())
        now = failure + _between(REPAIR, mean, draw())
        yield failure, now


def _between(bounds: tuple[int, int], mean: float, share: float) -> int:
    low, high = bounds
    return max(1, int(mean * (low + (high - low) * share)))
