"""Wins, ties and losses of each pair of methods, by AMLB's rule of one in a thousand."""

from dataclasses import dataclass

import numpy as np

from evaluator.plugins.insight.statistics.outcomes import Table

TOLERANCE = 0.001
"""Relative difference below which two values are a tie."""


@dataclass(frozen=True, kw_only=True)
class Duel:
    """What one method did against another, over blocks."""

    wins: int
    ties: int
    losses: int


def is_tie(first: float, second: float) -> bool:
    """Whether two values differ by less than one in a thousand of the greater in size."""
    return first == second or abs(first - second) < TOLERANCE * max(abs(first), abs(second))


def duels(table: Table) -> dict[tuple[str, str], Duel]:
    """Count for each ordered pair; an absent value loses, and two of them tie."""
    methods = list(next(iter(table.values()), {}))
    values = np.array(
        [[block[method] for method in methods] for block in table.values()], dtype=np.float64
    ).reshape(len(table), len(methods))
    absent = np.isnan(values)
    results: dict[tuple[str, str], Duel] = {}
    for place, first in enumerate(methods):
        own, none = values[:, [place]], absent[:, [place]]
        with np.errstate(over="ignore"):
            near = np.abs(own - values) < TOLERANCE * np.maximum(np.abs(own), np.abs(values))
        ties = (own == values) | near | (none & absent)
        wins = ~ties & ((own > values) | (absent & ~none))
        counts = zip(wins.sum(axis=0).tolist(), ties.sum(axis=0).tolist(), strict=True)
        for second, (won, tied) in zip(methods, counts, strict=True):
            if first != second:
                results[first, second] = Duel(wins=won, ties=tied, losses=len(table) - won - tied)
    return results


def champions(table: Table) -> dict[str, int]:
    """Count, for each method, the blocks on which it is the best or ties with the best."""
    counts = dict.fromkeys(next(iter(table.values()), {}), 0)
    for values in table.values():
        best = max((value for value in values.values() if value is not None), default=None)
        for method, value in values.items():
            counts[method] += best is not None and value is not None and is_tie(value, best)
    return counts
