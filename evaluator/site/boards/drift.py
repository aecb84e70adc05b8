"""How far scores that everybody saw hold on labels whose scores nobody saw."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from evaluator.core.errors import counted
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.published import PublicBoard


def drift(boards: Sequence[PublicBoard], board: PublicBoard) -> list[str]:
    """Say how the scores of a phase differ from those of the one before, whose entries it took.

    Nothing, unless the labels of both are hidden: else the phases may have little in common.
    """
    phase, column = board.phase, board.benchmark.leaderboard.primary
    before = next((one for one in boards if one.phase.index == phase.index - 1), None)
    if before is None or not phase.auto_migrate:
        return []
    if not all(task.hides_labels for task in (*before.tasks, *board.tasks)):
        return []
    seen, now = _scores(before), _scores(board)
    both = sorted(seen.keys() & now.keys())
    if len(both) < 2:
        return []
    gain = mean(now[name] - seen[name] for name in both)
    moves = [abs(a - b) for a, b in zip(_ranks(seen, both), _ranks(now, both), strict=True)]
    return [
        f"{counted(len(both), 'entries')} are in both phases: here {column.title} is "
        f"{abs(gain):.{column.precision}f} {'better' if gain >= 0 else 'worse'} on average.",
        f"Among them, {sum(map(bool, moves)):,} changed their rank, by {max(moves):,} at most.",
    ]


def _scores(board: PublicBoard) -> dict[str, float]:
    """Submission's id -> its score; a greater one is better."""
    column = board.benchmark.leaderboard.primary
    sign = -1 if column.sorting == "asc" else 1
    return {
        row.submission.id: sign * row.overall[column.key]
        for row in (*board.rows, *board.unlisted)
        if row.counts and column.key in row.overall
    }


def _ranks(scores: Mapping[str, float], names: Sequence[str]) -> Iterable[int]:
    ordered = sorted(scores[name] for name in names)
    return (len(names) - bisect_right(ordered, scores[name]) for name in names)
