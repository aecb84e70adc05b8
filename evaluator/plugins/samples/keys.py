"""``pullbench: curves:`` of a bundle."""

from typing import Literal

from pydantic import StrictBool

CurvesKey = StrictBool | dict[str, Literal["asc", "desc"]]
"""Whether there are any, or names of those whose area is a column, each with the order in which it
sorts."""
