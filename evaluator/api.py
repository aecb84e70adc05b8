"""Results for programs: the board's data without the site.

>>> from evaluator.api import results
>>> board = results("path/to/clone", "iris")
>>> board["rows"][0]["participant"]
'ada'
"""

from pathlib import Path

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.site.boards.exports.board_json import to_data
from evaluator.site.boards.exports.board_schema import BoardData


def results(
    repository: str | Path,
    benchmark: str,
    *,
    phase: str | None = None,
    task: str | None = None,
    at: str | None = None,
    hidden: bool = False,
) -> BoardData:
    """The board of a benchmark, as the site serves it below ``api/``.

    ``phase`` is a name, slug or index, the last one begun by default; ``task`` ranks one task
    alone; ``at`` is a revision; ``hidden`` adds what the organiser hides. Raises UsageError for
    what does not exist.
    """
    board = leaderboard_at(
        Path(repository), benchmark, phase=phase, task=task, at=at, hidden=hidden
    )
    return to_data(board)
