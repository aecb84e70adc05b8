"""The analysis of a board at a revision: where planning and the board meet, as in ``ranking``."""

from pathlib import Path

from evaluator.core.errors import UsageError
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.plugins.insight.statistics.study import Study, make_study


def analyse(
    start: Path,
    benchmark: str,
    *,
    phase: str | None = None,
    at: str | None = None,
    against: str | None = None,
) -> Study:
    """Analyse the board of one phase: the last one begun, where none is named.

    ``against`` is ``BENCHMARK`` or ``BENCHMARK/PHASE``: a board with some of the same tasks and
    methods; by default all other phases of the benchmark. Raises UsageError with the reason where
    nothing can be concluded.
    """
    board = leaderboard_at(start, benchmark, phase=phase, task=None, at=at)
    if against is not None:
        name, _, other = against.partition("/")
        others = [leaderboard_at(start, name, phase=other or None, task=None, at=at)]
    else:
        others = [
            leaderboard_at(start, benchmark, phase=item.slug, task=None, at=at)
            for item in board.benchmark.phases
            if item.slug != board.phase.slug
        ]
    return _study(board, tuple(others))


def _study(board: PublicBoard, others: tuple[PublicBoard, ...]) -> Study:
    study = make_study(board, others)
    if isinstance(study, str):
        raise UsageError(
            f"{board.benchmark.name}: {study}",
            hint="An analysis needs three methods, and three tasks or one that is repeated.",
        )
    return study
