"""What the site shows of one benchmark, and what it knows of the repository."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId, Place
from evaluator.core.formats.pointer import Pointer
from evaluator.core.formats.record import Record
from evaluator.core.formats.repository_status import (
    MergedPullRequest,
    PolicyReport,
    UnreviewedCommit,
    Waiting,
    Withdrawal,
)
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content.events import MAX_ENTRIES, Event, events, newest
from evaluator.site.content.forge import ForgeAddress, forge_address
from evaluator.site.content.images import ImageSource
from evaluator.site.content.insight import (
    BOARD_PAGES,
    NO_MARKS,
    NO_PRICES,
    BoardPage,
    Figures,
    Marks,
    Missing,
    Prices,
    insight,
)
from evaluator.site.content.left_out import attempt
from evaluator.site.content.lineage import Lineages
from evaluator.site.content.past_boards import History
from evaluator.site.content.rescoring import Rescoring
from evaluator.site.content.settings import SiteSettings

T = TypeVar("T")
D = TypeVar("D")
NO_STUDY = Missing("it could not be made; the log of the site's build tells why")
MAX_PHASES = 12
"""Phases whose plots and intervals have pages of their own: the latest that anybody entered."""


@dataclass(frozen=True, kw_only=True)
class DatasetEntry:
    """A data set that a participant submitted."""

    submission: Submission
    state: str
    """``accepted``, ``refused``, ``unchecked`` or ``retired``."""
    reason: str
    successor: str
    """``participant/name`` of the version that replaced it."""
    record: Record | None
    """Of its check, as far as it is public."""
    in_phase: str


class Vouched(NamedTuple):
    """Who vouches for the numbers of a board."""

    note: str = ""
    marks: Marks = NO_MARKS
    tip: str = ""
    """Digest of the last signed statement of all boards."""
    chips: tuple[str, ...] = ()
    """What it proves, in a few words each."""


@dataclass(frozen=True, kw_only=True)
class BenchmarkContent:
    """All of one benchmark that is published."""

    benchmark: Benchmark
    current: PublicBoard
    """Of the phase that is open, or was last."""
    boards: Sequence[PublicBoard]
    """One for each phase, in order."""
    task_boards: Mapping[str, PublicBoard]
    """Task slug -> board of the current phase on that task alone; none where there are many
    rows."""
    pages: Mapping[str, str]
    """Title -> cleaned HTML of the organiser's pages, the terms last."""
    details: Mapping[CellId, str]
    """Cell -> the HTML page that its scoring program wrote, as it wrote it."""
    logo: bytes
    """Picture, empty where there is none that a browser shows."""
    datasets: Sequence[DatasetEntry] = ()
    """Data sets that participants submitted, whether they are tasks, rows or refused."""
    rescorings: Mapping[str, Rescoring] = field(default_factory=dict)
    """Phase slug -> what the last change of the benchmark did to its board, where it did."""
    vouched: Mapping[str, Vouched] = field(default_factory=dict)
    """By the phase's slug."""
    prices: Prices = NO_PRICES
    history: History = field(default_factory=History)
    bundle: str = ""
    """Digest of the bundle's files and the deployment's settings."""
    pull_requests: Mapping[str, Sequence[MergedPullRequest]] = field(default_factory=dict)
    """Submission's id -> those that changed it, the oldest first."""
    records: Callable[[Place], Sequence[Record]] | None = None
    """Reads what a submission has in a phase, with its logs and not yet published; None where the
    boards have all that there is."""
    file: Callable[[str], bytes | None] = lambda _: None
    """Reads a file of the bundle, by its path there."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Submission's id -> digest of its files, records among them."""
    archived: Mapping[str, Pointer] = field(default_factory=dict)
    """Submission's id -> where its files are, of those that were moved out of the repository."""
    images: Sequence[ImageSource] = ()
    """Those in which submissions run."""

    @cached_property
    def row_ids(self) -> frozenset[str]:
        """Ids of all submissions that have a row on some board, listed or not."""
        return frozenset(
            row.submission.id for board in self.boards for row in (*board.rows, *board.unlisted)
        )

    def marks(self, board: PublicBoard) -> Marks:
        return self.vouched.get(board.phase.slug, Vouched()).marks

    @cached_property
    def lineages(self) -> Lineages:
        return Lineages(self.boards)

    @property
    def board_details(self) -> Mapping[CellId, str]:
        return self.details if self.benchmark.show_detailed_results_in_leaderboard else {}

    def analyse(self) -> None:
        """Compute now what pages and files both show, before they are made side by side.

        What becomes of ranks over weightings is left to ``compute``.
        """
        _ = self.study, self.events, self.plots, self.phase_plots, self.phase_studies
        _ = self.further_pages

    def compute(self) -> list[Any]:
        """Compute what no page of an analysis asks for, for this process or another."""
        return [insight().compute(board) for board in self.boards]

    def set_computed(self, computed: Sequence[Any]) -> None:
        """Use what another process has computed of that."""
        for board, one in zip(self.boards, computed, strict=True):
            insight().set_computed(board, one)
            insight().confidence(board)  # now, or each process that asks would compute it

    @cached_property
    def study(self) -> Any | Missing:
        """Analysis of the current board against other phases."""
        others = tuple(board for board in self.boards if board.phase != self.current.phase)
        return self._study("analysis", self.current, others)

    def _study(
        self, name: str, board: PublicBoard, others: Sequence[PublicBoard] = ()
    ) -> Any | Missing:
        return self._attempt(name, partial(insight().study, board, others), NO_STUDY)

    def _plots(self, name: str, board: PublicBoard) -> Figures | None:
        return self._attempt(name, partial(insight().plots, board, self.prices), None)

    def _attempt(self, name: str, make: Callable[[], T], otherwise: D) -> T | D:
        return attempt(f"{self.benchmark.path}/{name}", make, otherwise)

    @cached_property
    def further_pages(self) -> Mapping[str, BoardPage]:
        """Pages that plugins make, by folder."""
        pages = {
            name: self._attempt(name, partial(BOARD_PAGES[name], self.boards, self.file), None)
            for name in BOARD_PAGES
        }
        return {name: page for name, page in pages.items() if page}

    @cached_property
    def events(self) -> list[Event]:
        happened = [
            event
            for board in self.boards
            for event in self._attempt(
                "events",
                partial(
                    events, board, self.history, self.rescorings.get(board.phase.slug), MAX_ENTRIES
                ),
                (),
            )
        ]
        return newest(happened, MAX_ENTRIES)

    @cached_property
    def plots(self) -> Figures | None:
        return self._plots("plots", self.current)

    @cached_property
    def phases_with_pages(self) -> Mapping[str, PublicBoard]:
        """Boards whose plots and intervals have pages below their phase, by its slug."""
        if len(self.boards) == 1 or self.benchmark.leaderboard.hidden:
            return {}
        entered = [board for board in self.boards if board.rows]
        return {board.phase.slug: board for board in entered[-MAX_PHASES:]}

    @cached_property
    def phase_studies(self) -> Mapping[str, Any | Missing]:
        """Analyses of those boards."""
        return self._by_phase("confidence", self._study, self.study)

    @cached_property
    def phase_plots(self) -> Mapping[str, Figures]:
        drawn = self._by_phase("plots", self._plots, self.plots)
        return {slug: plots for slug, plots in drawn.items() if plots}

    def _by_phase(
        self, name: str, make: Callable[[str, PublicBoard], T], of_current: T
    ) -> dict[str, T]:
        return {
            slug: make(f"phases/{slug}/{name}", board)
            if board.phase != self.current.phase
            else of_current
            for slug, board in self.phases_with_pages.items()
        }


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """What pages need to know of the repository that they come from."""

    forge: str
    commit: str | None
    modified: bool
    """Whether files that are not committed count, too."""
    now: dt.datetime
    branch: str = "main"
    """That submissions go to."""
    waiting: Sequence[Waiting] = ()
    """Submissions that wait for something, the longest first."""
    unreviewed: Sequence[UnreviewedCommit] = ()
    withdrawn: Sequence[Withdrawal] = ()
    """Records that were withdrawn, the last first."""
    queue: PolicyReport | None = None
    """What policies did, and left to a person; None if nobody asked the ledger."""
    name: str = "pullbench"
    installation: tuple[str, ...] = ()
    """Commands that install pullbench in a clone, as the repository pins it; empty where it does
    not."""
    address: str = ""
    """Of the site, with a slash at the end; empty where nobody said it, and then what is made
    holds relative addresses alone."""
    look: SiteSettings = field(default_factory=SiteSettings)

    @property
    def forms(self) -> ForgeAddress | None:
        return forge_address(self.forge, self.branch)
