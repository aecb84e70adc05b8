"""Methods beside one another: ranks on each task, wins of each pair, and two budgets."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaluator.core.formats.sums import mean
from evaluator.core.ranking.ranks import ranks
from evaluator.plugins.insight.statistics.outcomes import Table, scale

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


def rank_block(values: Mapping[str, float | None]) -> dict[str, float]:
    """Rank from 1, the best; absent values share the last ranks."""
    scores = np.array(list(values.values()), dtype=np.float64)
    shared = ranks(np.where(np.isnan(scores), -np.inf, scores), "average", ascending=False)
    return dict(zip(values, shared.tolist(), strict=True))


def rank_all(table: Table) -> dict[str, dict[str, float]]:
    return {block: rank_block(values) for block, values in table.items()}


def mean_ranks(by_block: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Mean over blocks, the best first; equal ones by name."""
    if not by_block:
        return {}
    methods = next(iter(by_block.values()))
    means = {m: statistics.fmean(block[m] for block in by_block.values()) for m in methods}
    return dict(sorted(means.items(), key=lambda item: (item[1], item[0])))


@dataclass(frozen=True, kw_only=True)
class BudgetChange:
    """One method in two budgets, over the tasks on which it has a value in both."""

    method: str
    tasks: int
    better: int
    """Tasks on which it is better in the second budget, by more than one in a thousand."""
    equal: int
    worse: int
    median_before: float
    """Of scores that are scaled over both budgets together."""
    median_after: float


def compare_budgets(
    first: Table, second: Table, *, zero: str | None = None, one: str | None = None
) -> tuple[BudgetChange, ...]:
    """Compare what two tables share, scaled over both as in the AMLB paper."""
    tasks = [task for task in first if task in second]
    methods = [m for m in next(iter(first.values()), {}) if m in next(iter(second.values()), {})]
    joint = {task: _joint(first[task], second[task], methods, (zero, one)) for task in tasks}
    scaled = scale(joint, zero=zero and "zero", one=one and "one")
    changes = (_change(method, joint, scaled) for method in methods)
    return tuple(change for change in changes if change is not None)


def _joint(
    first: Mapping[str, float | None],
    second: Mapping[str, float | None],
    methods: list[str],
    ends: tuple[str | None, str | None],
) -> dict[str, float | None]:
    result = {f"{i}/{m}": side[m] for i, side in enumerate((first, second)) for m in methods}
    for name, method in zip(("zero", "one"), ends, strict=True):
        if method is not None:
            pair = [v for side in (first, second) if (v := side.get(method)) is not None]
            result[name] = mean(pair) if pair else None
    return result


def _change(method: str, joint: Table, scaled: Table) -> BudgetChange | None:
    pairs = []
    for task, values in joint.items():
        pair = (values[f"0/{method}"], values[f"1/{method}"])
        on_scale = (scaled[task][f"0/{method}"], scaled[task][f"1/{method}"])
        if pair[0] is not None and pair[1] is not None:
            pairs.append((pair[0], pair[1], on_scale))
    if not pairs:
        return None
    medians = [
        statistics.median([s[i] for _, _, s in pairs if s[i] is not None] or [0.0])  # type: ignore[type-var]
        for i in (0, 1)
    ]
    equal = sum(is_tie(a, b) for a, b, _ in pairs)
    better = sum(b > a and not is_tie(a, b) for a, b, _ in pairs)
    return BudgetChange(
        method=method, tasks=len(pairs), better=better, equal=equal,
        worse=len(pairs) - equal - better,
        median_before=float(medians[0] or 0.0), median_after=float(medians[1] or 0.0),
    )  # fmt: skip
