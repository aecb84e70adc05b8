"""Rankings that both Python and the browser make: cases by hand, and random ones."""

import json
import math
import random
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

from evaluator.core.leaderboard.board import Board
from tests.core.leaderboard.oracle import Aggregation, Choice, Ranking

BY_HAND: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "ranking_cases.json").read_text()
)
AGGREGATIONS: tuple[Aggregation, ...] = get_args(Aggregation)
_KEYS = {field.name for field in fields(Choice)}


def choice(case: dict[str, Any]) -> Choice:
    return Choice(**{key: case[key] for key in _KEYS if key in case})


def random_cases(count: int, seed: int = 8) -> Iterator[dict[str, Any]]:
    """Small boards of few distinct values, so that ties are many, with what is hard to compute."""
    source = random.Random(seed)  # noqa: S311
    pools = (
        [0.1, 0.2, 0.3, 0.25, 0.5],
        [0.0, -0.0, 1.0, -1.0, 3.0, None],
        [1e308, -1e308, 1.7e308, 5e-324, 1.0, None, math.nan],
        None,
    )
    for _ in range(count):
        pool = source.choice(pools)
        rows, tasks = source.randint(1, 9), source.randint(1, 6)
        case = {
            "values": [
                [source.choice(pool) if pool else source.gauss(0.5, 0.2) ** 2 for _ in range(rows)]
                for _ in range(tasks)
            ],
            "weights": [source.choice((0, 1, 1, 2, 3, 0.1, source.random())) for _ in range(tasks)],
            "ascending": source.random() < 0.5,
            "aggregation": source.choice(AGGREGATIONS),
            "baseline": source.choice((None, source.randrange(rows))),
            "ties": source.choice(("average", "competition", "dense")),
        }
        yield case | (_rules(source, rows, tasks) if source.random() < 0.5 else {})


def metrics_cases(count: int) -> Iterator[tuple[list[dict[str, Any]], list[float]]]:
    """Cases of two metrics on the same rows and tasks, with a weight for each metric."""
    for one, two in zip(random_cases(count, 1), random_cases(count, 2), strict=True):
        rows = min(len(one["values"][0]), len(two["values"][0]))
        tasks = min(len(one["values"]), len(two["values"]))
        for case in (one, two):
            for key in ("values", "weights", "uncounted"):
                case[key] = case.get(key, [])[:tasks]
            case["weights"] = one["weights"]
            case["values"] = [column[:rows] for column in case["values"]]
            case["uncounted"] = [[r for r in some if r < rows] for some in case["uncounted"]]
            case["breakers"] = [(own[:rows], less) for own, less in case.get("breakers", [])]
            case["baseline"] = case["baseline"] and min(case["baseline"], rows - 1)
            if case.get("placed"):
                case["placed"] = [row for row in case["placed"] if row < rows]
        yield [one, two], [1, one["weights"][0]]


def _rules(source: random.Random, rows: int, tasks: int) -> dict[str, Any]:
    """Return rules of a board at random."""
    numbers = (0.1, 0.14, 0.15, 0.25, 2.5, None)
    some = list(range(rows))
    return {
        "missing": source.choice((None, "last", "last+1", "worst", "midrank")),
        "decimals": source.choice((None, None, 0, 1, 2)),
        "uncounted": source.choice((
            [], [[row for row in some if source.random() < 0.2] for _ in range(tasks)],
        )),
        "breakers": [
            ([source.choice(numbers) for _ in some], source.random() < 0.5)
            for _ in range(source.randint(0, 2))
        ],
        "dense": source.random() < 0.3,
        "placed": source.choice((None, sorted(source.sample(some, source.randint(1, rows))))),
    }  # fmt: skip


def own_choice(board: Board) -> Choice:
    """Return the choice that is the board's own: all its tasks, its metric, its aggregation."""
    rules = board.benchmark.leaderboard
    metric = rules.ranked_by or rules.primary
    ranks = rules.aggregate == "mean_rank"
    rows = [row for row in board.rows if row.counts]
    tasks = board.tasks
    return Choice(
        values=[
            [
                row.tasks[task.slug].values.get(metric.key)
                if row.tasks[task.slug].state == "finished"
                else None
                for row in rows
            ]
            for task in tasks
        ],
        weights=[task.extension.weight for task in tasks],
        ascending=metric.sorting == "asc",
        aggregation="mean_rank" if ranks else "mean",
        ties=rules.ranking.ties if ranks else "average",
        missing=rules.ranking.missing if ranks else None,
        decimals=rules.ranking.decimals,
        uncounted=[
            [at for at, row in enumerate(rows) if task.slug not in row.counted] for task in tasks
        ],
        breakers=[
            ([row.overall.get(column.key) for row in rows], column.sorting == "asc")
            for column in rules.sorting_columns[1:]
        ],
        dense=rules.ranking.ties == "dense",
        placed=[at for at, row in enumerate(rows) if row in board.rows],
    )


def own_ranks(board: Board) -> list[int | None]:
    """Return the ranks of the rows that ``own_choice`` ranks."""
    return [row.rank for row in board.rows if row.counts]


def large_case(rows: int, tasks: int, aggregation: str) -> dict[str, Any]:
    source = random.Random(rows)  # noqa: S311
    return {
        "values": [[round(source.random(), 3) for _ in range(rows)] for _ in range(tasks)],
        "weights": [source.randint(1, 9) for _ in range(tasks)],
        "ascending": False,
        "aggregation": aggregation,
        "baseline": 0,
    }


def with_own_tasks(case: dict[str, Any]) -> dict[str, Any]:
    """Return a case in which every third row brought a task, which does not count for it."""
    tasks = len(case["values"])
    return case | {
        "uncounted": [
            [
                row
                for row in range(len(case["values"][0]))
                if row % 3 == 0 and row // 3 % tasks == at
            ]
            for at in range(tasks)
        ]
    }


def check(found: Ranking, values: list[float | None], ranks: list[int | None], name: str) -> None:
    """Compare ranks exactly, and values to 1e-12 of their size; None is NaN."""
    assert list(found.ranks) == ranks, name
    assert len(found.values) == len(values), name
    for own, other in zip(found.values, values, strict=True):
        missing = other is None or math.isnan(other)
        assert math.isnan(own) == missing, (name, found.values, values)
        if other is not None and not missing:
            assert math.isclose(own, other, rel_tol=1e-12), (name, found.values, values)
