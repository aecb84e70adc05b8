"""Curves of a board: what figures draw, and columns with the area under them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluator.core.formats.record import Record
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.published import PublicBoard, attachments, read_attachments
from evaluator.core.leaderboard.table import Flags, Floats, Table
from evaluator.plugins.samples.format import Curves, Series, read_curves, unpack
from evaluator.plugins.samples.keys import CurvesKey
from evaluator.site.content.insight import BoardCurves, Curve

SUFFIX = "curves.json.gz"
_FARTHEST = 1e150
"""Of a figure, whose slopes and means are floats, too."""
_SECONDS = "seconds"
"""The name of an x of which a phase knows the end."""


def area(series: Series, start: float, end: float, worst: float) -> float:
    """The mean height of a curve from ``start`` to ``end``, by trapezoids.

    Before its first point it is ``worst``, after its last it stays: so writing late points alone,
    or the best ones, gains nothing.
    """
    if not series.x:
        return np.nan
    order = np.argsort(series.x, kind="stable")
    # Smaller, so that no difference and no sum overflows.
    x, y = np.array(series.x)[order] / 4, np.array(series.y)[order] / 2
    start, end, worst = start / 4, end / 4, worst / 2
    if not end > start:
        return mean(series.y)
    if x[0] > start:
        x, y = np.r_[start, x[0], x], np.r_[worst, worst, y]
    inside, at_ends = (x >= start) & (x <= end), np.interp((start, end), x, y)
    x, y = np.r_[start, x[inside], end], np.r_[at_ends[0], y[inside], at_ends[1]]
    return mean((y[1:] + y[:-1]).tolist(), np.diff(x).tolist())


@dataclass(frozen=True, kw_only=True)
class Area:
    """A column with the area under the curves of one name, over the width of the task."""

    name: str
    less_is_better: bool

    @property
    def note(self) -> str:
        return (
            f"{self.name}, area is the mean height of the curve '{self.name}' up to the time that "
            "the phase allows or, along other units than seconds, up to the last point of any row. "
            "Before its first point a curve has the worst value of the task, after its last it "
            "stays. It is the mean over repeats and tasks. Behind it are the least and the "
            "greatest of a task."
        )

    def __call__(
        self, table: Table, counts: Flags, weights: Sequence[int], seconds: Sequence[float]
    ) -> tuple[Floats, Floats, Floats]:
        """NaN for a row without the curve on a task that counts."""
        areas = np.full(counts.shape, np.nan)
        records: dict[tuple[int, int], Sequence[Record]] = {
            (task, row): table.load_records(table.submissions[row], table.tasks[task])
            for task, row in np.argwhere(counts & table.recorded[: len(counts)]).tolist()
        }
        files = read_attachments(table, (one for some in records.values() for one in some), SUFFIX)
        read = {
            place: [_read(files.get(record.cell)) for record in some]
            for place, some in records.items()
        }
        for task, limit in enumerate(seconds[: len(counts)]):
            rows = {row: curves for (of, row), curves in read.items() if of == task}
            for row, value in self._areas(rows, limit):
                areas[task, row] = value
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

    def _areas(
        self, rows: Mapping[int, Sequence[Curves | None]], limit: float
    ) -> Iterator[tuple[int, float]]:
        """Yield areas of the rows that have the curve in each repeat of a task."""
        series = {
            row: some
            for row, curves in rows.items()
            if (some := [own for one in curves if one and (own := one.series.get(self.name))])
            and len(some) == len(curves)
        }
        every = [one for some in series.values() for one in some if one.x]
        x, y = ([value for one in every for value in getattr(one, name)] for name in "xy")
        units = {one.x for curves in rows.values() for one in curves if one}
        is_timed = units == {_SECONDS} and np.isfinite(limit)
        start, end = (0.0, limit) if is_timed else (min(x, default=0.0), max(x, default=0.0))
        worst = (max if self.less_is_better else min)(y, default=np.nan)
        for row, some in series.items():
            yield row, mean(area(one, start, end, worst) for one in some)


def board_curves(board: PublicBoard) -> BoardCurves | None:
    """The curves of a board that are alike in what they show; None without any."""
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
