"""Boards and submissions -> HTML fragments and files of the site.

Everything that a stranger wrote is text here: autoescaped by Jinja, or, for organisers' Markdown
and HTML pages, cleaned by nh3.
"""

import html
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from evaluator.core.formats.quantities import slug
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.planning.deadlines import with_more_time
from evaluator.core.planning.rules import entry_rules
from evaluator.site.boards.datasets import dataset_rows
from evaluator.site.content.content import BenchmarkContent, Deployment
from evaluator.site.content.insight import Missing, insight
from evaluator.site.pages.page import PageContent, make_page
from evaluator.site.pages.sharing import share_values
from evaluator.site.pages.submit import entries
from evaluator.site.pages.templating import render

SEARCH = "search"
MAX_SUBMISSIONS = 200
"""Lines of a board on the page of submissions: the latest."""
MAX_WAITING = 500
"""Lines of the status page; an evaluator that stands still makes one for each submission."""


def benchmark_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    base, slugs = content.benchmark.path, {board.phase.slug for board in content.boards}
    for page in _benchmark_pages(content, site):
        below = page.path.removeprefix(base).strip("/")
        up = "../" * len(below.split("/")) if below else ""
        is_board = not below or below.removeprefix("phases/") in slugs
        links = (
            "" if is_board else render("links.html", content=content, site=site, up=up, below=below)
        )
        yield replace(page, html=links + page.html, searched=_searched(page, content))


def _searched(page: PageContent, content: BenchmarkContent) -> str:
    """What search goes through: no values, which stand on boards that can be searched."""
    parts = f"<h1>{html.escape(page.title)}</h1>"
    if page.path in (content.benchmark.path, f"{content.benchmark.path}/about"):
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
            "below": path.strip("/"),
            **values,
        }
        return make_page(f"{base}{path}", title, template, further, **values)

    def ways() -> Mapping[str, Any]:
        open_phases = [
            phase for phase in benchmark.phases
            if with_more_time(benchmark, phase).is_open(site.now)
        ]  # fmt: skip
        terms = content.file(benchmark.terms) or b""
        return {
            "entries": [
                way for phase in open_phases
                for way in entries(benchmark, phase, site.forms, terms)
            ],
            "rules": entry_rules(benchmark, [p for p in benchmark.phases if not p.only_reported]),
        }  # fmt: skip

    yield page("", title, "benchmark.html")
    for name, cleaned in content.pages.items():
        yield PageContent(
            path=f"{base}/pages/{slug(name) or 'page'}",
            title=name,
            html=f"<h1>{html.escape(name)}</h1>\n{_without_h1(cleaned)}\n{render('below.html')}",
        )
    yield page("/about", f"About {title}", "about.html")
    yield page("/submit", f"Submit to {title}", "submit.html", ways)
    yield page("/tasks", f"Tasks of {title}", "tasks.html")
    if not hidden:
        yield page("/compare", f"Compare submissions to {title}", "compare.html")
    yield from _analysis_pages(page, content)
    if content.history.boards:
        yield page("/history", f"History of {title}", "history.html")
    for path, shown in content.further_pages.items():
        yield page(f"/{path}", f"{shown.name} of {title}", "tables.html", page=shown)
    for board in content.boards if len(content.boards) > 1 else ():
        folder, of = f"/phases/{board.phase.slug}", board.phase.name
        yield page(folder, f"{title}: {of}", "phase.html", board=board)
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


def _analysis_pages(
    page: Callable[..., PageContent], content: BenchmarkContent
) -> Iterator[PageContent]:
    """Yield the analysis of each phase, and pages at its former addresses."""
    title, shown = content.benchmark.title, not content.benchmark.leaderboard.hidden
    analyses = [("", title, content.current, content.study, content.plots, shown)]
    for phase, board in content.phases_with_pages.items():
        shown = not isinstance(insight().confidence(board), Missing)
        name, study = f"{title}, {board.phase.name}", content.phase_studies[phase]
        plots = content.phase_plots.get(phase)
        analyses.append((f"/phases/{phase}", name, board, study, plots, shown))
    for folder, name, board, study, plots, certain in analyses:
        of = board.phase.name if folder else ""
        if not folder or plots or certain:
            heading, values = f"Analysis of {name}", {"board": board, "of": of, "study": study}
            yield page(f"{folder}/analysis", heading, "analysis.html", plots=plots, **values)
        if certain:
            yield page(f"{folder}/confidence", f"{name}: is the lead real?", "moved.html")
        if plots:
            yield page(f"{folder}/plots", f"Plots of {name}", "moved.html")


def _latest(board: PublicBoard) -> tuple[list[tuple[Row, bool]], int]:
    rows = [*((row, True) for row in board.rows), *((row, False) for row in board.unlisted)]
    rows.sort(key=lambda item: item[0].submitted, reverse=True)
    return rows[:MAX_SUBMISSIONS], len(rows[MAX_SUBMISSIONS:])


def status_page(site: Deployment) -> PageContent:
    page = make_page("status", "Status", "status.html", waiting=site.waiting[:MAX_WAITING],
                 more=len(site.waiting[MAX_WAITING:]), unreviewed=site.unreviewed,
                 withdrawn=site.withdrawn[:MAX_WAITING],
                 more_withdrawn=len(site.withdrawn[MAX_WAITING:]), queue=site.queue)  # fmt: skip
    # Where search finds no heading on a page, the theme adds one.
    return replace(page, searched="<h1>Status</h1>")


def search_page() -> PageContent:
    return replace(make_page(SEARCH, "Search", "search.html"), searched="<h1>Search</h1>")


def _without_h1(cleaned: str) -> str:
    """Drop a page's own first heading; its title stands there already."""
    start = cleaned.lstrip()
    return start.partition("</h1>")[2] if start.startswith("<h1>") else cleaned
