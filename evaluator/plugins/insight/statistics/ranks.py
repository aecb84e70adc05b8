"""Ranks of methods on each task, and their means. Equal values share the mean of their ranks."""

import statistics
from collections.abc import Mapping

import numpy as np

from evaluator.core.ranking.ranks import ranks
from evaluator.plugins.insight.statistics.outcomes import Table


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
