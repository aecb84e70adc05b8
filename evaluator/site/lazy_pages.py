"""Pages that are rendered only where they have to be, each with what it is a function of.

A page of one submission of a large board must not change with every other record. So it gets a
board that refuses to show its rows: what would need them cannot be written, rather than be stale.
"""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import msgspec
from msgspec import structs

from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.site.content import BenchmarkContent, Deployment, PageContent
from evaluator.site.leaderboard import versus
from evaluator.site.leaderboard.versus import states_ranks
from evaluator.site.people import PEOPLE, Stand, participant_page, participants
from evaluator.site.submission_pages import (
    archive_of,
    brief_submissions,
    dataset_pages,
    links_of_submission,
    standings,
    submission_page,
)

_NEVER = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class LazyPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that can be rendered."""

    path: str
    """Folder of its index.html."""
    facts: str | None
    """All that it shows of boards beside the files of ``sources`` and the bundle; None where that
    is not known, and then it is rendered each time."""
    sources: Sequence[str] = ()
    """Ids of the submissions whose files, records among them, it shows."""
    render: Callable[[], PageContent]


class HiddenRows(Sequence[Any]):
    """Rows of a large board: that they are many is all that a page of one of them may know."""

    def __len__(self) -> int:
        return versus.MAX_STATIC_ROWS + 1

    def __getitem__(self, _: Any) -> NoReturn:
        _refuse()

    def __iter__(self) -> NoReturn:
        _refuse()


def _refuse() -> NoReturn:
    raise AssertionError(
        f"a page of one submission may not depend on other rows of a board of more than "
        f"{versus.MAX_STATIC_ROWS}: it would change with each of their records"
    )


def submission_pages(content: BenchmarkContent, site: Deployment) -> Iterator[LazyPage]:
    """Yield the page of each submission to any phase."""
    for page in dataset_pages(content, site):
        yield _always(page)
    links = links_of_submission(content)
    entered = {dataset.submission.id: dataset for dataset in content.datasets}
    alone = all(is_alone(board) for board in content.boards)
    shown = _without_rows(content) if alone else content
    at = without_clock(site) if alone else site
    boards = {board.phase.slug: board for board in shown.boards}
    facts = {board.phase.slug: _facts(board) for board in content.boards} if alone else {}
    standing = standings(content.boards)
    short = brief_submissions(content, standing)
    for name, stands in standing.items():
        shown_stands = [(boards[board.phase.slug], row) for board, row in stands]
        merged = content.pull_requests.get(name, ())
        yield LazyPage(
            path=f"{content.benchmark.path}/submissions/{name.partition('/')[2]}",
            sources=[name],
            facts="".join(
                (
                    links,
                    *site.installation,
                    str((name in content.badged, name in short)),
                    repr(merged),
                    archive_of(content, name),
                    *(facts[board.phase.slug][name] for board, _ in stands),
                )
            )
            if alone
            else None,
            render=partial(
                _submission_page,
                shown,
                at,
                shown_stands,
                links,
                entered.get(name),
                merged,
                alone=alone,
                brief=name in short,
            ),
        )


def _submission_page(
    content: BenchmarkContent, site: Deployment, stands: Sequence[tuple[PublicBoard, Row]],
    *others: Any, alone: bool, brief: bool,
) -> PageContent:  # fmt: skip
    if alone:
        stands = [(board, replace(row, rank=None)) for board, row in stands]
    return submission_page(content, site, stands, *others, brief=brief)


def participant_pages(contents: Sequence[BenchmarkContent]) -> Iterator[LazyPage]:
    hidden = {
        content.benchmark.name: _without_rows(content)
        for content in contents
        if all(is_alone(board) for board in content.boards)
    }
    for name, stands, data in participants(contents):
        alone = not data and all(stand.content.benchmark.name in hidden for stand in stands)
        yield LazyPage(
            path=f"{PEOPLE}/{name}",
            sources=[part.row.submission.id for stand in stands for part in stand.parts],
            facts="".join(_stand_facts(stands)) if alone else None,
            render=partial(_participant_page, name, stands, hidden)
            if alone
            else partial(participant_page, name, stands, data),
        )


def _participant_page(
    name: str, stands: Sequence[Stand], hidden: Mapping[str, BenchmarkContent]
) -> PageContent:
    return participant_page(name, [_stand_without_rows(stand, hidden) for stand in stands], ())


def is_alone(board: PublicBoard) -> bool:
    """Whether pages of a board's submissions depend on nothing but their own results."""
    benchmark = board.benchmark
    return not states_ranks(board) and not benchmark.stages and benchmark.datasets is None


def _always(page: PageContent) -> LazyPage:
    return LazyPage(path=page.path, facts=None, render=lambda: page)


def _without_rows(content: BenchmarkContent) -> BenchmarkContent:
    """Return a benchmark whose boards show no rows."""
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


def _stand_without_rows(stand: Stand, hidden: Mapping[str, BenchmarkContent]) -> Stand:
    content = hidden[stand.content.benchmark.name]
    slug = stand.board.phase.slug
    return replace(
        stand, content=content,
        board=next(board for board in content.boards if board.phase.slug == slug),
        parts=[structs.replace(part, row=replace(part.row, rank=None)) for part in stand.parts],
    )  # fmt: skip


def _stand_facts(stands: Sequence[Stand]) -> Iterator[str]:
    for stand in stands:
        yield f"{stand.content.benchmark.path}: {stand.content.current.phase.slug}"
        facts = _facts(stand.board)
        for part in stand.parts:
            name = part.row.submission.id
            yield name
            yield repr((part.listed, part.value, part.record))
            yield facts[name]


@once_per_board
def _facts(board: PublicBoard) -> Mapping[str, str]:
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
