"""Boards and submissions -> HTML fragments and files of the site.

Everything that a stranger wrote is text here: autoescaped by Jinja, or, for organisers' Markdown
and HTML pages, cleaned by nh3.
"""

import html
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import markdown
import nh3

from evaluator.board.analysis.study import Study
from evaluator.board.confidence import Confidence, confidence
from evaluator.board.content import BenchmarkContent, Deployment, PageContent
from evaluator.board.datasets import DatasetEntry, dataset_rows
from evaluator.board.leaderboard import Board, Row
from evaluator.board.plain_text import one_line
from evaluator.board.sharing import share_values
from evaluator.board.submit import entries
from evaluator.board.templating import render
from evaluator.board.whole import with_whole_records
from evaluator.formats.cell import CellId
from evaluator.formats.datasets import dataset_slug
from evaluator.formats.pull_requests import PullRequest
from evaluator.formats.quantities import slug
from evaluator.formats.submission import Submission

MAX_SUBMISSIONS = 200
"""Lines of a board on the page of submissions: the latest."""
MAX_WAITING = 500
"""Lines of the status page; an evaluator that stands still makes one for each submission."""
_LOOK_ALIKES = {"<": "\u2039", ">": "\u203a", "&": "+", '"': "'"}


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
                    site=site, board=content.current, up="../", of="",
                    study=content.study)  # fmt: skip
    if content.plots:
        yield _page(f"{base}/plots", f"Plots of {benchmark.title}", "plots.html", "Plots",
                    content=content, plots=content.plots, site=site, up="../", of="")  # fmt: skip
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
            yield from _pages_of_phase(content, site, board)
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


def _pages_of_phase(
    content: BenchmarkContent, site: Deployment, board: Board
) -> Iterator[PageContent]:
    """Yield what stands beside the board of one phase, where there are several."""
    slug, name = board.phase.slug, f"{content.benchmark.title}, {board.phase.name}"
    base = f"{content.benchmark.path}/phases/{slug}"
    if slug in content.looked_into and isinstance(confidence(board), Confidence):
        yield _page(f"{base}/confidence", f"{name}: is the lead real?", "confidence_page.html", "",
                    content=content, site=site, board=board, up="../../../",
                    study=content.phase_studies[slug], of=board.phase.name)  # fmt: skip
    if plots := content.phase_plots.get(slug):
        yield _page(f"{base}/plots", f"Plots of {name}", "plots.html", "", content=content,
                    plots=plots, site=site, up="../../../", of=board.phase.name)  # fmt: skip


def submission_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """One page for each submission to any phase."""
    yield from dataset_pages(content, site)
    links = links_of_submission(content)
    entered = {dataset.submission.id: dataset for dataset in content.datasets}
    for name, stands in standings(content.boards).items():
        merged = content.pull_requests.get(name, ())
        yield submission_page(content, site, stands, links, entered.get(name), merged)


def links_of_submission(content: BenchmarkContent) -> str:
    """Links to the pages of a benchmark, as they stand on the pages of its submissions."""
    return render("links.html", content=content, up="../../../")


def dataset_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """One page for each data set that is no row of a board."""
    links = links_of_submission(content)
    for page in _dataset_pages(content, site):
        yield replace(page, html=links + page.html)


def _dataset_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    if not content.datasets:
        return
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
    pull_requests: Sequence[PullRequest],
) -> PageContent:
    """Return the page of one submission; of its boards the last counts."""
    board, short = stands[-1]  # of the last phase that it was carried on to
    row = with_whole_records(short, board, content.record)
    submission = row.submission
    page = _page(
        f"{content.benchmark.path}/submissions/{submission.participant}/{submission.name}",
        _by(submission), "submission.html", "",
        content=content, board=board, row=row, site=site, cells=_cells(row, board),
        others=stands[:-1], entry=entry, pull_requests=pull_requests,
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
    page = _page("status", "Status", "status.html", "", waiting=site.waiting[:MAX_WAITING],
                 more=len(site.waiting[MAX_WAITING:]), landings=site.landings,
                 withdrawn=site.withdrawn[:MAX_WAITING],
                 more_withdrawn=len(site.withdrawn[MAX_WAITING:]))  # fmt: skip
    # Where search finds no heading on a page, the theme adds one.
    return replace(page, searched="<h1>Status</h1>")


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


def _without_h1(cleaned: str) -> str:
    """Drop a page's own first heading; its title stands there already."""
    start = cleaned.lstrip()
    return start.partition("</h1>")[2] if start.startswith("<h1>") else cleaned


def _cells(row: Row, board: Board) -> dict[str, list[CellId]]:
    return {
        task.slug: [record.cell.id for record in row.tasks[task.slug].records]
        for task in board.tasks
    }
