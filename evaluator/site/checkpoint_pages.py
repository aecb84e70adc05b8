"""Pages and files of boards as they were.

``history/<point>/`` has the board of the phase that was open then, or was last; those of the other
phases that had begun are below it, in ``phases/<phase>/``.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

from evaluator.site.content import BenchmarkContent, Deployment, PageContent
from evaluator.site.lazy_pages import LazyPage
from evaluator.site.leaderboard.checkpoints import Former, former_json
from evaluator.site.pages import make_page
from evaluator.site.templating import render


def checkpoint_pages(content: BenchmarkContent, site: Deployment) -> Iterator[LazyPage]:
    """Yield the pages of each name of each point."""
    shown = content.shown_rows | {dataset.submission.id for dataset in content.datasets}
    links = {depth: links_of_former(content, depth) for depth in (2, 4)}
    for point in content.history.formers:
        boards = [point, *point.others]
        phases = repr([_phase(former) for former in boards])
        for former in boards:
            own = f"{phases}{_facts(former, shown)}"
            for path in _folders(content, point, former):
                above = links[2 if former is point else 4]
                yield LazyPage(
                    path=path,
                    facts=f"{above}{own}",
                    render=partial(former_page, content, site, former, path, above, shown, boards),
                )


def former_page(
    content: BenchmarkContent,
    site: Deployment,
    former: Former,
    path: str,
    links: str,
    known: Collection[str],
    boards: Sequence[Former],
) -> PageContent:
    """Return the page of one phase at one point.

    ``known`` are ids of the submissions that have a page; ``boards`` are all of the point, the
    first is that of the phase that was open or last.
    """
    is_first = former is boards[0]
    title = f"{content.benchmark.title}, {former.point.at:%Y-%m-%d}"
    page = make_page(
        path, title if is_first or not former.data else f"{title}: {former.data['phase_name']}",
        "former.html", content=content, former=former, site=site, known=known,
        up="../../" if is_first else "../../../../",
        phases=[
            (*_phase(one), one is former, _way(one is boards[0], is_first, _phase(one)[0]))
            for one in boards
        ] if len(boards) > 1 else [],
    )  # fmt: skip
    return replace(page, html=links + page.html)


def links_of_former(content: BenchmarkContent, depth: int = 2) -> str:
    """Links to the pages of a benchmark, as they stand on its former boards."""
    return render("links.html", content=content, up="../" * depth, below="history")


def _way(to_first: bool, from_first: bool, phase: str) -> str:
    """Return the way from one board of a point to another."""
    if from_first:
        return "./" if to_first else f"phases/{phase}/"
    return "../../" if to_first else f"../{phase}/"


def _phase(former: Former) -> tuple[str, str]:
    return (former.data["phase"], former.data["phase_name"]) if former.data else ("", "")


def _folders(content: BenchmarkContent, point: Former, former: Former) -> Iterator[str]:
    """Yield the folders of a board: one for each name of its point."""
    below = "" if former is point else f"/phases/{_phase(former)[0]}"
    for folder in point.point.folders:
        yield f"{content.benchmark.path}/history/{folder}{below}"


def _facts(former: Former, known: Collection[str]) -> str:
    """Return all that the page shows beside the present bundle and the names of phases."""
    boards = [data for data in (former.data, former.before) if data is not None]
    gone = [
        name
        for data in boards
        for row in data["rows"]
        if (name := f"{data['benchmark']}/{row['participant']}/{row['submission']}") not in known
    ]
    return repr((former.point, gone)) + "".join(former_json(one).decode() for one in boards)


def former_files(content: BenchmarkContent) -> Iterator[tuple[str, bytes]]:
    """Yield each former board as JSON, at each of its addresses."""
    for point in content.history.formers:
        for former in (point, *point.others):
            if former.data is not None:
                encoded = former_json(former.data)
                for path in _folders(content, point, former):
                    yield f"{path}/board.json", encoded
