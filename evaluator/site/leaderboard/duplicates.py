"""Submissions whose predictions are the same, by a number that the scoring program writes."""

import math
from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import EXTRA


def same_predictions(board: PublicBoard) -> Mapping[str, tuple[str, ...]]:
    """Id of a submission -> ``participant/name`` of the others with equal predictions.

    Predictions are equal where ``pullbench.fingerprint`` is, on at least one task.
    """
    key = board.benchmark.fingerprint
    if not key:
        return {}
    names: dict[str, str] = {}
    groups: dict[tuple[int, float], set[str]] = defaultdict(set)
    for one in board.table.submissions:
        names[one.id] = f"{one.participant}/{one.name}"
    cells = board.table.cells
    numbers = cells.get(EXTRA + key, np.full(len(cells["task"]), np.nan))
    for task, place, number in zip(
        cells["task"].tolist(), cells["submission"].tolist(), numbers.tolist(), strict=True
    ):
        if not math.isnan(number):
            groups[task, number].add(board.table.submissions[place].id)
    others_of: dict[str, set[str]] = defaultdict(set)
    for group in groups.values():
        for member in group:
            others_of[member] |= group - {member}
    return {
        member: tuple(sorted(names[other] for other in others))
        for member, others in others_of.items()
        if others
    }
