"""Box plots: quartiles, whiskers, and how many values lie out of the picture."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

LOW, HIGH = -2.0, 1.0
"""AMLB's figures show scaled scores from here to there, and count what lies below."""
ROOM = 0.5
"""How far above HIGH values are shown where methods surpass the reference by which they are
scaled."""


@dataclass(frozen=True, kw_only=True)
class Box:
    """One method's values."""

    count: int
    low: float
    """Least value that is no further from the box than 1.5 times its height."""
    q1: float
    median: float
    q3: float
    high: float
    outliers: tuple[float, ...]
    """Beyond the whiskers, ascending."""
    below: int
    """Of all values, those below LOW."""
    above: int
    """Of all values, those above the upper end of the picture."""


def make_box(values: Sequence[float], upper: float = HIGH + ROOM) -> Box | None:
    """Summarise values by linear quantiles; None without any."""
    if not values:
        return None
    ordered = sorted(values)
    q1, median, q3 = (_quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (q3 - q1)
    first, end = bisect_left(ordered, q1 - reach), bisect_right(ordered, q3 + reach)
    return Box(
        count=len(ordered),
        low=ordered[first], q1=q1, median=median, q3=q3, high=ordered[end - 1],
        outliers=(*ordered[:first], *ordered[end:]),
        below=bisect_left(ordered, LOW),
        above=len(ordered) - bisect_right(ordered, upper),
    )  # fmt: skip


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    # Halves: the difference of two finite numbers need not be finite.
    low, high = ordered[below] / 2, ordered[above] / 2
    return 2 * (low + (place - below) * (high - low))
