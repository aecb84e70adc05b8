"""Pages and files of boards as they were."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from evaluator.board.drafts import Draft
from evaluator.board.former import Former, former_json
from evaluator.board.pages import BenchmarkContent, Deployment, PageContent, free_page, render


def former_drafts(content: BenchmarkContent, site: Deployment) -> Iterator[Draft]:
    """Yield the page of each name of each point."""
    links = links_of_former(content)
    known = content.shown_rows | {dataset.submission.id for dataset in content.datasets}
    for former in content.history.formers:
        facts = _facts(former, known)
        for folder in former.point.folders:
            path = f"{content.benchmark.path}/history/{folder}"
            yield Draft(
                path=path,
                facts=f"{links}{facts}",
                render=partial(former_page, content, site, former, path, links, known),
            )


def former_page(
    content: BenchmarkContent,
    site: Deployment,
    former: Former,
    path: str,
    links: str,
    known: Collection[str],
) -> PageContent:
    """Return the page of one point; ``known`` are ids of the submissions that have a page."""
    page = free_page(
        path, f"{content.benchmark.title}, {former.point.at:%Y-%m-%d}", "former.html",
        content=content, former=former, site=site, known=known, up="../../",
    )  # fmt: skip
    return replace(page, html=links + page.html)


def links_of_former(content: BenchmarkContent) -> str:
    """Links to the pages of a benchmark, as they stand on its former boards."""
    return render("links.html", content=content, up="../../")


def _facts(former: Former, known: Collection[str]) -> str:
    """Return all that the page shows beside the present bundle."""
    boards = [data for data in (former.data, former.before) if data is not None]
    gone = [
        name
        for data in boards
        for row in data["rows"]
        if (name := f"{data['benchmark']}/{row['participant']}/{row['submission']}") not in known
    ]
    return repr((former.point, gone)) + "".join(former_json(data).decode() for data in boards)


def former_files(content: BenchmarkContent) -> Iterator[tuple[str, bytes]]:
    """Yield each former board as JSON, at each of its addresses."""
    for former in content.history.formers:
        if former.data is not None:
            made = former_json(former.data)
            for folder in former.point.folders:
                yield f"{content.benchmark.path}/history/{folder}/board.json", made
