"""Submissions whose predictions are the same, by a number that the scoring program writes."""

from collections import defaultdict
from collections.abc import Mapping

from evaluator.core.leaderboard.published import PublicBoard


def same_predictions(board: PublicBoard) -> Mapping[str, tuple[str, ...]]:
    """Id of a submission -> ``participant/name`` of the others with equal predictions.

    Predictions are equal where ``pullbench.fingerprint`` is, on at least one task.
    """
    key = board.benchmark.fingerprint
    if not key:
        return {}
    names: dict[str, str] = {}
    groups: dict[tuple[str, float], set[str]] = defaultdict(set)
    for row in (*board.rows, *board.unlisted):
        one = row.submission
        names[one.id] = f"{one.participant}/{one.name}"
        for task, result in row.tasks.items():
            for record in result.records:
                if key in record.extra:
                    groups[task, record.extra[key]].add(one.id)
    others_of: dict[str, set[str]] = defaultdict(set)
    for group in groups.values():
        for member in group:
            others_of[member] |= group - {member}
    return {
        member: tuple(sorted(names[other] for other in others))
        for member, others in others_of.items()
        if others
    }
