"""Every figure that a board may have, in the order of the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.plugins import load, offers
from evaluator.plugins.insight.plots.entries import BoardEntries, gather
from evaluator.plugins.insight.plots.figure import Figure, index_file
from evaluator.plugins.insight.plots.trade_off import against_answers
from evaluator.site.leaderboard.usage import NO_PRICES, Prices


@dataclass(frozen=True, kw_only=True)
class Plots:
    """Figures of one board, drawn once."""

    board: BoardEntries
    figures: tuple[Figure, ...]
    absent: tuple[tuple[str, str], ...]
    """Heading of a figure that is not drawn, and why; nothing of those that nobody asked for."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        for figure in self.figures:
            yield f"{figure.name}.svg", figure.drawing.svg(figure.name, alone=True).encode()
            yield f"{figure.name}.csv", figure.csv()
            yield f"{figure.name}.json", figure.json()
        yield "marks.json", index_file(self.board, self.figures)


def make_plots(board: PublicBoard, prices: Prices = NO_PRICES) -> Plots | None:
    entries = gather(board, prices)
    if entries is None:
        return None
    drawn = [(heading, load("figures", heading)(entries)) for heading in offers("figures")]
    drawn += against_answers(entries)
    figures = tuple(figure for _, figure in drawn if isinstance(figure, Figure))
    if not figures:
        return None
    absent = tuple((heading, why) for heading, why in drawn if isinstance(why, str) and why)
    return Plots(board=entries, figures=figures, absent=absent)
