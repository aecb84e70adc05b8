"""Numbers and names as figures write them."""

from evaluator.core.errors import counted
from evaluator.core.formats.columns import Column

NONE = "\N{EN DASH}"
"""In place of a value that there is not."""
_UNITS = (("B", 1), ("KiB", 2**10), ("MiB", 2**20), ("GiB", 2**30), ("TiB", 2**40))


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


def outside_text(count: int) -> tuple[str, ...]:
    if not count:
        return ()
    are = "lie beyond the picture and are" if count != 1 else "lies beyond the picture and is"
    return (f"{counted(count, 'values')} {are} drawn at its edge.",)
