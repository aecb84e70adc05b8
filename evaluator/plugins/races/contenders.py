"""A board and times of arrival -> each entry compared with the best that arrived before it."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np

from evaluator.core.formats.attachments import RACE_SUFFIX
from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.computed import add_computed
from evaluator.core.leaderboard.published import PublicBoard, attachments
from evaluator.core.leaderboard.table import SCORE, Floats
from evaluator.core.ranking.comparison import Two, about_these_tasks, compare_two
from evaluator.core.ranking.ranks import is_equal
from evaluator.plugins.races.accept import Accept
from evaluator.plugins.races.contender import Contender
from evaluator.plugins.races.race_file import lead_of, read_races
from evaluator.plugins.races.raced import RacedContender, content_of
from evaluator.plugins.races.succession import DatedRace, Succession

Arrival = tuple[dt.datetime, int]
"""When something came, and its place among what came at that very moment."""
_BEFORE_ALL = (dt.datetime.min.replace(tzinfo=dt.UTC), 0)


def compare(
    board: PublicBoard, arrivals: Mapping[str, Arrival] = MappingProxyType({})
) -> tuple[Contender, ...]:
    """All entries with a value in order of arrival; none where the bundle has no rule.

    ``arrivals`` are those that the ledger knows, by submission's id; else what the records say
    counts. What was reported, refused or withdrawn is no entry.
    """
    accept: Accept | None = board.benchmark.of_plugins.get("accept")
    column = board.benchmark.leaderboard.primary
    if accept is None or column not in board.columns or column.is_relative:
        return ()
    rows = [
        (arrivals.get(row.submission.id) or _by_records(row), row)
        for row in (*board.rows, *board.unlisted)
        if row.counts and not row.submission.reported and column.key in row.overall
    ]
    rows.sort(key=lambda item: (item[0], item[1].submission.id))
    if accept.rerun:
        return tuple(_raced(board, accept, rows))
    sign = -1 if column.sorting == "asc" else 1
    scores = sign * _by_repeat(board, column)
    best: Contender | None = None
    compared = []
    for arrival, row in rows:
        one = Contender(
            row=row, column=column, accept=accept, best=best, value=row.overall[column.key],
            arrived=None if arrival == _BEFORE_ALL else arrival[0],
            ask_certainty=(
                partial(_certainty, scores, row, best.row, board, accept.by)
                if best and accept.p is not None
                else None
            ),
        )  # fmt: skip
        compared.append(one)
        if best is None or ((one.margin or 0) > 0 and not is_equal(one.value, best.value)):
            best = one
    return tuple(compared)


def _raced(
    board: PublicBoard, accept: Accept, rows: Sequence[tuple[Arrival, Row]]
) -> Iterator[RacedContender]:
    """An entry that beats the holder of the record twice holds it from then on."""
    if not rows:
        return
    column = board.benchmark.leaderboard.primary
    succession = succession_of(board, [row for _, row in rows])
    first: dict[str, RacedContender] = {}
    for arrival, row in rows:
        one = RacedContender(
            row=row, column=column, accept=accept, value=row.overall[column.key],
            arrived=None if arrival == _BEFORE_ALL else arrival[0], succession=succession,
        )  # fmt: skip
        first.setdefault(content_of(row), one)
    for arrival, row in rows:
        one = first[content_of(row)]
        if row is rows[0][1]:
            yield one
            continue
        if one.row is not row:
            one = replace(one, row=row, arrived=arrival[0], is_copy=True)
        best = one.tries[-1].best if one.tries else succession.holder_at(arrival[0])
        yield replace(one, best=first[best])


def succession_of(board: PublicBoard, rows: Sequence[Row]) -> Succession:
    """Who held the record, of rows in order of arrival."""
    column, accept = board.benchmark.leaderboard.primary, board.benchmark.of_plugins["accept"]
    weights = {task.slug: task.extension.weight for task in board.tasks}
    contents = {
        row.submission.place: content_of(row) for row in rows if len(row.facts.contents) == 1
    }
    races = {}
    for cell, file in attachments(board, RACE_SUFFIX).items():
        with suppress(ValueError):
            for race, pairs in read_races(file) if cell.place in contents else ():
                one = DatedRace(
                    challenger=contents[cell.place], best=race.content, started=race.started,
                    leads=[lead_of(pair, weights, column.sorting) for pair in pairs],
                    accept=accept,
                )  # fmt: skip
                races[one.challenger, one.best, one.started] = one
    return Succession(content_of(rows[0]), races.values())


def _by_records(row: Row) -> Arrival:
    return (dt.datetime.fromisoformat(row.submitted), 0) if row.submitted else _BEFORE_ALL


def _by_repeat(board: PublicBoard, column: Column) -> Floats:
    """Values by task, row and repeat."""
    rules = board.benchmark.leaderboard
    values = {key: board.table.by_repeat(SCORE + key) for key in rules.score_keys}
    add_computed(values, rules.computed)
    return values[column.key]


def _certainty(scores: Floats, new: Row, old: Row, board: PublicBoard, by: float) -> Two:
    """Compare two rows by the repeats that both have of the tasks that make the value of both."""
    tasks = sorted({*new.counted_places} & {*old.counted_places})
    if board.benchmark.leaderboard.rule.of_first_task:
        tasks = tasks[:1]
    one, other = scores[tasks, new.place], scores[tasks, old.place]
    leads = np.where(is_equal(one, other), 0.0, one - other)
    runs = np.maximum((~np.isnan(leads)).sum(axis=1, keepdims=True), 1)
    weights = np.array([new.weights[task] for task in tasks], np.float64)[:, None]
    known = ~np.isnan(leads)
    shares = np.broadcast_to(weights / runs, leads.shape)[known]
    units = about_these_tasks(leads[known][:, None], shares, np.nonzero(known)[0])
    return compare_two(units.ravel(), shares, by)
