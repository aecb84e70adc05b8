"""Every figure that a board may have, in the order of the page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evaluator.leaderboard.published import PublicBoard
from evaluator.plots.difficulty import difficulty
from evaluator.plots.distribution import distribution
from evaluator.plots.entries import NO_PRICES, BoardEntries, Prices, gather
from evaluator.plots.figure import Figure
from evaluator.plots.files import index_file
from evaluator.plots.over_time import over_time
from evaluator.plots.ranks import ranks
from evaluator.plots.trade_off import against_answers, against_cost, against_memory, against_time

FIGURES: tuple[tuple[str, Callable[[BoardEntries], Figure | str]], ...] = (
    ("Score over time", over_time),
    ("Score against time", against_time),
    ("Score against memory", against_memory),
    ("Score against cost", against_cost),
    ("Scores on each task", distribution),
    ("Difficulty of the tasks", difficulty),
    ("Ranks across tasks", ranks),
)


@dataclass(frozen=True, kw_only=True)
class Plots:
    """Figures of one board, drawn once."""

    board: BoardEntries
    figures: tuple[Figure, ...]
    absent: tuple[tuple[str, str], ...]
    """Heading of a figure that is not drawn, and why; nothing of those that nobody asked for."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield each file beside the page: pictures, data, and what the page's script reads."""
        for figure in self.figures:
            yield f"{figure.name}.svg", figure.drawing.svg(figure.name, alone=True).encode()
            yield f"{figure.name}.csv", figure.csv()
            yield f"{figure.name}.json", figure.json()
        yield "marks.json", index_file(self.board, self.figures)


def make_plots(board: PublicBoard, prices: Prices = NO_PRICES) -> Plots | None:
    """Draw all figures of a published board; None where there is nothing to draw."""
    entries = gather(board, prices)
    if entries is None:
        return None
    drawn = [(heading, draw(entries)) for heading, draw in FIGURES]
    drawn += against_answers(entries)
    figures = tuple(figure for _, figure in drawn if isinstance(figure, Figure))
    if not figures:
        return None
    absent = tuple((heading, why) for heading, why in drawn if isinstance(why, str) and why)
    return Plots(board=entries, figures=figures, absent=absent)
