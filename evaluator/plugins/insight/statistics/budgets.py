"""The same methods on the same tasks within different budgets: what more time brings."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.core.formats.sums import mean
from evaluator.plugins.insight.statistics.duels import is_tie
from evaluator.plugins.insight.statistics.outcomes import Table
from evaluator.plugins.insight.statistics.scaling import scale


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
    """Compare what two tables share, by method in the order of the first.

    Scores are scaled again over both, as in the AMLB paper: the ends are the means of ``zero`` and
    ``one`` over the budgets or, without them, the worst and the best of either.
    """
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
