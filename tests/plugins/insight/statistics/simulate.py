"""Simulated boards of which the truth is known: how often the verdict errs, covers, and sees.

``python -m tests.plugins.insight.statistics.simulate`` writes ``error_rates.json``, from
which the table on the page for readers is made. Each shape has a seed of its own, so anybody gets
the same counts.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from evaluator.core.ranking.comparison import compare_all, join_groups
from evaluator.core.ranking.ranks import ranks
from evaluator.plugins.insight.statistics.intervals import certain_intervals, is_better
from evaluator.plugins.insight.statistics.measured import Numbers

FILE = Path(__file__).with_name("error_rates.json")
TASKS, METHODS = (1, 4, 6, 10, 20, 50), (2, 8, 20)
TRUTHS = {"equal": 0.0, "close": 0.1, "spread": 1.0}
"""How far neighbours are apart, in standard deviations of the difference on one task."""
KINDS = ("values", "skewed", "heavy tails", "ties", "mean ranks", "missing", "repeats")
LATER = ("families of 3 tasks", "failures", "rare failures of half", "skewed half")
"""Kinds of which there are fewer shapes."""
BROKEN = ("rare failures of half", "skewed half")
"""Kinds that break the condition of the test: between equal methods a difference of x is not as
likely as one of -x. They have a line in the table and no bound."""
WITH_DISTANCES = ("values", "skewed", "heavy tails", "repeats", "families of 3 tasks", "failures")
"""Kinds of which the true distances are known."""
BOARDS, FIRST = 2000, 20
"""Boards of a shape; those that the fast test simulates again."""


MORE = 6000
LARGER = (
    "values, spread, 20 tasks, 20 methods",
    "heavy tails, spread, 20 tasks, 20 methods",
    "repeats, spread, 6 tasks, 20 methods",
)
"""Shapes of which some 6% of the first 2,000 boards erred, which is chance or is not: they have
more."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What a simulated board is like."""

    kind: str
    truth: str
    tasks: int
    methods: int

    @property
    def name(self) -> str:
        """The key in the file."""
        return f"{self.kind}, {self.truth}, {self.tasks} tasks, {self.methods} methods"

    @property
    def boards(self) -> int:
        return MORE if self.name in LARGER else BOARDS

    @property
    def seed(self) -> int:
        """Another for each shape."""
        return list(shapes()).index(self)


@dataclass(kw_only=True)
class Counts:
    """Of so many boards; shares come from them."""

    boards: int = 0
    wrong: int = 0
    """Boards on which a row is called better than one that is as good or better."""
    missed_distance: int = 0
    """Boards on which some true distance of two rows is outside its interval."""
    missed_ranks: int = 0
    """Rows whose true rank is outside their interval."""
    seen: int = 0
    """Neighbours that are told apart the right way round."""


def shapes() -> Iterator[Shape]:
    """All shapes: each number of tasks and methods for plain values, some for the other kinds."""
    for kind in KINDS:
        for truth in TRUTHS:
            for tasks in TASKS if kind == "values" else (6, 20):
                for methods in METHODS:
                    yield Shape(kind=kind, truth=truth, tasks=tasks, methods=methods)
    for kind in LATER:
        for truth in TRUTHS:
            for units in (6, 20):
                for methods in METHODS[:2]:
                    tasks = 3 * units if kind.startswith("families") else units
                    yield Shape(kind=kind, truth=truth, tasks=tasks, methods=methods)


def simulate(shape: Shape, boards: int) -> Counts:
    """Simulate the first boards of a shape."""
    source = np.random.default_rng(shape.seed)
    counts = Counts()
    for _ in range(boards):
        _add(counts, shape, source)
    return counts


def draw(shape: Shape, source: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Return values by unit and method, and how good each method is."""
    true = TRUTHS[shape.truth] * np.arange(shape.methods, dtype=np.float64)[::-1]
    values = true + _noise(shape, source) + source.normal(size=(shape.tasks, 1)) * 3
    if shape.kind == "ties":
        values = np.round(values)
    if shape.kind == "missing":
        values[source.random(values.shape) < 0.1] = -np.inf  # ranks last, as on a board
    if shape.kind in ("mean ranks", "missing"):
        values = -ranks(values, "average", ascending=False)
    if shape.kind.startswith("families"):
        values, _ = join_groups(values, np.ones(shape.tasks), np.arange(shape.tasks) // 3)
    return values, true


def _add(counts: Counts, shape: Shape, source: np.random.Generator) -> None:
    values, true = draw(shape, source)
    order = np.argsort(-values.mean(axis=0), kind="stable")
    values, true = values[:, order], true[order]
    pairs = compare_all(values, np.ones(len(values)), [f"{place:02}" for place in order])
    places = np.arange(1, shape.methods + 1)
    better = is_better(pairs, places)
    low, high = certain_intervals(better, places)
    true_ranks = ranks(np.array(true, dtype=np.float64), ascending=False)
    counts.boards += 1
    counts.wrong += bool((better & (true[:, None] <= true)).any())
    if shape.kind in WITH_DISTANCES:
        limits = [pairs.against(row)[2:] for row in range(shape.methods)]
        counts.missed_distance += any(
            ((true[row] - true < low - 1e-9) | (true[row] - true > high + 1e-9)).any()
            for row, (low, high) in enumerate(limits)
        )
    counts.missed_ranks += int(((true_ranks < low) | (true_ranks > high)).sum())
    neighbours = (true[:, None] - true > 0) & (true[:, None] - true < 1.5 * TRUTHS[shape.truth])
    counts.seen += int((better & neighbours).sum())


def _noise(shape: Shape, source: np.random.Generator) -> Numbers:
    size = (shape.tasks, shape.methods)
    if shape.kind == "skewed":
        return np.asarray(source.exponential(size=size) / np.sqrt(2))
    if shape.kind == "heavy tails":
        return np.asarray(source.standard_t(3, size=size) / np.sqrt(6))
    if shape.kind == "skewed half":
        values = 0.3 * source.normal(size=size)
        values[:, ::2] = source.exponential(size=values[:, ::2].shape) - 1
        return np.asarray(values / np.sqrt(1.09))
    if "failures" in shape.kind:  # each costs five standard deviations, and the means are equal
        failed = source.random(size) < 0.08
        cost = 5.0 * (failed - 0.08)
        if shape.kind == "rare failures of half":
            cost[:, ::2] = 0.0
        return np.asarray(source.normal(size=size) / np.sqrt(2) - cost)
    if shape.kind.startswith("families"):
        both = source.normal(size=(shape.tasks // 3, shape.methods)).repeat(3, axis=0)
        own = source.normal(size=size)
        return np.asarray((np.sqrt(0.8) * both + np.sqrt(0.2) * own) / np.sqrt(2))
    if shape.kind == "repeats":
        own = source.normal(size=size) * np.sqrt(0.5)
        return np.asarray((own + source.normal(size=(5, *size)).mean(axis=0) * 1.5811) / 1.4142)
    return np.asarray(source.normal(size=size) / np.sqrt(2))


def table(rates: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Make the table for readers, in Markdown."""
    lines = [
        "| Boards | Tasks | Methods | False difference on boards of equal methods | Intervals of "
        "distances cover | Rank intervals cover | A difference of one standard deviation is seen |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in shapes():
        if one.truth == "equal" and (one.kind in ("values", *BROKEN) or one.methods == 8):
            equal, close, spread = (
                {key: count / counts["boards"] for key, count in counts.items()}
                for truth in TRUTHS
                for shape in [replace(one, truth=truth)]
                for counts in [rates[shape.name][str(shape.boards)]]
            )
            distances = f"{1 - close['missed_distance']:.1%}"
            lines.append(
                f"| {one.kind} | {one.tasks} | {one.methods} | {equal['wrong']:.1%} | "
                f"{distances if one.kind in WITH_DISTANCES else ''} | "
                f"{1 - close['missed_ranks'] / one.methods:.1%} | "
                f"{spread['seen'] / (one.methods - 1):.1%} |"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Simulate all shapes and write what came out."""
    rates = {}
    for shape in shapes():
        rates[shape.name] = {
            str(boards): vars(simulate(shape, boards)) for boards in (FIRST, shape.boards)
        }
        print(shape.name, rates[shape.name][str(shape.boards)], file=sys.stderr, flush=True)
    FILE.write_text(json.dumps(rates, indent=1) + "\n")


if __name__ == "__main__":
    main()
