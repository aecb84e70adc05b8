"""Whether the lead of a board is real, in a few words: the short form of its conclusions."""

from evaluator.leaderboard.board import Board
from evaluator.statistics.intervals import intervals


def verdict(board: Board) -> str:
    """Return the answer to "is the lead real?"; empty where a board shows no lead at all."""
    ranked = board.ranked
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status" or not ranked:
        return ""
    if len(ranked) == 1:
        return "nobody to compare with yet"
    unit = board.benchmark.task_noun
    drawn = intervals(board)
    if isinstance(drawn, str):
        return f"cannot be told from one {unit}, run once" if len(board.tasks) == 1 else (
            "cannot be told"
        )  # fmt: skip
    if not drawn.can_separate:
        units = f"{drawn.units} {unit}s" if drawn.tasks > 1 else f"{drawn.units} repeats"
        return f"cannot be told from {units}"
    if any(row.rank != 1 for row in drawn.group(1)):
        return f"not established over {drawn.units} {unit if drawn.tasks > 1 else 'repeat'}s"
    return f"established over {drawn.units} {unit if drawn.tasks > 1 else 'repeat'}s"
