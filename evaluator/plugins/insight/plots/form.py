"""The forms of the JSON files of plots, for their JSON Schemas."""

from typing import Literal

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12


class FigureHead(TypedDict):
    """What a figure shows."""

    version: Literal[1]
    figure: str
    title: str
    board: str
    phase: str
    says: list[str]
    """What is drawn, what is not, and why."""
    columns: list[str]


class FigureData(FigureHead):
    """All data of one figure, as in the CSV file beside it."""

    rows: list[list[str | int | float | bool | None]]


class PointsData(TypedDict):
    """The points of one figure, in the order of their elements."""

    entries: list[int]
    """Places in ``submissions``."""
    says: list[str]


class PlotsData(TypedDict):
    """What the script of the page of plots reads."""

    version: Literal[1]
    submissions: list[tuple[str, str, str]]
    """Participant, name and title."""
    figures: dict[str, PointsData]
