"""Decide a race between a challenger and the best while it runs, by bets on a fair coin.

A lead is the log of the ratio of their values in one pair of runs, above 0 if the challenger is
better; -inf if it failed. A coin decided who ran first. If the two are equal but for the margin,
swapping them swaps the sign of ``lead - margin`` and not its size, whatever the machine does. So a
bet on the sign, with a stake that depends on sizes alone, is fair, and the chance that a wealth of
1 ever reaches 1 / p is at most p (Ville 1939). No variance is estimated, and one may stop at any
time.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import median

_BOLDNESS = (0.5, 1, 2, 4)
"""A quarter of the wealth bets by each: small and large leads need different stakes."""
_MOST = 0.9
"""The largest stake, so that one lost pair does not end a race."""
_HOPE = 1.4
"""Growth of the wealth in each pair that is left, beyond which nobody hopes."""
_SLOWER = 20
"""Wealth of the opposite bet at which a challenger is called slower, with 5 % error."""


def wealth(leads: Sequence[float], margin: float = 0.0) -> Iterator[float]:
    """Yield what a wealth of 1 has become after each pair, by bets that leads exceed the margin."""
    parts = [1 / len(_BOLDNESS)] * len(_BOLDNESS)
    sizes: list[float] = []
    for lead in leads:
        ahead = lead - margin
        if ahead == -math.inf:
            parts = [part * (1 - _MOST) for part in parts]
        else:
            sizes.append(abs(ahead))
            typical = median(sizes)
            if ahead and typical:
                stakes = [min(math.tanh(k * abs(ahead) / typical), _MOST) for k in _BOLDNESS]
                signed = [math.copysign(stake, ahead) for stake in stakes]
                parts = [part * (1 + stake) for part, stake in zip(parts, signed, strict=True)]
        yield sum(parts)


def p_value(leads: Sequence[float], margin: float) -> float:
    """The chance of such leads if the challenger were no better than the margin, at most."""
    return min(1.0, 1 / max(wealth(leads, margin), default=1.0))


def verdict(leads: Sequence[float], *, margin: float, p: float, cap: int) -> str:
    """Return "record", "slower", "no record", or "" for one more pair; call it after each pair.

    "slower" is than the margin asks. ``cap`` is the largest number of pairs.
    """
    path = [1.0, *wealth(leads, margin)]
    if max(path) >= 1 / p:
        return "record"
    mirrored = [-lead for lead in leads if lead > -math.inf]
    if max(wealth(mirrored, -margin), default=0.0) >= _SLOWER:
        return "slower"
    left = cap - len(leads)
    return "no record" if left <= 0 or path[-1] * _HOPE**left < 1 / p else ""


def interval(leads: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Return the lowest and highest lead that no bet refutes, valid at any stop; infinite if none.

    Fewer than seven pairs refute nothing at 95 %.
    """
    finished = [lead for lead in leads if lead > -math.inf]
    spread = max(finished) - min(finished)
    room, points = max(spread, 1e-3), 600
    start, step = min(finished) - room, (spread + 2 * room) / points
    grid = [start + step * number for number in range(points + 1)]
    most, mirrored = 2 / (1 - level), [-lead for lead in finished]
    low = next(lead for lead in grid if list(wealth(finished, lead))[-1] < most)
    high = next(lead for lead in reversed(grid) if list(wealth(mirrored, -lead))[-1] < most)
    return (-math.inf if low == grid[0] else low), (math.inf if high == grid[-1] else high)
