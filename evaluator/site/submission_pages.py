"""Pages of submissions, and of data sets that are no rows of a board.

A page of one submission of a large board must not change with every other record. So it gets a
board that refuses to show its rows: what would need them cannot be written, rather than be stale.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.datasets import dataset_slug
from evaluator.core.formats.plain_text import one_line
from evaluator.core.formats.record import Record
from evaluator.core.formats.repository_status import PullRequest
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.scores.redaction import redact
from evaluator.site.content import BenchmarkContent, Deployment, LazyPage, PageContent
from evaluator.site.leaderboard import comparison
from evaluator.site.leaderboard.comparison import states_ranks
from evaluator.site.leaderboard.datasets import DatasetEntry, dataset_rows
from evaluator.site.leaderboard.timeline import failures_of
from evaluator.site.pages import make_page
from evaluator.site.templating import render

MAX_WHOLE = 10_000
"""Submissions of a benchmark up to which the page of each shows everything."""
NEWEST = 1000
"""Of more than those, so many that came last have such pages, and those with badges."""
_NEVER = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class HiddenRows(Sequence[Any]):
    """Rows of a large board: that they are many is all that a page of one of them may know."""

    def __len__(self) -> int:
        return comparison.MAX_STATIC_ROWS + 1

    def __getitem__(self, _: Any) -> NoReturn:
        raise AssertionError(
            f"a page of one submission may not depend on other rows of a board of more than "
            f"{comparison.MAX_STATIC_ROWS}: it would change with each of their records"
        )

    def __iter__(self) -> Iterator[Any]:
        return self[0]


def submission_pages(content: BenchmarkContent, site: Deployment) -> Iterator[LazyPage]:
    links = render("links.html", content=content, up="../../../", below="submissions")
    for page in _dataset_pages(content, site, links):
        yield LazyPage(path=page.path, facts=None, render=partial(replace, page))
    datasets = {dataset.submission.id: dataset for dataset in content.datasets}
    independent = is_row_independent(content)
    shown, at = (without_rows(content), without_clock(site)) if independent else (content, site)
    boards = {board.phase.slug: board for board in shown.boards}
    stands_of = standings(content.boards)
    short = _brief_submissions(content, stands_of)
    for name, stands in stands_of.items():
        merged = content.pull_requests.get(name, ())
        pointer = content.archived.get(name)
        facts = (
            links, site.installation, name in content.badged, name in short, merged,
            pointer and (pointer.at, pointer.branch, pointer.sha256, pointer.commit),
            [facts_of_rows(board)[name] for board, _ in stands],
        ) if independent else None  # fmt: skip
        shown_stands = [
            (boards[board.phase.slug], replace(row, rank=None) if independent else row)
            for board, row in stands
        ]
        yield LazyPage(
            path=f"{content.benchmark.path}/submissions/{name.partition('/')[2]}",
            sources=[name],
            facts=None if facts is None else repr(facts),
            render=partial(
                submission_page, shown, at, shown_stands, links, datasets.get(name), merged,
                brief=name in short,
            ),
        )  # fmt: skip


def is_row_independent(content: BenchmarkContent) -> bool:
    """Whether pages of its submissions depend on nothing but their own results."""
    benchmark = content.benchmark
    ranks = any(states_ranks(board) for board in content.boards)
    return not ranks and not benchmark.stages and benchmark.datasets is None


def without_rows(content: BenchmarkContent) -> BenchmarkContent:
    hidden: Any = HiddenRows()
    boards = {
        board.phase.slug: replace(board, rows=hidden, unlisted=(), commit=None)
        for board in content.boards
    }
    return replace(
        content, current=boards[content.current.phase.slug], boards=tuple(boards.values()),
        task_boards={}, datasets=(), rescorings={}, pull_requests={},
    )  # fmt: skip


def without_clock(site: Deployment) -> Deployment:
    """Return a deployment at its branch: its commit and clock tell nothing of one submission."""
    return replace(site, commit=site.branch if site.commit else None, modified=False,
                   now=_NEVER, waiting=(), hub=())  # fmt: skip


@once_per_board
def facts_of_rows(board: PublicBoard) -> Mapping[str, str]:
    """Return what rows show that does not stand in their own files: what others made of them.

    Values on a task are its records' and the bundle's, but where they are ranks.
    """
    ranks = [column.key for column in board.benchmark.leaderboard.columns if column.ranks]
    everything = len(board.tasks)
    facts = {}
    for row in (*board.rows, *board.unlisted):
        results = [*row.variants.values(), *(row.tasks.values() if ranks else ())]
        counted = "all" if len(row.counted) == everything else sorted(row.counted)
        facts[row.submission.id] = repr(
            (
                board.phase.slug, counted, row.standing, row.submission.retired,
                row.overall, row.states.tobytes(), [one.state for one in row.variants.values()],
                [[result.values.get(key) for key in ranks] for result in results],
            )
        )  # fmt: skip
    return facts


def _dataset_pages(
    content: BenchmarkContent, site: Deployment, links: str
) -> Iterator[PageContent]:
    rows_of_datasets = {
        row.task.slug: row for row in dataset_rows(content.current, content.datasets)
    }
    rows = content.row_ids
    for dataset in content.datasets:
        item = dataset.submission
        if item.id in rows:
            continue
        yield make_page(
            f"{content.benchmark.path}/submissions/{item.participant}/{item.name}",
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
    pull_requests: Sequence[PullRequest],
    *,
    brief: bool = False,
) -> PageContent:
    """Return the page of one submission; of its boards the last counts.

    A ``brief`` one says nothing but what the board knows: no record is read for it.
    """
    board, row = stands[-1]  # of the last phase that it was carried on to
    if not brief:
        row = _with_logs(row, board.benchmark, content.record)
    submission = row.submission
    return make_page(
        f"{content.benchmark.path}/submissions/{submission.participant}/{submission.name}",
        title_of(submission), "brief.html" if brief else "submission.html",
        links="" if brief else links, content=content, board=board, row=row, site=site, brief=brief,
        others=stands[:-1], entry=entry, pull_requests=pull_requests,
        archived=content.archived.get(submission.id),
        failures=failures_of(row, board, with_logs=not brief),
    )  # fmt: skip


def _brief_submissions(
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
    standing: dict[str, list[tuple[PublicBoard, Row]]] = {}
    for board in boards:
        for row in (*board.rows, *board.unlisted):
            standing.setdefault(row.submission.id, []).append((board, row))
    return standing


def _with_logs(row: Row, benchmark: Benchmark, record: Callable[[CellId], Record | None]) -> Row:
    """Return a row of a published board whose records have their logs, as far as they are public.

    ``record`` reads a record with its logs; where it finds none the row's own stays.
    """
    loaded: dict[str, list[Record]] = {}

    def load(submission: Submission, task: str) -> list[Record]:
        if task not in loaded:
            records = row.table.load_records(submission, task)
            whole = (record(short.cell) for short in records)
            loaded[task] = [
                short if one is None else redact(one, benchmark)
                for short, one in zip(records, whole, strict=True)
            ]
        return loaded[task]

    return replace(row, table=replace(row.table, load_records=load))
