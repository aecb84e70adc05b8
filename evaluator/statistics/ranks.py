"""Ranks of methods on each task, and their means. Equal values share the mean of their ranks."""

import statistics
from collections.abc import Mapping
from itertools import groupby

from evaluator.statistics.outcomes import Table


def rank_block(values: Mapping[str, float | None]) -> dict[str, float]:
    """Rank from 1, the best; absent values share the last ranks."""

    def key(method: str) -> tuple[bool, float]:
        value = values[method]
        return (value is None, 0.0 if value is None else -value)

    result: dict[str, float] = {}
    for _, group in groupby(sorted(values, key=key), key=key):
        equal = list(group)
        shared = len(result) + (len(equal) + 1) / 2
        result |= dict.fromkeys(equal, shared)
    return {method: result[method] for method in values}


def rank_all(table: Table) -> dict[str, dict[str, float]]:
    """Ranks on each block."""
    return {block: rank_block(values) for block, values in table.items()}


def mean_ranks(ranks: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Mean over blocks, the best first; equal ones by name."""
    if not ranks:
        return {}
    methods = next(iter(ranks.values()))
    means = {m: statistics.fmean(block[m] for block in ranks.values()) for m in methods}
    return dict(sorted(means.items(), key=lambda item: (item[1], item[0])))
