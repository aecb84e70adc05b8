"""Whether the lead of a board is real, in a few words: the short form of its conclusions."""

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.statistics.intervals import intervals


def verdict(board: PublicBoard) -> str:
    """Return the answer to "is the lead real?"; empty where a board shows no lead at all."""
    ranked = board.ranked
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status" or not ranked:
        return ""
    if len(ranked) == 1:
        return "nobody to compare with yet"
    unit = board.benchmark.task_noun
    certain = intervals(board)
    if isinstance(certain, str):
        return f"one {unit}, run once: cannot tell" if len(board.tasks) == 1 else "cannot tell"
    units = f"{certain.units} {unit if certain.tasks > 1 else 'repeat'}s"
    if not certain.can_separate:
        return f"{units} are too few to tell"
    if any(row.rank != 1 for row in certain.group(1)):
        return f"not significant over {units}"
    return f"significant over {units}"
