"""Curves of a board: what figures draw, and columns with the area under them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.formats.record import Record
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.published import PublicBoard, attachments, read_attachments
from evaluator.core.leaderboard.table import Flags, Floats, Table
from evaluator.plugins.samples.format import Curves, Series, read_curves, unpack
from evaluator.plugins.samples.keys import CurvesKey
from evaluator.site.insight import BoardCurves, Curve

SUFFIX = "curves.json.gz"
_FARTHEST = 1e150
"""Of a figure, whose slopes and means are floats, too."""


def area(series: Series) -> float:
    """Return the mean height of a curve: its area by trapezoids, divided by its width."""
    if not series.x:
        return np.nan
    order = np.argsort(series.x, kind="stable")
    # Smaller, so that no difference and no sum overflows.
    x, y = np.array(series.x)[order] / 4, np.array(series.y)[order] / 2
    widths = np.diff(x).tolist()
    return mean((y[1:] + y[:-1]).tolist(), widths) if any(widths) else mean(series.y)


@dataclass(frozen=True, kw_only=True)
class Area:
    """A column with the area under the curves of one name, over its width."""

    name: str

    @property
    def note(self) -> str:
        return (
            f"{self.name}, area is the mean height of the curve '{self.name}': the area under it, "
            "divided by its width; the mean over repeats and tasks. Behind it are the least and "
            "the greatest of a task."
        )

    def __call__(
        self, table: Table, counts: Flags, weights: Sequence[int]
    ) -> tuple[Floats, Floats, Floats]:
        """Return NaN for a row without the curve on a task that counts."""
        areas = np.full(counts.shape, np.nan)
        records: dict[tuple[int, int], Sequence[Record]] = {
            (task, row): table.load_records(table.submissions[row], table.tasks[task])
            for task, row in np.argwhere(counts & table.recorded[: len(counts)]).tolist()
        }
        files = read_attachments(table, (one for some in records.values() for one in some), SUFFIX)
        for place, some in records.items():
            curves = [_read(files.get(record.cell)) for record in some]
            series = [one.series.get(self.name) if one else None for one in curves]
            if series and all(series):
                areas[place] = mean(area(one) for one in series if one)
        means: Floats = np.array([
            mean(row[counted], np.array(weights)[: len(counts)][counted].tolist())
            if counted.any() else np.nan
            for row, counted in zip(areas.T, counts.T, strict=True)
        ])  # fmt: skip
        inner = (
            np.where(counts, areas, np.inf).min(axis=0, initial=np.inf),
            np.where(counts, areas, -np.inf).max(axis=0, initial=-np.inf),
        )
        least, greatest = (np.where(np.isnan(means), np.nan, end) for end in inner)
        return means, least, greatest


def board_curves(board: PublicBoard) -> BoardCurves | None:
    """Return the curves of a board that are alike in what they show; None without any."""
    asked: CurvesKey = board.benchmark.of_plugins.get("curves", False)
    if not asked:
        return None
    files = attachments(board, SUFFIX)
    every: list[tuple[int, str, Curves]] = [
        (place, task, curves)
        for place, row in enumerate(board.rows)
        for task, result in row.tasks.items()
        for record in result.records
        if (curves := _read(files.get(record.cell)))
    ]
    if not every:
        return None
    first = every[0][2]
    name = next(iter(asked)) if isinstance(asked, Mapping) else min(first.series)
    return BoardCurves(
        name=name, x=first.x, y=first.y,
        curves=tuple(
            Curve(row=place, task=task, x=_drawn(series.x), y=_drawn(series.y))
            for place, task, curves in every
            if (series := curves.series.get(name)) and series.x
            and (curves.x, curves.y) == (first.x, first.y)
        ),
    )  # fmt: skip


def _drawn(numbers: Sequence[float]) -> Floats:
    return np.clip(np.array(numbers, np.float64), -_FARTHEST, _FARTHEST)


def _read(content: bytes | None) -> Curves | None:
    try:
        return read_curves(unpack(content)) if content is not None else None
    except ValueError:
        return None
