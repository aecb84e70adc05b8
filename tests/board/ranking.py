"""Rankings that both Python and the browser make: cases by hand, and random ones."""

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from evaluator.board.choice import Aggregation, Choice, Ranking

BY_HAND: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "ranking_cases.json").read_text()
)
AGGREGATIONS: tuple[Aggregation, ...] = get_args(Aggregation)
_KEYS = ("values", "weights", "ascending", "aggregation", "baseline", "ties")


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
        yield {
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


def large_case(rows: int, tasks: int, aggregation: str) -> dict[str, Any]:
    source = random.Random(rows)  # noqa: S311
    return {
        "values": [[round(source.random(), 3) for _ in range(rows)] for _ in range(tasks)],
        "weights": [source.randint(1, 9) for _ in range(tasks)],
        "ascending": False,
        "aggregation": aggregation,
        "baseline": 0,
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
