"""Boards and submissions -> HTML fragments and files of the site.

Everything that a stranger wrote is text here: autoescaped by Jinja, or, for organisers' Markdown
and HTML pages, cleaned by nh3.
"""

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import markdown
import nh3

from evaluator.core.formats.quantities import slug
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content import BenchmarkContent, Deployment, PageContent
from evaluator.site.formulas import CLASS, with_formulas
from evaluator.site.insight import insight
from evaluator.site.left_out import NOTICE, attempt
from evaluator.site.overview import MAX_OPEN, benchmark_facets, listed, moved
from evaluator.site.pictures import Read, keep_attribute, with_pictures
from evaluator.site.sharing import share_values
from evaluator.site.statistics.datasets import dataset_rows
from evaluator.site.submit import entries
from evaluator.site.templating import render

BENCHMARKS = "benchmarks"
"""Folder of the list of benchmarks, and of each below it."""
SEARCH = "search"
"""Folder of the page that searches."""
MAX_SUBMISSIONS = 200
"""Lines of a board on the page of submissions: the latest."""
MAX_WAITING = 500
"""Lines of the status page; an evaluator that stands still makes one for each submission."""
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
    """Pages of one benchmark but those of its submissions, each with links to the others."""
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
    base = benchmark.path
    yield make_page(
        base,
        benchmark.title,
        "benchmark.html",
        content=content,
        site=site,
        board=content.current,
        up="",
    )
    for title, cleaned in content.pages.items():
        folder = f"{base}/pages/{slug(title) or 'page'}"
        yield PageContent(
            path=folder,
            title=title,
            html=f"<h1>{html.escape(title)}</h1>\n{_without_h1(cleaned)}\n{render('below.html')}",
        )
    yield make_page(
        f"{base}/submit",
        f"Submit to {benchmark.title}",
        "submit.html",
        content=content,
        site=site,
        further=lambda: {
            "entries": [
                way
                for phase in benchmark.phases
                if phase.is_open(site.now)
                for way in entries(benchmark, phase, site.forms)
            ]
        },
    )
    yield make_page(
        f"{base}/tasks", f"Tasks of {benchmark.title}", "tasks.html", content=content, site=site
    )
    if not benchmark.leaderboard.hidden:
        yield make_page(
            f"{base}/compare",
            f"Compare submissions to {benchmark.title}",
            "compare.html",
            content=content,
        )
    yield make_page(
        f"{base}/analysis",
        f"Analysis of {benchmark.title}",
        "analysis.html",
        content=content,
        site=site,
        study=content.study,
        up="../",
    )
    if not benchmark.leaderboard.hidden:
        yield make_page(
            f"{base}/confidence",
            f"{benchmark.title}: is the lead real?",
            "confidence_page.html",
            content=content,
            site=site,
            board=content.current,
            up="../",
            of="",
            study=content.study,
        )
    if content.plots:
        yield make_page(
            f"{base}/plots",
            f"Plots of {benchmark.title}",
            "plots.html",
            content=content,
            plots=content.plots,
            site=site,
            up="../",
            of="",
        )
    if content.history.formers:
        yield make_page(
            f"{base}/history",
            f"History of {benchmark.title}",
            "history.html",
            content=content,
            site=site,
        )
    for board in content.boards:
        if len(content.boards) > 1:
            yield make_page(
                f"{base}/phases/{board.phase.slug}",
                f"{benchmark.title}: {board.phase.name}",
                "phase.html",
                content=content,
                board=board,
                site=site,
                up="../../",
            )
            yield from _pages_of_phase(content, site, board)
    if benchmark.datasets is not None and benchmark.datasets.become == "tasks":
        yield make_page(
            f"{base}/datasets",
            f"Data sets of {benchmark.title}",
            "datasets.html",
            content=content,
            board=content.current,
            site=site,
            further=lambda: {"rows": dataset_rows(content.current, content.datasets)},
            up="../",
        )
    if benchmark.stages:
        yield make_page(
            f"{base}/ablation",
            f"Ablation of {benchmark.title}",
            "ablations.html",
            content=content,
            board=content.current,
            up="../",
        )
    yield make_page(
        f"{base}/share",
        f"Share {benchmark.title}",
        "share.html",
        further=lambda: share_values(content, site),
    )
    yield make_page(
        f"{base}/submissions",
        f"Submissions to {benchmark.title}",
        "submissions.html",
        content=content,
        site=site,
        further=lambda: {"latest": [(board, *_latest(board)) for board in content.boards]},
    )


def _pages_of_phase(
    content: BenchmarkContent, site: Deployment, board: PublicBoard
) -> Iterator[PageContent]:
    """Yield what stands beside the board of one phase, where there are several."""
    slug, name = board.phase.slug, f"{content.benchmark.title}, {board.phase.name}"
    base = f"{content.benchmark.path}/phases/{slug}"
    if slug in content.phases_with_pages and not isinstance(insight().confidence(board), str):
        yield make_page(
            f"{base}/confidence",
            f"{name}: is the lead real?",
            "confidence_page.html",
            content=content,
            site=site,
            board=board,
            up="../../../",
            study=content.phase_studies[slug],
            of=board.phase.name,
        )
    if plots := content.phase_plots.get(slug):
        yield make_page(
            f"{base}/plots",
            f"Plots of {name}",
            "plots.html",
            content=content,
            plots=plots,
            site=site,
            up="../../../",
            of=board.phase.name,
        )


def _latest(board: PublicBoard) -> tuple[list[tuple[Row, bool]], int]:
    """Rows of a board, the latest first, each with whether it is listed; and how many are more."""
    rows = [*((row, True) for row in board.rows), *((row, False) for row in board.unlisted)]
    rows.sort(key=lambda item: item[0].submitted, reverse=True)
    return rows[:MAX_SUBMISSIONS], len(rows[MAX_SUBMISSIONS:])


def status_page(site: Deployment) -> PageContent:
    page = make_page("status", "Status", "status.html", waiting=site.waiting[:MAX_WAITING],
                 more=len(site.waiting[MAX_WAITING:]), landings=site.landings,
                 withdrawn=site.withdrawn[:MAX_WAITING],
                 more_withdrawn=len(site.withdrawn[MAX_WAITING:]))  # fmt: skip
    # Where search finds no heading on a page, the theme adds one.
    return replace(page, searched="<h1>Status</h1>")


def benchmarks_page(contents: Sequence[BenchmarkContent], site: Deployment) -> PageContent:
    """Return the list of all benchmarks, with those of other deployments."""

    def further() -> Mapping[str, Any]:
        entries = listed(contents, site)
        return {"entries": entries, "facets": benchmark_facets(entries)}

    page = make_page(BENCHMARKS, "Benchmarks", "benchmarks.html", further, site=site)
    return replace(page, searched="<h1>Benchmarks</h1>")


def search_page() -> PageContent:
    return replace(make_page(SEARCH, "Search", "search.html"), searched="<h1>Search</h1>")


def home(contents: Sequence[BenchmarkContent], site: Deployment) -> str:
    """Home page's part on what is open, what moved lately, and how much waits."""
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
    **values: Any,
) -> PageContent:
    """Return the page of a template; ``path`` is its folder, ``further`` computes more values."""
    html = attempt(path, lambda: render(template, **values, **further()), NOTICE)
    return PageContent(path=path, title=title, html=html)


def _without_h1(cleaned: str) -> str:
    """Drop a page's own first heading; its title stands there already."""
    start = cleaned.lstrip()
    return start.partition("</h1>")[2] if start.startswith("<h1>") else cleaned
