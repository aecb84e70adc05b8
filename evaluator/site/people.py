"""A page for each participant: everything that they submitted, in all benchmarks."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.content import BenchmarkContent, Deployment, LazyPage
from evaluator.site.leaderboard.comparison import board_folder, shown_primary
from evaluator.site.leaderboard.datasets import DatasetEntry
from evaluator.site.pages import make_page
from evaluator.site.submission_pages import facts_of_rows

PEOPLE = "people"
"""Folder of the pages, from the site's root."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One submission of a participant's on one board."""

    row: Row
    listed: bool
    """Whether the board lists it; else the submission rule leaves it out."""
    value: float | None
    """Of the column that ranks, over all tasks; None where there is none, or it is hidden."""
    record: bool
    """Whether the value is better than each that came before it."""


@dataclass(frozen=True, kw_only=True)
class Stand:
    """What one participant submitted to one board."""

    content: BenchmarkContent
    board: PublicBoard
    parts: Sequence[Part]
    """In the order in which they came."""

    @property
    def column(self) -> Column | None:
        return shown_primary(self.board)

    @property
    def view(self) -> str:
        return f"{board_folder(self.content.current, self.board)}/view.json"


@dataclass(frozen=True, kw_only=True)
class Data:
    """A data set of a participant's that is no row of a board."""

    content: BenchmarkContent
    entry: DatasetEntry


def participant_pages(contents: Sequence[BenchmarkContent], site: Deployment) -> Iterator[LazyPage]:
    for name, stands, data in participants(contents):
        path = f"{PEOPLE}/{name}"
        yield LazyPage(
            path=path,
            sources=[part.row.submission.id for stand in stands for part in stand.parts],
            facts="".join((*_facts(stands), *map(_data_facts, data))),
            render=partial(
                make_page, path, name, "participant.html", name=name, stands=stands, data=data,
                site=site, up="../../",
            ),
        )  # fmt: skip


def _facts(stands: Sequence[Stand]) -> Iterator[str]:
    for stand in stands:
        yield f"{stand.content.benchmark.path}: {stand.content.current.phase.slug}"
        facts = facts_of_rows(stand.board)
        is_relative = stand.column is not None and stand.column.is_relative
        for part in stand.parts:
            name = part.row.submission.id
            value = () if is_relative else (part.value, part.record)
            yield f"{name}{(part.listed, *value)!r}{facts[name]}"


def _data_facts(item: Data) -> str:
    entry = item.entry
    shown = (entry.submission.id, entry.submission.title, entry.state, entry.reason)
    return f"{item.content.benchmark.path}: {shown!r}"


def participants(
    contents: Sequence[BenchmarkContent],
) -> Iterator[tuple[str, Sequence[Stand], Sequence[Data]]]:
    stands: dict[str, list[Stand]] = defaultdict(list)
    data: dict[str, list[Data]] = defaultdict(list)
    for content in contents:
        for board in content.boards:
            for name, rows in _by_participant(board).items():
                stands[name].append(_stand(content, board, rows))
        for entry in content.datasets:
            if entry.submission.id not in content.row_ids:
                data[entry.submission.participant].append(Data(content=content, entry=entry))
    for name in sorted({*stands, *data}):
        yield name, stands.get(name, ()), data.get(name, ())


def _by_participant(board: PublicBoard) -> dict[str, list[tuple[Row, bool]]]:
    found: dict[str, list[tuple[Row, bool]]] = defaultdict(list)
    for rows, listed in ((board.rows, True), (board.unlisted, False)):
        for row in rows:
            found[row.submission.participant].append((row, listed))
    return found


def _stand(content: BenchmarkContent, board: PublicBoard, rows: list[tuple[Row, bool]]) -> Stand:
    column = shown_primary(board)
    sign = 1 if column is None or column.sorting == "desc" else -1
    best: float | None = None
    parts: list[Part] = []
    # What has no record yet came last.
    for row, listed in sorted(
        rows, key=lambda one: (one[0].submitted or "9", one[0].submission.name)
    ):
        value = row.overall.get(column.key) if column is not None else None
        better = value is not None and (best is None or sign * value > sign * best)
        if better:
            best = value
        parts.append(Part(row=row, listed=listed, value=value, record=better))
    return Stand(content=content, board=board, parts=parts)
