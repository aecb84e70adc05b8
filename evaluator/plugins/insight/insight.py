"""What the site shows of a board: the ``Insight`` that this plugin offers, and its figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.plugins import Contract
from evaluator.plugins.insight.plots.entries import BoardEntries, gather
from evaluator.plugins.insight.plots.figure import Figure, index_file
from evaluator.plugins.insight.plots.study_figures import interval_figure
from evaluator.plugins.insight.plots.trade_off import against_answers
from evaluator.plugins.insight.statistics import confidence as certainty
from evaluator.plugins.insight.statistics.conclusions import (
    conclusions,
    evidence,
    headline,
    verdict,
)
from evaluator.plugins.insight.statistics.intervals import rank_spans
from evaluator.plugins.insight.statistics.sentences import basis, findings
from evaluator.plugins.insight.statistics.stability import stability
from evaluator.plugins.insight.statistics.study import make_study
from evaluator.plugins.insight.study_files import DATA_OF, confidence_files, drawings, study_files
from evaluator.site.content.insight import NO_PRICES, Insight, Prices


@dataclass(frozen=True, kw_only=True)
class Plots:
    """Figures of one board, drawn once."""

    board: BoardEntries
    figures: tuple[Figure, ...]
    absent: tuple[tuple[str, str], ...]
    """Heading of a figure that is not drawn, and why; nothing of those that nobody asked for."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        for figure in self.figures:
            yield f"{figure.name}.svg", figure.drawings[0].svg(figure.name, alone=True).encode()
            yield f"{figure.name}.csv", figure.csv()
            yield f"{figure.name}.json", figure.json()
        yield "marks.json", index_file(self.board, self.figures)


FIGURES = Contract[Callable[[BoardEntries], Figure | str]]("figures")
"""By heading on a board's page: a figure, or why there is none."""


def make_plots(board: PublicBoard, prices: Prices = NO_PRICES) -> Plots | None:
    entries = gather(board, prices)
    if entries is None:
        return None
    drawn = [(heading, draw(entries)) for heading, draw in FIGURES.items()]
    drawn += against_answers(entries)
    figures = tuple(figure for _, figure in drawn if isinstance(figure, Figure))
    absent = tuple((heading, why) for heading, why in drawn if isinstance(why, str) and why)
    return Plots(board=entries, figures=figures, absent=absent) if figures else None


class BoardInsight(Insight):
    """Plots and statistics."""

    template_functions = {
        "conclusions": conclusions, "evidence": evidence, "headline": headline,
        "verdict": verdict,
        "confidence": certainty.confidence, "confidence_basis": certainty.basis,
        "max_lines": certainty.MAX_LINES, "shade": certainty.shade,
        "share_text": certainty.share_text, "basis": basis, "data_of": DATA_OF,
        "drawings": drawings, "findings": findings,
        "interval_figure": interval_figure,
    }  # fmt: skip
    conclusions = staticmethod(conclusions)
    rank_spans = staticmethod(rank_spans)
    compute = staticmethod(stability)
    set_computed = staticmethod(stability.store)
    confidence = staticmethod(certainty.confidence)
    confidence_files = staticmethod(confidence_files)
    study_files = staticmethod(study_files)
    plots = staticmethod(make_plots)
    study = staticmethod(make_study)


INSIGHT = BoardInsight()
