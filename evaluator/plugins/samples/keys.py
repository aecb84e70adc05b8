"""``pullbench: curves:`` of a bundle."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from pydantic import StrictBool

from evaluator.core.formats.columns import Column

CurvesKey = StrictBool | dict[str, Literal["asc", "desc"]]
"""Whether there are any, or names of those whose area is a column, each with the order in which it
sorts."""


def area_columns(asked: CurvesKey, columns: Sequence[Column]) -> Iterator[Column]:
    if not isinstance(asked, Mapping):
        return
    from evaluator.plugins.samples.curves import Area  # loads numpy

    for name, sorting in asked.items():
        yield Column(
            key=f"{name}_area", title=f"{name}, area", sorting=sorting, precision=4,
            hidden=columns[0].hidden, computation=None, operands=(), breaks_ties=False,
            over_tasks=True, derived=Area(name=name, less_is_better=sorting == "asc"),
        )  # fmt: skip
