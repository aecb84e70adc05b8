"""Boards as figures see them, of any size."""

import dataclasses
import datetime as dt
import math
import random
from collections.abc import Mapping

import msgspec
import numpy as np

from evaluator.plugins.insight.plots.entries import BoardEntries, Entry
from tests.core.leaderboard.boards import ONE_COLUMN, make_benchmark

ASC = ONE_COLUMN.replace("desc", "asc")


class Told(Entry, frozen=True, kw_only=True):
    """One submission with its values by task slug."""

    tasks: Mapping[str, float] = msgspec.field(default_factory=dict)


def entry(
    name: str,
    score: float | None = None,
    *,
    participant: str = "ada",
    group: str = "submission",
    day: int | None = 1,
    **more: object,
) -> Told:
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    made = Told(
        participant=participant, name=name, title=name.title(), group="submission", listed=True,
        submitted="" if day is None else (start + dt.timedelta(days=day)).isoformat(),
        rank=None, score=score, seconds=None, memory=None, cost=None,
    )  # fmt: skip
    return msgspec.structs.replace(made, group=group, **more)


def board(
    *entries: Told,
    columns: str = ONE_COLUMN,
    tasks: int = 1,
    baseline: str = "",
    currency: str = "",
    transposed: bool = False,
    failures: Mapping[str, int] | None = None,
) -> BoardEntries:
    benchmark = make_benchmark(columns)
    own = tuple(
        dataclasses.replace(benchmark.tasks[0], slug=f"t{i}", name=f"Task {i}")
        for i in range(tasks)
    )
    values = [[one.tasks.get(task.slug, math.nan) for one in entries] for task in own]
    return BoardEntries(
        values=np.array(values, dtype=np.float64).reshape(len(own), len(entries)),
        title="T", phase="Main", primary=benchmark.leaderboard.primary,
        compared=benchmark.leaderboard.primary, tasks=own, entries=entries,
        failures={task.slug: 0 for task in own} | dict(failures or {}),
        missing={task.slug: 0 for task in own}, baseline=baseline, currency=currency,
        transposed=transposed,
    )  # fmt: skip


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
                memory=int(10 ** chance.gauss(8.5, 0.4)), cost=10 ** chance.gauss(-3, 0.5),
            )
        )  # fmt: skip
    made.sort(key=lambda one: -(one.score or 0))
    return board(*made, tasks=tasks, currency="EUR")
