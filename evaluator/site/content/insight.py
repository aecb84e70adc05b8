"""What the site shows of a board beside its rows, if something is installed that makes it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import Floats, Places
from evaluator.core.plugins import Contract


@dataclass(frozen=True)
class Missing:
    """Why something of a board is not there."""

    reason: str
    """In words, for its page."""


NOT_INSTALLED = Missing("nothing is installed that makes it")


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardSamples:
    """What the ranked rows of a board did on each sample of its tasks."""

    values: Floats
    """By sample and ranked row, greater is better, NaN is none."""
    shares: Floats
    """By sample: how much it counts in the value of the board."""
    task_of: Places
    group_of: Places
    """By sample: number of its group, or its own."""
    noun: str
    """What groups are, such as "samples"."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve:
    """One curve of one cell."""

    row: int
    """Place among the board's rows."""
    task: str
    x: Floats
    y: Floats


@dataclass(frozen=True, kw_only=True)
class BoardCurves:
    """Curves of one name, and what their axes are."""

    name: str
    x: str
    y: str
    curves: Sequence[Curve]


SAMPLES = Contract[Callable[[PublicBoard], BoardSamples | None]]("samples")
CURVES = Contract[Callable[[PublicBoard], BoardCurves | None]]("curves")
RankSpan = tuple[int, int, int, tuple[float, float] | None]
"""Best and worst rank, group, and how much worse and how much better than seen its value may be
beside that of the first."""


Marks = Mapping[str, tuple[str, str]]
"""Submission's id -> a word or two, and a sentence."""
NO_MARKS: Marks = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Prices:
    """What an hour of a machine costs; empty where the deployment does not say."""

    currency: str = ""
    """ISO 4217 code, such as EUR."""
    per_hour: Mapping[str, float]
    """Queue -> price."""


NO_PRICES = Prices(per_hour={})


@dataclass(frozen=True, kw_only=True)
class PageTable:
    """A table of a page."""

    title: str
    sentences: Sequence[str] = ()
    """Above it."""
    heads: Sequence[tuple[str, bool]]
    """Names of the columns, and whether they hold numbers."""
    lines: Sequence[Sequence[Row | str]]
    """A row of a board is a link to its submission's page."""


@dataclass(frozen=True, kw_only=True)
class BoardPage:
    """A page of a benchmark that a plugin makes of its boards."""

    name: str
    """In the list of pages; the heading is "NAME of BENCHMARK"."""
    sentences: Sequence[str]
    tables: Sequence[PageTable]
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files beside the page, by name."""
    search: str = ""
    """What a field to search all tables by is called; empty without one."""
    group: str = "History"
    """Group of pages to which it belongs, see ``page_groups``."""
    chip: str = ""
    """What it proves, in a few words: a link to it in the head of the board; empty for none."""
    compares: str = ""
    """What it shows side by side: a link on *Compare*; empty for nothing."""
    by_sample: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Slug of a phase -> task's name -> its CSV file of samples, by which *Compare* compares."""


BOARD_PAGES = Contract[
    Callable[[Sequence[PublicBoard], Callable[[str], bytes | None]], BoardPage | None]
]("board_pages")
"""By folder of a page: from the boards of a benchmark and a reader of the bundle's files."""


class Figures(Protocol):
    """Figures of one board; the template ``plots.html`` shows them."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield each file beside the page, by name."""
        ...


class Insight:
    """Analyses a board, by itself nothing; ``confidence`` and ``study`` have types of its own."""

    template_functions: Mapping[str, Any] = {
        **dict.fromkeys(("conclusions", "evidence", "verdict"), lambda _: ""),
        "confidence": lambda _: NOT_INSTALLED,
        "headline": lambda _: ("", ""),
    }

    def conclusions(self, board: PublicBoard, name: Callable[[Row], str] | None = None) -> str:
        """Say who leads, and whether the lead is real; ``name`` gives the names of rows."""
        return ""

    def rank_spans(self, board: PublicBoard) -> Mapping[str, RankSpan]:
        """What is known by submission's id; nothing if tasks are too few to tell."""
        return {}

    def compute(self, board: PublicBoard) -> Any:
        """Compute what ``conclusions`` and ``study`` do not need, here or in another process."""

    def set_computed(self, board: PublicBoard, value: Any) -> None:
        """Use what another process has computed."""

    def confidence(self, board: PublicBoard) -> Any | Missing:
        return NOT_INSTALLED

    def confidence_files(self, certainty: Any, study: Any | Missing) -> Mapping[str, bytes]:
        return {}

    def plots(self, board: PublicBoard, prices: Prices) -> Figures | None:
        """Draw a board; None if there is nothing to draw."""
        return None

    def study(self, board: PublicBoard, others: Sequence[PublicBoard]) -> Any | Missing:
        """Analyse a board against others."""
        return NOT_INSTALLED

    def study_files(self, study: Any) -> Mapping[str, bytes]:
        return {}


INSIGHTS = Contract[Insight]("insights")


def insight() -> Insight:
    """The first that is installed, or else what shows nothing."""
    return next(iter(INSIGHTS.values()), None) or Insight()
