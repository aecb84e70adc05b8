"""Wins, ties and losses of each pair of methods, by AMLB's rule of one in a thousand."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, permutations

from evaluator.board.analysis.outcomes import Table

TOLERANCE = 0.001
"""Relative difference below which two values are a tie."""


@dataclass(frozen=True, kw_only=True)
class Duel:
    """What one method did against another, over blocks."""

    wins: int
    ties: int
    losses: int

    @property
    def turned(self) -> "Duel":
        """The same, as the other sees it."""
        return Duel(wins=self.losses, ties=self.ties, losses=self.wins)


def is_tie(first: float, second: float) -> bool:
    """Whether two values differ by less than one in a thousand of the greater in size."""
    return first == second or abs(first - second) < TOLERANCE * max(abs(first), abs(second))


def duels(table: Table) -> dict[tuple[str, str], Duel]:
    """Count for each ordered pair; an absent value loses, and two of them tie."""
    methods = list(next(iter(table.values()), {}))
    found = {pair: _duel(table, *pair) for pair in combinations(methods, 2)}
    return {
        (a, b): found[a, b] if (a, b) in found else found[b, a].turned
        for a, b in permutations(methods, 2)
    }


def _duel(table: Table, a: str, b: str) -> Duel:
    found = [_outcome(values, a, b) for values in table.values()]
    return Duel(wins=found.count(1), ties=found.count(0), losses=found.count(-1))


def _outcome(values: Mapping[str, float | None], a: str, b: str) -> int:
    first, second = values[a], values[b]
    if first is None or second is None:
        return (second is None) - (first is None)
    if is_tie(first, second):
        return 0
    return 1 if first > second else -1


def champions(table: Table) -> dict[str, int]:
    """Count, for each method, the blocks on which it is the best or ties with the best."""
    counts = dict.fromkeys(next(iter(table.values()), {}), 0)
    for values in table.values():
        best = max((value for value in values.values() if value is not None), default=None)
        for method, value in values.items():
            counts[method] += best is not None and value is not None and is_tie(value, best)
    return counts
