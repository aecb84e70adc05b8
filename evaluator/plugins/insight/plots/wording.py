"""Numbers and names as figures write them."""

import unicodedata

from evaluator.core.errors import counted
from evaluator.core.formats.columns import Column
from evaluator.plugins.insight.plots.svg import shortened

_BEGIN, _END = "\u2068", "\u2069"
"""What is between them keeps its direction for itself (Unicode's isolates)."""
NONE = "\N{EN DASH}"
"""In place of a value that there is not."""
_UNITS = (("B", 1), ("KiB", 2**10), ("MiB", 2**20), ("GiB", 2**30), ("TiB", 2**40))
MAX_LABEL = 28
"""Characters of a name in a figure; tables have it in full."""


def shown(value: float | None, column: Column) -> str:
    """Write a value with the column's decimals; a huge one shortened, for it has none to show."""
    if value is None:
        return NONE
    return f"{value:.{column.precision}f}" if abs(value) < 1e6 else f"{value:.4g}"


def bytes_text(value: float) -> str:
    name, unit = next((u for u in reversed(_UNITS) if value >= u[1]), _UNITS[0])
    return f"{value / unit:.3g} {name}"


def seconds_text(value: float) -> str:
    return f"{value:.3g} s" if value < 1e6 else f"{value:.2g} s"


def label(text: str, limit: int = MAX_LABEL) -> str:
    """Shorten a name for a figure, so that it cannot turn what stands beside it."""
    return f"{_BEGIN}{shortened(' '.join(text.split()), limit)}{_END}"


def text_width(text: str, size: float = 12) -> float:
    units = sum(
        0.0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else
        1.0 if unicodedata.east_asian_width(c) in "WF" else 0.56
        for c in text
    )  # fmt: skip
    return units * size


def outside_text(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    are = "lie beyond the picture and are" if count != 1 else "lies beyond the picture and is"
    return (f"{counted(count, 'values')} {are} drawn at its edge.",)
