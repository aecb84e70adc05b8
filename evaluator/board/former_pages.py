"""Pages and files of boards as they were."""

from collections.abc import Iterator

from evaluator.board.former import former_json
from evaluator.board.pages import BenchmarkContent, Deployment, PageContent, free_page, render


def former_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """One page for each name of each point."""
    links = render("links.html", content=content, up="../../")
    known = {
        *content.shown_rows, *(dataset.submission.id for dataset in content.datasets)
    }  # fmt: skip
    for former in content.history.formers:
        title = f"{content.benchmark.title}, {former.point.at:%Y-%m-%d}"
        for folder in former.point.folders:
            page = free_page(
                f"{content.benchmark.path}/history/{folder}", title, "former.html",
                content=content, former=former, site=site, known=known, up="../../",
            )  # fmt: skip
            yield PageContent(
                path=page.path, title=page.title, html=links + page.html, navigation=""
            )


def former_files(content: BenchmarkContent) -> Iterator[tuple[str, bytes]]:
    """Yield each former board as JSON, at each of its addresses."""
    for former in content.history.formers:
        if former.data is not None:
            made = former_json(former.data)
            for folder in former.point.folders:
                yield f"{content.benchmark.path}/history/{folder}/board.json", made
