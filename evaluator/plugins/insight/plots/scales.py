"""Values -> places in a figure, and the ticks of an axis."""

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.plugins.insight.statistics.boxes import make_box
from evaluator.site.content.events import read_moment

LOG_FROM = 30
"""Ratio of the greatest to the least value from which an axis is logarithmic."""
FAR = 40
"""Box heights beyond a quartile at which values stand at the edge of the picture."""


EDGE = 20.0
"""Room at an end of an axis for what lies beyond it."""


@dataclass(frozen=True, kw_only=True)
class AxisScale:
    """From values to coordinates; what is beyond an end is at its edge."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    before: float | None = None
    """Where values below ``low`` are; None is ``start``."""
    after: float | None = None
    """Where values above ``high`` are; None is ``end``."""

    def at(self, value: float) -> float:
        if self.before is not None and value < self.low:
            return self.before
        if self.after is not None and value > self.high:
            return self.after
        low, high = self.low, self.high
        if self.log:
            value, low, high = (math.log10(max(v, 5e-324)) for v in (value, low, high))
        if high == low:
            return (self.start + self.end) / 2
        # Halves: the difference of two finite numbers need not be finite.
        share = (value / 2 - low / 2) / (high / 2 - low / 2)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, count: int = 7) -> list[float]:
        return _log_ticks(self.low, self.high) if self.log else _ticks(self.low, self.high, count)

    @property
    def breaks(self) -> list[tuple[float, float]]:
        """Where the axis is broken, and where what lies beyond is drawn."""
        ends = ((self.start, self.before), (self.end, self.after))
        return [((end + edge) / 2, edge) for end, edge in ends if edge is not None]


def make_scale(
    values: Sequence[float],
    start: float,
    end: float,
    *,
    log_from: float = math.inf,
    margin: float = 0.06,
    contenders: Sequence[float] = (),
) -> tuple[AxisScale, int]:
    """A scale for values, and how many are too far out to be in the picture.

    It is logarithmic from a ratio of ``log_from`` on; ``margin`` is the share of room at its ends.
    It is cut to ``contenders``: values that are further from them than they are from one another
    are at its edge.
    """  # fmt: skip
    low, high = min(values), max(values)
    if low > 0 and high / 2 / low >= log_from / 2:
        wide = margin * (math.log10(high) - math.log10(low))
        first, last = 10 ** (math.log10(low) - wide), 10.0 ** min(math.log10(high) + wide, 308)
        return AxisScale(low=first, high=min(last, 1e308), start=start, end=end, log=True), 0
    box = make_box(values)
    if len(values) >= 5 and box.q3 > box.q1:
        reach = FAR * (box.q3 / 2 - box.q1 / 2) * 2
        low, high = max(low, box.q1 - reach), min(high, box.q3 + reach)
    outside = sum(not low <= value <= high for value in values)
    close = [value for value in contenders if low <= value <= high]
    if close and (span := max(close) / 2 - min(close) / 2) > 0:
        low = low if min(close) / 2 - low / 2 <= span else min(close)
        high = high if high / 2 - max(close) / 2 <= span else max(close)
    room = margin * (high / 2 - low / 2) * 2 or abs(high) * 0.05 or 0.5
    step = math.copysign(EDGE, end - start)
    before, after = min(values) < low, max(values) > high
    scale = AxisScale(
        low=max(low - room, -1.7e308), high=min(high + room, 1.7e308),
        start=start + step * before, end=end - step * after,
        before=start + step * 0.3 if before else None, after=end - step * 0.3 if after else None,
    )  # fmt: skip
    return scale, outside


def _ticks(low: float, high: float, count: int) -> list[float]:
    width = (high / 2 - low / 2) / count * 2
    if not math.isfinite(width) or width <= 0:
        return [low]
    power = 10.0 ** math.floor(math.log10(width))
    step = next(power * part for part in (1, 2, 2.5, 5, 10) if power * part >= width * 0.999)
    first = math.ceil(low / step)
    ticks = [(first + i) * step for i in range(count + 2)]
    return [round(tick, 12) if abs(tick) < 1e3 else tick for tick in ticks if low <= tick <= high]


def _log_ticks(low: float, high: float) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    parts = (1, 2, 5) if last - first <= 3 else (1,)
    step = max(1, (last - first) // 8)
    ticks = [
        part * 10.0**power for power in range(first, last + 1, step) for part in parts
        if power < 308
    ]  # fmt: skip
    return [tick for tick in ticks if low <= tick <= high]


_STEPS = (
    *((seconds, "%H:%M") for seconds in (60, 300, 600, 1800, 3600)),
    *((hours * 3600, "%d %b %H:%M") for hours in (2, 6, 12)),
    *((days * 86400, "%d %b") for days in (1, 2, 7)),
    (14 * 86400, "%d %b %Y"),
)
"""Seconds between ticks below a month, and how they are written."""


def time_ticks(low: float, high: float, count: int = 5) -> list[tuple[float, str]]:
    """Places and labels in UTC between two times in seconds since 1970."""
    width = (high - low) / count
    for step, form in _STEPS:
        if step >= width:
            first = math.ceil(low / step)
            last = math.floor(high / step)
            return [(i * step, _utc(i * step).strftime(form)) for i in range(first, last + 1)]
    months = max(1, math.ceil(width / (30.5 * 86400)))
    months = next((m for m in (1, 2, 3, 6, 12, 24, 60, 120, 600) if m >= months), 1200)
    form = "%Y" if months >= 12 else "%b %Y"
    begin = _utc(low)
    ticks: list[tuple[float, str]] = []
    first = begin.year * 12 + begin.month - 1
    for place in range(first - first % months, 9001 * 12, months):
        moment = dt.datetime(place // 12, place % 12 + 1, 1, tzinfo=dt.UTC)
        if moment.timestamp() > high:
            break
        if moment.timestamp() >= low:
            ticks.append((moment.timestamp(), moment.strftime(form)))
    return ticks


def _utc(seconds: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, tz=dt.UTC)


def timestamp(text: str) -> float | None:
    moment = read_moment(text)
    return moment.timestamp() if moment else None
