"""Curves of a board: what figures draw, and columns with the area under them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.formats.record import Record
from evaluator.core.leaderboard.published import PublicBoard, attachments, read_attachments
from evaluator.core.leaderboard.table import Flags, Floats, Table
from evaluator.plugins.samples.format import Curves, Series, read_curves, unpack
from evaluator.plugins.samples.keys import CurvesKey
from evaluator.site.insight import BoardCurves, Curve

SUFFIX = "curves.json.gz"


def area(series: Series) -> float:
    """Return the mean height of a curve: its area by trapezoids, divided by its width."""
    x, y = (np.array(one, np.float64) for one in (series.x, series.y))
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    width = x[-1] - x[0] if len(x) else 0.0
    if not width > 0:
        return float(y.mean()) if len(y) else np.nan
    return float((np.diff(x) * (y[1:] + y[:-1]) / 2).sum() / width)


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
                areas[place] = np.mean([area(one) for one in series if one])
        shares = np.array(weights, np.float64)[: len(counts), None] * counts
        with np.errstate(invalid="ignore"):
            means = np.where(counts, areas * shares, 0.0).sum(axis=0) / shares.sum(axis=0)
        inner = (
            np.where(counts, areas, np.inf).min(axis=0, initial=np.inf),
            np.where(counts, areas, -np.inf).max(axis=0, initial=-np.inf),
        )
        return means, *(np.where(np.isnan(means), np.nan, end) for end in inner)


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
            Curve(row=place, task=task, x=np.array(series.x), y=np.array(series.y))
            for place, task, curves in every
            if (series := curves.series.get(name)) and series.x
            and (curves.x, curves.y) == (first.x, first.y)
        ),
    )  # fmt: skip


def _read(content: bytes | None) -> Curves | None:
    try:
        return read_curves(unpack(content)) if content is not None else None
    except ValueError:
        return None
