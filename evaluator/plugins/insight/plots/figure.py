"""One figure: its drawing, what is said of it, its table and the data behind it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np
from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.errors import counted
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.table import Floats
from evaluator.core.leaderboard.tables import csv_parts
from evaluator.plugins.insight.plots.entries import BoardEntries
from evaluator.plugins.insight.plots.marks import Kind, Mark
from evaluator.plugins.insight.plots.scatter import FIRST, MAX_MARKS, Scatter
from evaluator.plugins.insight.plots.svg import Drawing

MAX_LINES = 50
"""Lines of a table on the page; its file has all."""
Value = str | float | int | bool | None


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


class FigureLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a figure's data."""

    head: Row | str
    """What it is of."""
    values: tuple[Value, ...]
    texts: tuple[str, ...]
    """The values as the page shows them; empty beyond the table's length."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of a board."""

    name: str
    """Stem of its files, and its place on the page."""
    heading: str
    board: BoardEntries
    drawings: tuple[Drawing, ...]
    """For wide and for narrow places."""
    caption: tuple[str, ...]
    """Sentences: what is drawn, what is not, and why."""
    head: tuple[str, str]
    """Key and title of the first column of the data, which says what a line is of."""
    keys: tuple[str, ...]
    """Of the other columns."""
    titles: tuple[str, ...]
    """Of the other columns, on the page."""
    lines: Sequence[FigureLine]
    question: str = ""
    """On the page, the section that it helps to answer; empty is one of its own."""
    marks: Sequence[Mark] = field(default=())
    """In the order of their elements."""

    @property
    def shown(self) -> Sequence[FigureLine]:
        return self.lines[:MAX_LINES]

    @cached_property
    def svg(self) -> str:
        """For pages, which show the one that fits."""
        return "".join(drawing.svg(self.name) for drawing in self.drawings)

    @cached_property
    def _table(self) -> tuple[list[str], list[list[Value]]]:
        of_entries = bool(self.lines) and isinstance(self.lines[0].head, Row)
        first = ["participant", "submission", "title"] if of_entries else [self.head[0]]
        lines: list[list[Value]] = []
        for line in self.lines:
            names = names_of(line.head) if isinstance(line.head, Row) else [line.head]
            lines.append([*names, *line.values])
        return [*first, *self.keys], lines

    def csv(self) -> bytes:
        """All data, unrounded; what is not known is empty."""
        head, lines = self._table
        columns = list(map(_numbers, zip(*lines, strict=True))) if lines else [[] for _ in head]
        text = "".join(csv_parts(head, columns))
        return text.encode("utf-8", "replace")

    def json(self) -> bytes:
        head, lines = self._table
        board = self.board.board
        data: FigureHead = {
            "version": 1, "figure": self.name, "title": self.heading,
            "board": board.benchmark.title, "phase": board.phase.name,
            "says": list(self.caption), "columns": head,
        }  # fmt: skip
        try:
            rows = msgspec.json.encode(lines)
        except UnicodeEncodeError:  # half of a character, which only an escape can tell
            rows = json.dumps(lines, separators=(",", ":")).encode()
        return json.dumps(data, separators=(",", ":")).encode()[:-1] + b',"rows":' + rows + b"}\n"


def legend_names(board: BoardEntries, best: str) -> dict[Kind, str]:
    return {
        "other": board.nouns, "best": best, "baseline": "baseline",
        "reported": "reported, not reproduced",
    }  # fmt: skip


def draw_scatter(
    scatter: Scatter, board: BoardEntries, title: str, description: Sequence[str]
) -> tuple[tuple[Drawing, ...], list[Mark], tuple[str, ...]]:
    """The drawings, their marks, and what must be said of points that are not drawn."""
    drawings, marks, most = scatter.draw(title, " ".join(description))
    if len(scatter.points) <= MAX_MARKS:
        return drawings, marks, ()
    return drawings, marks, (
        f"Of {counted(len(scatter.points), board.nouns)} {len(marks):,} are drawn one by one: "
        f"{scatter.kinds['best']}, baselines and the first {FIRST} of the board; all are in the "
        f"shading, of which the darkest squares hold up to {most:,}.",
    )  # fmt: skip


def names_of(row: Row) -> tuple[str, str, str]:
    submission = row.submission
    return submission.participant, submission.name, submission.title


def _numbers(column: Sequence[Value]) -> list[Value] | Floats:
    if {*map(type, column)} <= {float, type(None)}:
        return np.array(column, dtype=np.float64)
    return list(column)


def index_file(board: BoardEntries, figures: Sequence[Figure]) -> bytes:
    """Names of all submissions, and of each figure's points whose they are and what they say.

    ``submissions`` are lists [participant, name, title]; ``figures`` has, by name, the places of
    the points in that list (``entries``) and their values in words (``says``), in the order of the
    elements.
    """
    data: PlotsData = {
        "version": 1,
        "submissions": [names_of(row) for row in board.rows],
        "figures": {
            figure.name: {
                "entries": [mark.entry for mark in figure.marks],
                "says": [mark.says for mark in figure.marks],
            }
            for figure in figures
        },
    }
    return f"{json.dumps(data, separators=(',', ':'), ensure_ascii=True)}\n".encode()
