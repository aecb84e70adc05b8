"""Boards and submissions -> HTML fragments and files of the site.

Everything that a stranger wrote is text here: autoescaped by Jinja, or, for organisers' Markdown
and HTML pages, cleaned by nh3.
"""

import datetime as dt
import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import jinja2
import markdown
import nh3

from evaluator.board.ablation import ablations
from evaluator.board.analysis.files import DATA_OF, drawings
from evaluator.board.analysis.sentences import basis, findings
from evaluator.board.analysis.study import Study, make_study
from evaluator.board.badges import badged
from evaluator.board.claims import check_claim
from evaluator.board.conclusions import conclusions
from evaluator.board.confidence import MAX_LINES, Confidence, confidence, shade, share_text
from evaluator.board.confidence import basis as confidence_basis
from evaluator.board.datasets import DatasetEntry, dataset_rows
from evaluator.board.detail_pages import detail_file
from evaluator.board.difficulty import difficulties
from evaluator.board.events import Event, events, newest
from evaluator.board.facets import board_facets, dataset_facets
from evaluator.board.facts import fact, fact_columns, fact_text
from evaluator.board.feeds import MAX_ENTRIES
from evaluator.board.former import History
from evaluator.board.goals import goal_lines
from evaluator.board.leaderboard import Board, Row
from evaluator.board.logo import logo_name
from evaluator.board.plain_text import one_line, value_line
from evaluator.board.plots.entries import NO_PRICES, Prices
from evaluator.board.plots.registry import Plots, make_plots
from evaluator.board.ranking_note import ranking_note
from evaluator.board.rescoring import Rescoring
from evaluator.board.sharing import share_values, submission_citation
from evaluator.board.story import story
from evaluator.board.submit import (
    NAME,
    PARTICIPANT,
    ForgeAddress,
    entries,
    forge_address,
    usual_kind,
)
from evaluator.board.twins import twins
from evaluator.board.verdict import verdict
from evaluator.board.versus import board_folder, difference, rival, shown_number, states_ranks
from evaluator.board.view import detailed_task, rank_spans, row_marks, span_title, static_rows
from evaluator.board.waiting import Waiting
from evaluator.board.wording import best_method, bests, moment, seconds, size, time_limit
from evaluator.formats.answer_forms import link_text
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.datasets import dataset_slug
from evaluator.formats.fact_sheet import answer_text
from evaluator.formats.quantities import slug
from evaluator.formats.submission import Submission

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("evaluator.board"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


MAX_SUBMISSIONS = 200
"""Lines of a board on the page of submissions: the latest."""
MAX_WAITING = 500
"""Lines of the status page; an evaluator that stands still makes one for each submission."""
_LOOK_ALIKES = {"<": "\u2039", ">": "\u203a", "&": "+", '"': "'"}


@dataclass(frozen=True, kw_only=True)
class PageContent:
    """One page of the site."""

    path: str
    """Folder of its index.html, such as ``benchmarks/iris/tasks``."""
    title: str
    html: str
    navigation: str
    """Its entry in the navigation; empty where it has none."""
    searched: str = ""
    """HTML that search goes through: what is on the page whatever the records say."""


@dataclass(frozen=True, kw_only=True)
class BenchmarkContent:
    """All of one benchmark that is published."""

    benchmark: Benchmark
    current: Board
    """Of the phase that is open, or was last."""
    boards: Sequence[Board]
    """One for each phase, in order."""
    task_boards: Mapping[str, Board]
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
    prices: Prices = NO_PRICES
    """Of the deployment's machines."""
    history: History = field(default_factory=History)
    """Boards as they were."""
    bundle: str = ""
    """Digest of the bundle's files and the deployment's settings."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Submission's id -> digest of its files, records among them."""

    @property
    def shown_rows(self) -> frozenset[str]:
        """Ids of all submissions that have a row on some board, listed or not."""
        return frozenset(
            row.submission.id for board in self.boards for row in (*board.rows, *board.unlisted)
        )

    @property
    def board_details(self) -> Mapping[CellId, str]:
        """Detailed results that the board links to."""
        return self.details if self.benchmark.show_detailed_results_in_leaderboard else {}

    @cached_property
    def study(self) -> Study | str:
        """Analysis of the current board against other phases, or why there is none."""
        others = tuple(board for board in self.boards if board.phase != self.current.phase)
        return make_study(self.current, others)

    @cached_property
    def events(self) -> list[Event]:
        """What happened on its boards, the latest first."""
        found = [
            event
            for board in self.boards
            for event in events(board, self.rescorings.get(board.phase.slug), MAX_ENTRIES)
        ]
        return newest(found, MAX_ENTRIES)

    @cached_property
    def badged(self) -> frozenset[str]:
        """Ids of the submissions that have badges."""
        return frozenset(row.submission.id for board in self.boards for row in badged(board))

    @cached_property
    def plots(self) -> Plots | None:
        """Figures of the current board; None where there is nothing to draw."""
        return make_plots(self.current, self.prices)


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
    name: str = "pullbench"
    """Of the site."""
    address: str = ""
    """Of the site, with a slash at the end; empty where nobody said it, and then what is made
    holds relative addresses alone."""

    @property
    def forms(self) -> ForgeAddress | None:
        """The forge, where its forms are known."""
        return forge_address(self.forge, self.branch)


def clean_page(content: bytes, file: str) -> str:
    """Turn an organiser's Markdown or HTML page into HTML without scripts, styles or frames."""
    text = content.decode("utf-8-sig", "replace")
    if not file.lower().endswith((".html", ".htm")):
        text = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists"])
    return nh3.clean(text, url_schemes={"http", "https", "mailto"})


def benchmark_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """Pages of one benchmark but those of its submissions, in the order of the navigation."""
    base = content.benchmark.path
    for page in _benchmark_pages(content, site):
        below = page.path.removeprefix(base).strip("/")
        up = "../" * len(below.split("/")) if below else ""
        links = render("links.html", content=content, up=up)
        here = f'<a href="{up}{below}/">' if below else '<a href="./">'
        links = links.replace(here, here.replace("<a ", '<a aria-current="page" '))
        yield replace(page, html=links + page.html, searched=_searched(page, content))


def _searched(page: PageContent, content: BenchmarkContent) -> str:
    """Return what search goes through: no values, which stand on boards that can be searched."""
    found = f"<h1>{html.escape(page.title)}</h1>"
    if page.path == content.benchmark.path:
        found += f"<p>{html.escape(content.benchmark.description)}</p>"
    if page.path == f"{content.benchmark.path}/tasks":
        found += "".join(
            f'<h2 id="{task.slug}">{html.escape(task.name)}</h2>'
            f"<p>{html.escape(task.description)}</p>"
            for task in content.current.phase.tasks
        )
    return page.html if page.path.startswith(f"{content.benchmark.path}/pages/") else found


def _benchmark_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    benchmark = content.benchmark
    base = benchmark.path
    yield _page(base, benchmark.title, "benchmark.html", "Leaderboard", content=content, site=site,
                board=content.current, up="")  # fmt: skip
    for title, cleaned in content.pages.items():
        folder = f"{base}/pages/{slug(title) or 'page'}"
        yield PageContent(
            path=folder, title=title, navigation=title,
            html=f"<h1>{html.escape(title)}</h1>\n{_without_h1(cleaned)}\n{render('below.html')}",
        )  # fmt: skip
    ways = [
        way
        for phase in benchmark.phases
        if phase.is_open(site.now)
        for way in entries(benchmark, phase, site.forms)
    ]
    yield _page(f"{base}/submit", f"Submit to {benchmark.title}", "submit.html", "",
                content=content, site=site, entries=ways)  # fmt: skip
    yield _page(f"{base}/tasks", f"Tasks of {benchmark.title}", "tasks.html", "Tasks",
                content=content, site=site)  # fmt: skip
    if not benchmark.leaderboard.hidden:
        yield _page(f"{base}/compare", f"Compare submissions to {benchmark.title}", "compare.html",
                    "", content=content)  # fmt: skip
    yield _page(f"{base}/analysis", f"Analysis of {benchmark.title}", "analysis.html",
                "Analysis" if isinstance(content.study, Study) else "", content=content, site=site,
                study=content.study, up="../")  # fmt: skip
    if not benchmark.leaderboard.hidden:
        known = isinstance(confidence(content.current), Confidence)
        yield _page(f"{base}/confidence", f"{benchmark.title}: is the lead real?",
                    "confidence_page.html", "Is the lead real?" if known else "", content=content,
                    site=site, board=content.current, up="../")  # fmt: skip
    if content.plots:
        yield _page(f"{base}/plots", f"Plots of {benchmark.title}", "plots.html", "Plots",
                    content=content, plots=content.plots, site=site, up="../")  # fmt: skip
    if content.history.formers:
        yield _page(f"{base}/history", f"History of {benchmark.title}", "history.html", "",
                    content=content, site=site)  # fmt: skip
    for board in content.boards:
        if len(content.boards) > 1:
            yield _page(
                f"{base}/phases/{board.phase.slug}", f"{benchmark.title}: {board.phase.name}",
                "phase.html", board.phase.name, content=content, board=board, site=site,
                up="../../",
            )  # fmt: skip
    if benchmark.datasets is not None and benchmark.datasets.become == "tasks":
        yield _page(f"{base}/datasets", f"Data sets of {benchmark.title}", "datasets.html",
                    "By data set", content=content, board=content.current, site=site,
                    rows=dataset_rows(content.current, content.datasets), up="../")  # fmt: skip
    if benchmark.stages:
        yield _page(f"{base}/ablation", f"Ablation of {benchmark.title}", "ablations.html",
                    "Ablation", content=content, board=content.current, up="../")  # fmt: skip
    yield _page(f"{base}/share", f"Share {benchmark.title}", "share.html", "",
                **share_values(content, site))  # fmt: skip
    yield _page(f"{base}/submissions", f"Submissions to {benchmark.title}", "submissions.html",
                "Submissions", content=content, site=site,
                latest=[(board, *_latest(board)) for board in content.boards])  # fmt: skip


def submission_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """One page for each submission to any phase."""
    yield from dataset_pages(content, site)
    links = links_of_submission(content)
    entered = {dataset.submission.id: dataset for dataset in content.datasets}
    for name, stands in standings(content.boards).items():
        yield submission_page(content, site, stands, links, entered.get(name))


def links_of_submission(content: BenchmarkContent) -> str:
    """Links to the pages of a benchmark, as they stand on the pages of its submissions."""
    return render("links.html", content=content, up="../../../")


def dataset_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """One page for each data set that is no row of a board."""
    links = links_of_submission(content)
    for page in _dataset_pages(content, site):
        yield replace(page, html=links + page.html)


def _dataset_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    found = {row.task.slug: row for row in dataset_rows(content.current, content.datasets)}
    rows = content.shown_rows
    for dataset in content.datasets:
        item = dataset.submission
        if item.id in rows:
            continue
        yield _page(
            f"{content.benchmark.path}/submissions/{item.participant}/{item.name}",
            _by(item), "dataset.html", "", content=content,
            board=content.current, entry=dataset, site=site, up="../../../",
            row=found.get(dataset_slug(item.participant, item.name)),
        )  # fmt: skip


def submission_page(
    content: BenchmarkContent,
    site: Deployment,
    stands: Sequence[tuple[Board, Row]],
    links: str,
    entry: DatasetEntry | None,
) -> PageContent:
    """Return the page of one submission; of its boards the last counts."""
    board, row = stands[-1]  # of the last phase that it was carried on to
    submission = row.submission
    page = _page(
        f"{content.benchmark.path}/submissions/{submission.participant}/{submission.name}",
        _by(submission), "submission.html", "",
        content=content, board=board, row=row, site=site, cells=_cells(row, board),
        others=stands[:-1], entry=entry,
    )  # fmt: skip
    return replace(page, html=links + page.html)


def _by(submission: Submission) -> str:
    """Title of its page, which browsers show in tabs and lists that keep nothing apart."""
    return f"{one_line(submission.title) or submission.name} by {submission.participant}"


def standings(boards: Sequence[Board]) -> dict[str, list[tuple[Board, Row]]]:
    """Find, by a submission's id, each board on which it stands, in the order of phases."""
    found: dict[str, list[tuple[Board, Row]]] = {}
    for board in boards:
        for row in (*board.rows, *board.unlisted):
            found.setdefault(row.submission.id, []).append((board, row))
    return found


def _latest(board: Board) -> tuple[list[tuple[Row, bool]], int]:
    """Rows of a board, the latest first, each with whether it is listed; and how many are more."""
    rows = [*((row, True) for row in board.rows), *((row, False) for row in board.unlisted)]
    rows.sort(key=lambda item: item[0].submitted, reverse=True)
    return rows[:MAX_SUBMISSIONS], len(rows[MAX_SUBMISSIONS:])


def status_page(site: Deployment) -> PageContent:
    """Return the page of all that waits."""
    return _page("status", "Status", "status.html", "", waiting=site.waiting[:MAX_WAITING],
                 more=len(site.waiting[MAX_WAITING:]))  # fmt: skip


def cards(contents: Sequence[BenchmarkContent], site: Deployment) -> str:
    """Home page's card for each benchmark, and how much waits."""
    return render("cards.html", contents=contents, waiting=len(site.waiting))


def plain(text: str) -> str:
    """Text for places that MkDocs' templates do not escape: titles and the navigation."""
    return "".join(_LOOK_ALIKES.get(character, character) for character in text)


def _page(path: str, title: str, template: str, navigation: str, **values: Any) -> PageContent:
    return PageContent(
        path=path, title=title, html=render(template, **values), navigation=navigation
    )


def free_page(path: str, title: str, template: str, **values: Any) -> PageContent:
    """Return a page without an entry in the navigation, for modules that make pages."""
    return _page(path, title, template, "", **values)


def render(template: str, **values: Any) -> str:
    """Fill in a template of this package."""
    return _ENVIRONMENT.get_template(template).render(**values)


def _without_h1(cleaned: str) -> str:
    """Drop a page's own first heading; its title stands there already."""
    start = cleaned.lstrip()
    return start.partition("</h1>")[2] if start.startswith("<h1>") else cleaned


def _cells(row: Row, board: Board) -> dict[str, list[CellId]]:
    return {
        task.slug: [record.cell.id for record in row.tasks[task.slug].records]
        for task in board.tasks
    }


_ENVIRONMENT.filters.update(
    size=size,
    seconds=seconds,
    moment=moment,
    answer=answer_text,
    fact_text=fact_text,
    link_text=link_text,
    line=value_line,
)
_ENVIRONMENT.globals.update(
    ablations=ablations,
    board_folder=board_folder,
    detail_file=detail_file,
    difference=difference,
    story=story,
    rival=rival,
    shown_number=shown_number,
    states_ranks=states_ranks,
    bests=bests,
    board_facets=board_facets,
    dataset_facets=dataset_facets,
    best_method=best_method,
    conclusions=conclusions,
    confidence=confidence,
    confidence_basis=confidence_basis,
    max_lines=MAX_LINES,
    shade=shade,
    share_text=share_text,
    basis=basis,
    data_of=DATA_OF,
    difficulties=difficulties,
    drawings=drawings,
    fact=fact,
    fact_columns=fact_columns,
    findings=findings,
    goal_lines=goal_lines,
    submission_citation=submission_citation,
    detailed_task=detailed_task,
    ranking_note=ranking_note,
    row_marks=row_marks,
    span_title=span_title,
    rank_spans=rank_spans,
    verdict=verdict,
    static_rows=static_rows,
    time_limit=time_limit,
    check_claim=check_claim,
    twins=twins,
    logo_name=logo_name,
    slug=slug,
    participant=PARTICIPANT,
    name=NAME,
    usual_kind=usual_kind,
)
