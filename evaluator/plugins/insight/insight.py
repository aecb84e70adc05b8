"""What the site shows of a board: the ``Insight`` that this plugin offers."""

from collections.abc import Sequence

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.insight.plots.registry import Plots, make_plots
from evaluator.plugins.insight.statistics import confidence as certainty
from evaluator.plugins.insight.statistics.conclusions import conclusions, evidence, verdict
from evaluator.plugins.insight.statistics.intervals import rank_spans
from evaluator.plugins.insight.statistics.sentences import basis, findings
from evaluator.plugins.insight.statistics.study import Study, make_study
from evaluator.plugins.insight.study_files import (
    DATA_OF,
    drawings,
    rank_diagram,
    rank_diagram_files,
    study_files,
)
from evaluator.site.insight import Insight
from evaluator.site.leaderboard.usage import Prices


class BoardInsight(Insight):
    """Plots and statistics."""

    template_functions = {
        "conclusions": conclusions, "evidence": evidence, "verdict": verdict,
        "confidence": certainty.confidence, "confidence_basis": certainty.basis,
        "max_lines": certainty.MAX_LINES, "shade": certainty.shade,
        "share_text": certainty.share_text, "basis": basis, "data_of": DATA_OF,
        "drawings": drawings, "findings": findings, "rank_diagram": rank_diagram,
    }  # fmt: skip
    conclusions = staticmethod(conclusions)
    rank_spans = staticmethod(rank_spans)
    compute = staticmethod(certainty.compute)
    set_computed = staticmethod(certainty.set_computed)
    confidence = staticmethod(certainty.confidence)
    confidence_csv = staticmethod(certainty.confidence_csv)
    study_files = staticmethod(study_files)
    rank_diagram_files = staticmethod(rank_diagram_files)

    def plots(self, board: PublicBoard, prices: Prices) -> Plots | None:
        return make_plots(board, prices)

    def study(self, board: PublicBoard, others: Sequence[PublicBoard]) -> Study | str:
        return make_study(board, tuple(others))


INSIGHT = BoardInsight()
