"""What the site shows of a board: the ``Insight`` that this plugin offers."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.insight.plots.registry import Plots, make_plots
from evaluator.plugins.insight.statistics.sentences import basis, findings
from evaluator.plugins.insight.statistics.study import Study, make_study
from evaluator.plugins.insight.study_files import (
    DATA_OF,
    drawings,
    rank_diagram,
    rank_diagram_files,
    study_files,
)
from evaluator.site.leaderboard.usage import Prices


class BoardInsight:
    """Plots and statistics."""

    template_functions: Mapping[str, Any] = {
        "basis": basis, "data_of": DATA_OF, "drawings": drawings, "findings": findings,
        "rank_diagram": rank_diagram,
    }  # fmt: skip
    study_files = staticmethod(study_files)
    rank_diagram_files = staticmethod(rank_diagram_files)

    def plots(self, board: PublicBoard, prices: Prices) -> Plots | None:
        return make_plots(board, prices)

    def study(self, board: PublicBoard, others: Sequence[PublicBoard]) -> Study | str:
        return make_study(board, tuple(others))


INSIGHT = BoardInsight()
