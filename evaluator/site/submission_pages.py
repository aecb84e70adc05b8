"""Pages of submissions, and of data sets that are no rows of a board."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from evaluator.core.formats.datasets import dataset_slug
from evaluator.core.formats.plain_text import one_line
from evaluator.core.formats.repository_status import PullRequest
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, with_logs
from evaluator.site.content import BenchmarkContent, Deployment, PageContent
from evaluator.site.leaderboard.failed_tasks import failures_of
from evaluator.site.pages import make_page
from evaluator.site.statistics.datasets import DatasetEntry, dataset_rows
from evaluator.site.templating import render

MAX_WHOLE = 10_000
"""Submissions of a benchmark up to which the page of each shows everything."""
NEWEST = 1000
"""Of more than those, so many that came last have such pages, and those with badges."""


def links_of_submission(content: BenchmarkContent) -> str:
    return render("links.html", content=content, up="../../../", below="submissions")


def dataset_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    """One page for each data set that is no row of a board."""
    links = links_of_submission(content)
    for page in _dataset_pages(content, site):
        yield replace(page, html=links + page.html)


def _dataset_pages(content: BenchmarkContent, site: Deployment) -> Iterator[PageContent]:
    if not content.datasets:
        return
    rows_of_datasets = {
        row.task.slug: row for row in dataset_rows(content.current, content.datasets)
    }
    rows = content.shown_rows
    for dataset in content.datasets:
        item = dataset.submission
        if item.id in rows:
            continue
        yield make_page(
            f"{content.benchmark.path}/submissions/{item.participant}/{item.name}",
            title_of(item), "dataset.html", content=content,
            board=content.current, entry=dataset, site=site, up="../../../",
            row=rows_of_datasets.get(dataset_slug(item.participant, item.name)),
        )  # fmt: skip


def submission_page(
    content: BenchmarkContent,
    site: Deployment,
    stands: Sequence[tuple[PublicBoard, Row]],
    links: str,
    entry: DatasetEntry | None,
    pull_requests: Sequence[PullRequest],
    *,
    brief: bool = False,
) -> PageContent:
    """Return the page of one submission; of its boards the last counts.

    A ``brief`` one says nothing but what the board knows: no record is read for it.
    """
    board, row = stands[-1]  # of the last phase that it was carried on to
    if not brief:
        row = with_logs(row, board.benchmark, content.record)
    submission = row.submission
    page = make_page(
        f"{content.benchmark.path}/submissions/{submission.participant}/{submission.name}",
        title_of(submission), "brief.html" if brief else "submission.html",
        content=content, board=board, row=row, site=site, brief=brief,
        others=stands[:-1], entry=entry, pull_requests=pull_requests,
        archived=content.archived.get(submission.id),
        failures=failures_of(row, board, with_logs=not brief),
    )  # fmt: skip
    return page if brief else replace(page, html=links + page.html)


def archive_of(content: BenchmarkContent, name: str) -> str:
    """Say where the files of a submission are, if not here: its page depends on it."""
    pointer = content.archived.get(name)
    if pointer is None:
        return ""
    return repr((pointer.at, pointer.branch, pointer.sha256, pointer.commit))


def brief_submissions(
    content: BenchmarkContent, stands: Mapping[str, Sequence[tuple[PublicBoard, Row]]]
) -> frozenset[str]:
    """Return the submissions of a benchmark whose pages are short, by their ids.

    None of those that have badges, nor of the newest.
    """
    if len(stands) <= MAX_WHOLE:
        return frozenset()
    came = sorted(stands, key=lambda name: (stands[name][-1][1].submitted or "9", name))
    return frozenset(came[:-NEWEST]) - content.badged


def title_of(submission: Submission) -> str:
    """Title of its page, which stands in tabs and lists that keep nothing apart."""
    return f"{one_line(submission.title) or submission.name} by {submission.participant}"


def standings(boards: Sequence[PublicBoard]) -> dict[str, list[tuple[PublicBoard, Row]]]:
    """Find, by a submission's id, each board on which it stands, in the order of phases."""
    standing: dict[str, list[tuple[PublicBoard, Row]]] = {}
    for board in boards:
        for row in (*board.rows, *board.unlisted):
            standing.setdefault(row.submission.id, []).append((board, row))
    return standing
