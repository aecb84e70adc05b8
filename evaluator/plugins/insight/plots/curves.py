"""Curves of the first submissions: their mean over tasks and repeats, with the middle half."""

from collections.abc import Iterator

import numpy as np

from evaluator.core.errors import counted
from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.insight.plots.axes import level, polyline, short_texts, upright
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.figure import Figure, FigureLine
from evaluator.plugins.insight.plots.labels import draw_labels
from evaluator.plugins.insight.plots.scales import AxisScale, make_scale
from evaluator.plugins.insight.plots.svg import Drawing, draw_both
from evaluator.site.content.insight import CURVES, BoardCurves

MAX_DRAWN = 6
_STEPS = 101


def curves(board: BoardEntries) -> Figure | str:
    read = (curves_of(board.board) for curves_of in CURVES.values())
    of_board = next(filter(None, read), None)
    if of_board is None:
        return ""
    grid, bands = bands_of(of_board)
    places = list(bands)[:MAX_DRAWN]
    if not places:
        return "no submission has such a curve"
    titles = [board.board.rows[place].submission.title for place in places]
    values = np.concatenate([bands[place] for place in places])
    known, means = values[~np.isnan(values)], np.stack([bands[place][1] for place in places])

    def draw(drawing: Drawing) -> None:
        top, left, right = 34.0, 62.0, drawing.width - 12
        foot = top + (300 if drawing.is_wide else 250)
        up, _ = make_scale(known.tolist(), foot, top)
        across = AxisScale(low=grid[0], high=grid[-1], start=left, end=right)
        upright(drawing, up, of_board.y, left, right)
        level(drawing, across, short_texts(across.ticks()), of_board.x, top, foot)
        lines = []
        for place in reversed(places):
            low, middle, high = (
                [(across.at(x), up.at(y)) for x, y in zip(grid, one, strict=True) if y == y]
                for one in bands[place].tolist()
            )
            drawing.path(polyline([*low, *high[::-1]]) + "Z", "heat-1")
            drawing.path(polyline(middle), "front" if place == places[0] else "whisker")
            lines.append(middle)
        # Names are where the curves are furthest apart.
        has_none = np.isnan(means)
        greatest = np.where(has_none, -np.inf, means).max(axis=0)
        at = np.argmax(greatest - np.where(has_none, np.inf, means).min(axis=0))
        wanted = [
            (across.at(grid[at]), up.at(mean[at]), title)
            for mean, title in zip(means, titles, strict=True) if mean[at] == mean[at]
        ]  # fmt: skip
        points = [(x, y) for x, y, _ in wanted]
        draw_labels(drawing, wanted, points, (left, top - 4, right, foot), lines)

    caption = tuple(_said(of_board, board, len(bands)))
    return Figure(
        name="curves", heading="Curves", board=board,
        drawings=draw_both(f"{of_board.name} by {of_board.x}", " ".join(caption), draw),
        caption=caption, head=("submission", "Submission"),
        keys=("x", "low", "mean", "high"), titles=(of_board.x, "Low", "Mean", "High"),
        lines=[
            FigureLine(head=board.board.rows[place], values=(x, *of_x),
                 texts=tuple(f"{one:.4g}" for one in (x, *of_x)))
            for place, band in bands.items()
            for x, of_x in zip(grid.tolist(), band.T.tolist(), strict=True)
        ],
    )  # fmt: skip


def bands_of(of_board: BoardCurves) -> tuple[Floats, dict[int, Floats]]:
    """Places on the level axis, and by row the lower quartile, mean and upper quartile.

    A curve that has ended keeps its last value.
    """
    ends = [end for one in of_board.curves for end in (one.x.min(), one.x.max())]
    grid = np.linspace(min(ends, default=0), max(ends, default=1), _STEPS)
    heights: dict[int, list[Floats]] = {}
    for one in of_board.curves:
        order = np.argsort(one.x, kind="stable")
        with np.errstate(over="ignore"):  # the slope of a step may be no float
            height = np.interp(grid, one.x[order], one.y[order], left=np.nan)
        heights.setdefault(one.row, []).append(np.where(np.isfinite(height), height, np.nan))
    bands = {}
    for row, several in sorted(heights.items()):
        # Where one has not begun there is no mean of all.
        low, high = np.quantile(several, (0.25, 0.75), axis=0)
        bands[row] = np.stack([low, np.mean(several, axis=0), high])
    return grid, {row: band for row, band in bands.items() if not np.isnan(band[1]).all()}


def _said(of_board: BoardCurves, board: BoardEntries, rows: int) -> Iterator[str]:
    yield (
        f"{of_board.name}: the mean over {counted(len(board.tasks), 'tasks')} and their repeats; "
        "the shading holds the middle half of these. A curve that ends keeps its last value."
    )
    if rows > MAX_DRAWN:
        yield f"The first {MAX_DRAWN} of the board are drawn; the files have all {rows}."
