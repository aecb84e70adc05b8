"""Boards and submissions -> HTML fragments and files of the site.

Everything that a stranger wrote is text here: autoescaped by Jinja, or, for organisers' Markdown
and HTML pages, cleaned by nh3.
"""

import datetime as dt
import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import markdown
import nh3

from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import slug
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content import BenchmarkContent, Deployment, PageContent
from evaluator.site.facets import Choice, Facet, Facets
from evaluator.site.formulas import CLASS, with_formulas
from evaluator.site.insight import insight
from evaluator.site.leaderboard.datasets import dataset_rows
from evaluator.site.leaderboard.events import Event, newest
from evaluator.site.left_out import NOTICE, attempt
from evaluator.site.pictures import Read, keep_attribute, with_pictures
from evaluator.site.sharing import share_values
from evaluator.site.submit import entries
from evaluator.site.templating import render

BENCHMARKS = "benchmarks"
SEARCH = "search"
MAX_SUBMISSIONS = 200
"""Lines of a board on the page of submissions: the latest."""
MAX_WAITING = 500
"""Lines of the status page; an evaluator that stands still makes one for each submission."""
MAX_OPEN = 12
"""Benchmarks that the home page names as open; the list has all."""
MAX_MOVED = 8
"""Events on the home page; the feed has more."""
_STATES = ("open", "starts later", "ended", "published results")
_LOOK_ALIKES = {"<": "\u2039", ">": "\u203a", "&": "+", '"': "'"}


def clean_page(content: bytes, file: str, read: Read) -> str:
    """Turn an organiser's Markdown or HTML page into HTML without scripts, styles or frames.

    ``read`` returns files of the bundle, for the page's pictures.
    """
    text = content.decode("utf-8-sig", "replace")
    is_html = file.lower().endswith((".html", ".htm"))
    if not is_html:
        text = markdown.markdown(
            text,
            extensions=["tables", "fenced_code", "sane_lists", "pymdownx.arithmatex"],
            extension_configs={"pymdownx.arithmatex": {"generic": True}},
        )
    cleaned = nh3.clean(
        text,
        url_schemes={"http", "https", "mailto", "data"},
        attribute_filter=keep_attribute,
        tag_attribute_values={name: {"class": {CLASS}} for name in ("div", "span")},
    )
    return with_pictures(with_formulas(cleaned, everywhere=is_html), file, read)


def benchmark_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    base = content.benchmark.path
    for page in _benchmark_pages(content, site):
        below = page.path.removeprefix(base).strip("/")
        up = "../" * len(below.split("/")) if below else ""
        links = render("links.html", content=content, up=up, below=below)
        yield replace(page, html=links + page.html, searched=_searched(page, content))


def _searched(page: PageContent, content: BenchmarkContent) -> str:
    """Return what search goes through: no values, which stand on boards that can be searched."""
    parts = f"<h1>{html.escape(page.title)}</h1>"
    if page.path == content.benchmark.path:
        parts += f"<p>{html.escape(content.benchmark.description)}</p>"
    if page.path == f"{content.benchmark.path}/tasks":
        parts += "".join(
            f'<h2 id="{task.slug}">{html.escape(task.name)}</h2>'
            f"<p>{html.escape(task.description)}</p>"
            for task in content.current.phase.tasks
        )
    return page.html if page.path.startswith(f"{content.benchmark.path}/pages/") else parts


def _benchmark_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    benchmark = content.benchmark
    base, title = benchmark.path, benchmark.title
    hidden = benchmark.leaderboard.hidden

    def page(
        path: str,
        title: str,
        template: str,
        further: Callable[[], Mapping[str, Any]] = dict,
        **values: Any,
    ) -> PageContent:
        values = {
            "content": content,
            "site": site,
            "board": content.current,
            "of": "",
            "up": "../" * path.count("/"),
            **values,
        }
        return make_page(f"{base}{path}", title, template, further, **values)

    def ways() -> Mapping[str, Any]:
        open_phases = [phase for phase in benchmark.phases if phase.is_open(site.now)]
        offered = [way for phase in open_phases for way in entries(benchmark, phase, site.forms)]
        return {"entries": offered}

    yield page("", title, "benchmark.html")
    for name, cleaned in content.pages.items():
        yield PageContent(
            path=f"{base}/pages/{slug(name) or 'page'}",
            title=name,
            html=f"<h1>{html.escape(name)}</h1>\n{_without_h1(cleaned)}\n{render('below.html')}",
        )
    yield page("/submit", f"Submit to {title}", "submit.html", ways)
    yield page("/tasks", f"Tasks of {title}", "tasks.html")
    if not hidden:
        yield page("/compare", f"Compare submissions to {title}", "compare.html")
    yield page("/analysis", f"Analysis of {title}", "analysis.html", study=content.study)
    if not hidden:
        lead = f"{title}: is the lead real?"
        yield page("/confidence", lead, "confidence_page.html", study=content.study)
    if content.plots:
        yield page("/plots", f"Plots of {title}", "plots.html", plots=content.plots)
    if content.history.boards:
        yield page("/history", f"History of {title}", "history.html")
    for board in content.boards if len(content.boards) > 1 else ():
        folder, of = f"/phases/{board.phase.slug}", board.phase.name
        yield page(folder, f"{title}: {of}", "phase.html", board=board)
        yield from _pages_of_phase(page, content, board, folder)
    if benchmark.datasets is not None and benchmark.datasets.become == "tasks":
        rows = partial(dataset_rows, content.current, content.datasets)
        yield page("/datasets", f"Data sets of {title}", "datasets.html", lambda: {"rows": rows()})
    if benchmark.stages:
        yield page("/ablation", f"Ablation of {title}", "ablations.html")
    yield make_page(
        f"{base}/share", f"Share {title}", "share.html", partial(share_values, content, site)
    )
    yield page(
        "/submissions",
        f"Submissions to {title}",
        "submissions.html",
        lambda: {"latest": [(board, *_latest(board)) for board in content.boards]},
    )


def _pages_of_phase(
    page: Callable[..., PageContent], content: BenchmarkContent, board: PublicBoard, folder: str
) -> Iterator[PageContent]:
    slug, name = board.phase.slug, f"{content.benchmark.title}, {board.phase.name}"
    values = {"board": board, "of": board.phase.name}
    if slug in content.phases_with_pages and not isinstance(insight().confidence(board), str):
        yield page(
            f"{folder}/confidence",
            f"{name}: is the lead real?",
            "confidence_page.html",
            study=content.phase_studies[slug],
            **values,
        )
    if plots := content.phase_plots.get(slug):
        yield page(f"{folder}/plots", f"Plots of {name}", "plots.html", plots=plots, **values)


def _latest(board: PublicBoard) -> tuple[list[tuple[Row, bool]], int]:
    rows = [*((row, True) for row in board.rows), *((row, False) for row in board.unlisted)]
    rows.sort(key=lambda item: item[0].submitted, reverse=True)
    return rows[:MAX_SUBMISSIONS], len(rows[MAX_SUBMISSIONS:])


def status_page(site: Deployment) -> PageContent:
    page = make_page("status", "Status", "status.html", waiting=site.waiting[:MAX_WAITING],
                 more=len(site.waiting[MAX_WAITING:]), unreviewed=site.unreviewed,
                 withdrawn=site.withdrawn[:MAX_WAITING],
                 more_withdrawn=len(site.withdrawn[MAX_WAITING:]))  # fmt: skip
    # Where search finds no heading on a page, the theme adds one.
    return replace(page, searched="<h1>Status</h1>")


def benchmarks_page(contents: Sequence[BenchmarkContent], site: Deployment) -> PageContent:
    def further() -> Mapping[str, Any]:
        entries = listed(contents, site)
        return {"entries": entries, "facets": benchmark_facets(entries)}

    page = make_page(BENCHMARKS, "Benchmarks", "benchmarks.html", further, site=site)
    return replace(page, searched="<h1>Benchmarks</h1>")


def search_page() -> PageContent:
    return replace(make_page(SEARCH, "Search", "search.html"), searched="<h1>Search</h1>")


def home(contents: Sequence[BenchmarkContent], site: Deployment) -> str:
    open_now = [entry for entry in listed(contents, site) if entry.state == "open"]
    return render("home.html", entries=open_now[:MAX_OPEN], count=len(contents), site=site,
                  events=moved(contents), waiting=len(site.waiting))  # fmt: skip


def plain(text: str) -> str:
    """Text for places that MkDocs' templates do not escape: titles."""
    return "".join(_LOOK_ALIKES.get(character, character) for character in text)


def make_page(
    path: str,
    title: str,
    template: str,
    further: Callable[[], Mapping[str, Any]] = dict,
    *,
    links: str = "",
    **values: Any,
) -> PageContent:
    """Render a page; ``further`` computes more values, ``links`` go above it."""
    html = attempt(path, lambda: render(template, **values, **further()), NOTICE)
    return PageContent(path=path, title=title, html=links + html)


def _without_h1(cleaned: str) -> str:
    """Drop a page's own first heading; its title stands there already."""
    start = cleaned.lstrip()
    return start.partition("</h1>")[2] if start.startswith("<h1>") else cleaned


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One benchmark in a list of them."""

    content: BenchmarkContent
    state: str
    phase: Phase
    """The open one that ends first; else the one that its board shows."""
    changed: dt.datetime | None
    """When its boards last moved, as far as that is public."""

    @property
    def entered(self) -> int:
        return len(self.content.current.rows) + len(self.content.current.unlisted)

    @property
    def answers(self) -> dict[str, str]:
        return {"state": self.state, "tag": " ".join(self.content.benchmark.tags)}


def listed(contents: Sequence[BenchmarkContent], site: Deployment) -> list[Listed]:
    """Return all benchmarks, those first that are open, of these those first that end first."""
    entries = [_listed(content, site.now) for content in contents]
    return sorted(entries, key=lambda entry: (_STATES.index(entry.state), *_end(entry)))


def _listed(content: BenchmarkContent, now: dt.datetime) -> Listed:
    phases = content.benchmark.phases
    open_now = [phase for phase in phases if phase.is_open(now)]
    later = any(not phase.has_started(now) for phase in phases)
    first = min(open_now, key=_end_of, default=content.current.phase)
    return Listed(
        content=content,
        state="published results"
        if content.current.phase.only_reported
        else "open"
        if open_now
        else "starts later"
        if later
        else "ended",
        phase=first,
        changed=content.events[0].at if content.events else None,
    )


def _end(entry: Listed) -> tuple[float, str]:
    ends = _end_of(entry.phase) if entry.state == "open" else 0.0
    return ends, entry.content.benchmark.title.casefold()


def _end_of(phase: Phase) -> float:
    return phase.end.timestamp() if phase.end else float("inf")


def benchmark_facets(entries: Sequence[Listed]) -> Facets:
    facets = []
    counts = {state: sum(entry.state == state for entry in entries) for state in _STATES}
    if sum(map(bool, counts.values())) > 1:
        choices = tuple(Choice(value=name, count=n) for name, n in counts.items() if n)
        facets.append(Facet(name="state", title="State", choices=choices))
    if any(entry.content.benchmark.tags for entry in entries):
        facets.append(Facet(name="tag", title="Tags", choices=()))
    return Facets(facets=tuple(facets), names={}, rows=len(entries))


def moved(contents: Sequence[BenchmarkContent]) -> list[tuple[BenchmarkContent, Event]]:
    by_name = {event.name: content for content in contents for event in content.events}
    events = newest([event for content in contents for event in content.events], MAX_MOVED)
    return [(by_name[event.name], event) for event in events]
