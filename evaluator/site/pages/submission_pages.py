"""Pages of submissions, and of data sets that are no rows of a board.

A page of one submission must not change with every other record. So what it states of others, its
rank among them, is of the commit at which it was rendered, which it names; browsers put in its
place what ``view.json`` says now.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from evaluator.core.formats.cache import cache_key
from evaluator.core.formats.cell import Place
from evaluator.core.formats.datasets import dataset_slug
from evaluator.core.formats.plain_text import one_line
from evaluator.core.formats.record import Record
from evaluator.core.formats.repository_status import MergedPullRequest
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.scores.redaction import redact
from evaluator.site.boards.ablation import effects_of_rows
from evaluator.site.boards.datasets import dataset_rows
from evaluator.site.boards.exports.badges import is_badged
from evaluator.site.boards.timeline import failures_of
from evaluator.site.content.content import BenchmarkContent, DatasetEntry, Deployment
from evaluator.site.pages.page import LazyPage, PageContent, make_page
from evaluator.site.pages.templating import render

MAX_WHOLE = 10_000
"""Submissions of a benchmark up to which the page of each shows everything."""
NEWEST = 1000
"""Of more than those, so many that came last have such pages, and those with badges."""


def submission_pages(content: BenchmarkContent, site: Deployment) -> Iterator[LazyPage]:
    links = render("links.html", content=content, site=site, up="../../../", below="submissions")
    for page in _dataset_pages(content, site, links):
        yield LazyPage(path=page.path, facts=None, render=partial(replace, page))
    datasets = {dataset.submission.id: dataset for dataset in content.datasets}
    stands_of = standings(content.boards)
    short = _brief_submissions(content, stands_of)
    common = cache_key(
        links, content.current.phase.slug, *(repr(board.tasks) for board in content.boards)
    )
    for name, stands in stands_of.items():
        merged = content.pull_requests.get(name, ())
        pointer, entry = content.archived.get(name), datasets.get(name)
        facts = (
            common, is_badged(name, content.boards), name in short, merged,
            pointer and (pointer.at, pointer.branch, pointer.sha256, pointer.commit),
            entry and (entry.state, entry.reason, entry.successor, entry.in_phase),
            content.lineages.of(stands[-1][1].submission),
            [(facts_of_rows(board)[name], effects_of_rows(board).get(name)) for board, _ in stands],
        )  # fmt: skip
        yield LazyPage(
            path=f"{content.benchmark.path}/submissions/{name.partition('/')[2]}",
            sources=[name],
            facts=repr(facts),
            render=partial(
                submission_page, content, site, stands, links, entry, merged, brief=name in short
            ),
        )


@once_per_board
def facts_of_rows(board: PublicBoard) -> Mapping[str, str]:
    """What rows show that is neither in their own files nor made of others'."""
    columns = [column.key for column in board.columns if not column.is_relative]
    everything = len(board.tasks)
    facts = {}
    for row in (*board.rows, *board.unlisted):
        counted = "all" if len(row.counted) == everything else sorted(row.counted)
        facts[row.submission.id] = repr(
            (
                board.phase.slug, counted, row.standing, row.submission.retired,
                [row.overall.get(key) for key in columns], row.states.tobytes(),
                [one.state for one in row.variants.values()],
            )
        )  # fmt: skip
    return facts


def _dataset_pages(
    content: BenchmarkContent, site: Deployment, links: str
) -> Iterator[PageContent]:
    if not content.datasets:
        return
    rows_of_datasets = {
        row.task.slug: row for row in dataset_rows(content.current, content.datasets)
    }
    rows = content.row_ids
    for dataset in content.datasets:
        item = dataset.submission
        if item.id in rows:
            continue
        yield make_page(
            f"{content.benchmark.path}/submissions/{item.short_name}",
            title_of(item), "dataset.html", links=links, content=content,
            board=content.current, entry=dataset, site=site, up="../../../",
            row=rows_of_datasets.get(dataset_slug(item.participant, item.name)),
        )  # fmt: skip


def submission_page(
    content: BenchmarkContent,
    site: Deployment,
    stands: Sequence[tuple[PublicBoard, Row]],
    links: str,
    entry: DatasetEntry | None,
    pull_requests: Sequence[MergedPullRequest],
    *,
    brief: bool = False,
) -> PageContent:
    """A page; the last board counts, and a ``brief`` one reads no record."""
    board, row = stands[-1]  # of the last phase that it was carried on to
    if not brief and content.records is not None:
        row = _with_logs(row, board, content.records)
    submission = row.submission
    return make_page(
        f"{content.benchmark.path}/submissions/{submission.short_name}",
        title_of(submission), "brief.html" if brief else "submission.html",
        links="" if brief else links, content=content, board=board, row=row, site=site, brief=brief,
        others=stands[:-1], entry=entry, pull_requests=pull_requests,
        archived=content.archived.get(submission.id), lineage=content.lineages.of(submission),
        failures=failures_of(row, board, with_logs=not brief),
    )  # fmt: skip


def _brief_submissions(
    content: BenchmarkContent, stands: Mapping[str, Sequence[tuple[PublicBoard, Row]]]
) -> frozenset[str]:
    """Ids of submissions with short pages: neither new ones nor with badges."""
    if len(stands) <= MAX_WHOLE:
        return frozenset()
    came = sorted(stands, key=lambda name: (stands[name][-1][1].submitted or "9", name))
    return frozenset(name for name in came[:-NEWEST] if not is_badged(name, content.boards))


def title_of(submission: Submission) -> str:
    """Title of its page, which stands in tabs and lists that keep nothing apart."""
    return f"{one_line(submission.title) or submission.name} by {submission.participant}"


def standings(boards: Sequence[PublicBoard]) -> dict[str, list[tuple[PublicBoard, Row]]]:
    standing: dict[str, list[tuple[PublicBoard, Row]]] = {}
    for board in boards:
        for row in (*board.rows, *board.unlisted):
            standing.setdefault(row.submission.id, []).append((board, row))
    return standing


def _with_logs(row: Row, board: PublicBoard, records: Callable[[Place], Sequence[Record]]) -> Row:
    """A row whose records have their logs, as far as they are public, read all at once."""
    submission = row.submission
    names = (submission.benchmark, submission.participant, submission.name, board.phase.slug)
    of_tasks: dict[str, list[Record]] = defaultdict(list)
    for record in records(Place(*names)):
        of_tasks[record.cell.task].append(redact(record, board.benchmark))
    return replace(row, table=replace(row.table, load_records=lambda _, task: of_tasks[task]))
