"""Boards as figures see them, of any size."""

import dataclasses
import datetime as dt
import math
import random
from collections.abc import Mapping

import msgspec
import numpy as np

from evaluator.core.formats.kinds.kind import Reported
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.board import Board, Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import FINISHED, MISSING, Facts, Table
from evaluator.plugins.insight.plots.entries import BoardEntries, gather
from evaluator.site.content.insight import Prices
from tests.core.leaderboard.boards import ONE_COLUMN, make_benchmark

ASC = ONE_COLUMN.replace("desc", "asc")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission with its values by task slug."""

    participant: str
    name: str
    title: str
    group: str
    submitted: str
    score: float | None
    seconds: float | None = None
    memory: int | None = None
    tasks: Mapping[str, float] = msgspec.field(default_factory=dict)


def entry(
    name: str,
    score: float | None = None,
    *,
    participant: str = "ada",
    group: str = "submission",
    day: int | None = 1,
    **more: object,
) -> Entry:
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    made = Entry(
        participant=participant, name=name, title=name.title(), group=group, score=score,
        submitted="" if day is None else (start + dt.timedelta(days=day)).isoformat(),
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def _submission(one: Entry) -> Submission:
    reported = Reported(source="A paper", url="", scores={}) if one.group == "reported" else None
    return Submission(
        benchmark="bench", participant=one.participant, name=one.name, title=one.title,
        kind_name="results", phase="main", description="", fact_sheet={}, leaderboard=True,
        reported=reported, solution="solution" if one.group == "baseline" else "",
    )  # fmt: skip


def board(
    *entries: Entry,
    columns: str = ONE_COLUMN,
    tasks: int = 1,
    baseline: str = "",
    currency: str = "",
    transposed: bool = False,
) -> BoardEntries:
    benchmark = dataclasses.replace(make_benchmark(columns), baseline=baseline)
    own = tuple(
        dataclasses.replace(benchmark.tasks[0], slug=f"t{i}", name=f"Task {i}")
        for i in range(tasks)
    )
    slugs, count = tuple(task.slug for task in own), len(entries)
    values = [[one.tasks.get(slug, math.nan) for one in entries] for slug in slugs]
    grid = np.array(values, dtype=np.float64).reshape(tasks, count)
    ran = [place for place, one in enumerate(entries) if one.seconds is not None]
    table = Table(
        submissions=tuple(map(_submission, entries)), tasks=slugs,
        repeats=np.ones(tasks, np.intp), at_once=np.zeros(tasks, np.bool_),
        lines={
            "submission": np.tile(np.array(ran, np.intp), tasks),
            "task": np.repeat(np.arange(tasks), len(ran)),
            "repeat": np.zeros(tasks * len(ran), np.intp),
            "finished": np.ones(tasks * len(ran), np.bool_),
            "queue": np.array(["default"] * tasks * len(ran), np.object_),
            "ingestion": np.tile(np.array([entries[n].seconds for n in ran], float), tasks),
            "ingestion_memory": np.tile(np.array([entries[n].memory for n in ran], float), tasks),
        },
        task_places=np.arange(tasks), submission_places=np.arange(count),
        states=np.where(np.isnan(grid), MISSING, FINISHED).astype(np.int8),
        values={"a": grid}, deviations={}, seconds=grid, memory=grid, recorded=~np.isnan(grid),
        errors={}, less={}, earlier={}, load_records=lambda *_: (),
        read_files=lambda _: {},
        facts=tuple(Facts(submitted=one.submitted) for one in entries),
    )  # fmt: skip
    rows = tuple(
        Row(
            table=table, place=place, task_slugs=slugs, weights=(1,) * tasks,
            overall={} if one.score is None else {"a": one.score}, counted=frozenset(slugs),
        )
        for place, one in enumerate(entries)
    )  # fmt: skip
    made = Board(
        benchmark=benchmark, phase=benchmark.phases[0], tasks=own, rows=rows, unlisted=(),
        full_table=table, commit=None,
    )  # fmt: skip
    prices = Prices(currency=currency, per_hour={"default": 1.0})
    shown = gather(PublicBoard(made), prices)
    assert shown is not None
    return _Transposed(board=shown.board, rows=shown.rows, prices=prices) if transposed else shown


class _Transposed(BoardEntries):
    """A board whose rows are data sets."""

    transposed = True


def large(count: int, tasks: int, seed: int = 1) -> BoardEntries:
    """A board of any size, the best first."""
    chance = random.Random(seed)  # noqa: S311
    made = []
    for i in range(count):
        skill = 1 - chance.random() ** 3 * 0.6
        values = {f"t{k}": skill + chance.gauss(0, 0.05) - k / 60 for k in range(tasks)}
        made.append(
            entry(
                f"method-{i}", sum(values.values()) / tasks, participant=f"user-{i % 997}",
                day=i // 5, tasks=values, seconds=10 ** chance.gauss(1, 0.8),
                memory=int(10 ** chance.gauss(8.5, 0.4)),
            )
        )  # fmt: skip
    made.sort(key=lambda one: -(one.score or 0))
    return board(*made, tasks=tasks, currency="EUR")
