"""What the one comparison promises, each claim as a simulation of which the truth is known.

``python -m tests.core.ranking.claims`` writes ``claims.json``, from which the table on the page for
readers is made. A claim has a seed of its own, so anybody gets the same counts.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluator.core.ranking.comparison import (
    ALPHA,
    about_these_tasks,
    compare_all,
    compare_two,
    join_groups,
)
from evaluator.core.ranking.proportion import proportion

FILE = Path(__file__).with_name("claims.json")
Floats = npt.NDArray[np.float64]
Random = np.random.Generator


@dataclass(frozen=True, kw_only=True)
class Claim:
    """How often something may happen at most, or must happen at least."""

    name: str
    seed: int
    happens: Callable[[Random], bool]
    few: int
    """Trials of the fast test."""
    many: int
    """Trials of the table."""
    most: float = 1.0
    least: float = 0.0

    def count(self, trials: int) -> int:
        source = np.random.default_rng(self.seed)
        return sum(bool(self.happens(source)) for _ in range(trials))

    def holds(self, count: int, trials: int) -> bool:
        """Whether a count is within two standard errors of the bounds."""
        share = count / trials
        room = [2 * (end * (1 - end) / trials) ** 0.5 for end in (self.least, self.most)]
        return bool(self.least - room[0] <= share <= self.most + room[1])


def claims() -> Iterator[Claim]:
    weights = {
        "10, 1, 1": [10, 1, 1], "20, 1, 1, 1, 1": [20, 1, 1, 1, 1], "10, eleven 1": [10] + [1] * 11,
    }  # fmt: skip
    for name, shares in weights.items():
        for level in (0.05, 0.01):
            yield Claim(
                name=f"record: equal programs, weights {name}, p {level}",
                seed=10 * len(shares) + (level == 0.01),
                happens=partial(_false_record, np.array(shares, float), 1, level, _normal),
                few=1000, many=20_000, most=level,
            )  # fmt: skip
    for repeats in (2, 3):
        yield Claim(
            name=f"record: pass or fail, one task, {repeats} repeats, p 0.01", seed=100 + repeats,
            happens=partial(_false_record, np.ones(1), repeats, 0.01, _outcomes),
            few=1000, many=20_000, most=0.001,
        )  # fmt: skip
    for name, shares in (("10, 1, 1", [10, 1, 1]), ("1, 1, 1", [1, 1, 1])):
        yield Claim(
            name=f"season of 200 equal entries, 3 x 3, weights {name}, p 0.01", seed=110,
            happens=partial(_false_season, np.array(shares, float), 3), few=150, many=2000,
            most=0.02,
        )  # fmt: skip
    for rows, few, many in ((100, 60, 500), (300, 20, 200), (600, 0, 100), (2000, 0, 40)):
        yield Claim(
            name=f"board of {rows:,} equal rows, 8 tasks", seed=120 + rows,
            happens=partial(_false_board, rows), few=few, many=many, most=0.05,
        )  # fmt: skip
    for lead in range(4):
        yield Claim(
            name=f"distance of two, 10 groups of which one has half, lead {lead}", seed=130 + lead,
            happens=partial(_covers_two, lead), few=500, many=10_000, least=0.94, most=0.96,
        )  # fmt: skip
        yield Claim(
            name=f"all distances of five, 10 groups of which one has half, lead {lead}",
            seed=140 + lead, happens=partial(_covers_all, lead), few=100, many=2000, least=0.94,
        )  # fmt: skip
    for samples, groups, runs, chance, likeness in (
        (200, 4, 4, 0.3, 0.3), (200, 6, 4, 0.3, 0.3), (200, 10, 4, 0.05, 0.2),
        (200, 20, 4, 0.3, 0.3), (20, 0, 1, 0.05, 0.0), (50, 0, 4, 0.02, 0.5), (20, 0, 4, 0.0, 0.0),
    ):  # fmt: skip
        where = f"{groups} groups" if groups else "no groups"
        yield Claim(
            name=f"share: {samples} samples, {where}, {runs} runs, chance {chance}",
            seed=150 + samples + groups + runs,
            happens=partial(_covers_share, samples, groups, runs, chance, likeness),
            few=200, many=4000, least=0.94,
        )  # fmt: skip
    yield Claim(
        name="families: 6 of 3 tasks, with group", seed=160,
        happens=partial(_false_families, 6, 3), few=500, many=10_000, most=0.06,
    )  # fmt: skip
    yield Claim(
        name="families: 8 of 2 tasks, with group", seed=161,
        happens=partial(_false_families, 8, 2), few=500, many=10_000, most=0.06,
    )  # fmt: skip
    for tasks in (7, 12):
        yield Claim(
            name=f"lognormal times, {tasks} tasks, by ratio", seed=170 + tasks,
            happens=partial(_false_times, tasks), few=500, many=10_000, most=0.06,
        )  # fmt: skip
    yield Claim(
        name="5 tasks of 60 samples that differ, about these tasks", seed=180,
        happens=_covers_these, few=50, many=2000, least=0.94, most=0.96,
    )  # fmt: skip


def _normal(source: Random, shape: tuple[int, int]) -> Floats:
    return source.normal(size=shape)


def _outcomes(source: Random, shape: tuple[int, int]) -> Floats:
    return np.asarray(source.random(shape) < 0.5, np.float64)


def _p_of_record(new: Floats, old: Floats, weights: Floats) -> float:
    shares = np.repeat(weights / new.shape[1], new.shape[1])
    return compare_two((new - old).ravel(), shares).p_more


def _false_record(
    weights: Floats, repeats: int, level: float,
    draw: Callable[[Random, tuple[int, int]], Floats], source: Random,
) -> bool:  # fmt: skip
    new, old = (draw(source, (len(weights), repeats)) for _ in range(2))
    return _p_of_record(new, old, weights) <= level


def _false_season(weights: Floats, repeats: int, source: Random) -> bool:
    """Only an entry ahead of the best before it is asked for p, and for 0.4 of 0.01."""
    entries = source.normal(size=(200, len(weights), repeats))
    best = entries[0]
    values = entries.mean(axis=2) @ (weights / weights.sum())
    top = values[0]
    for entry, value in zip(entries[1:], values[1:], strict=True):
        if value > top:
            if _p_of_record(entry, best, weights) <= 0.004:
                return True
            best, top = entry, value
    return False


def _false_board(rows: int, source: Random) -> bool:
    pairs = compare_all(source.normal(size=(8, rows)), np.ones(8))
    return any((pairs.against(row)[0] <= ALPHA).any() for row in range(rows))


HALF = np.array([9.0] + [1.0] * 9)


def _covers_two(lead: float, source: Random) -> bool:
    two = compare_two(lead + source.normal(size=10), HALF)
    return two.low <= lead <= two.high


def _covers_all(lead: float, source: Random) -> bool:
    true = lead * np.arange(5.0)
    pairs = compare_all(true + source.normal(size=(10, 5)), HALF)
    limits = [pairs.against(row)[2:] for row in range(5)]
    return all(
        ((low <= true[row] - true) & (true[row] - true <= high)).all()
        for row, (low, high) in enumerate(limits)
    )


def _covers_share(
    samples: int, groups: int, runs: int, chance: float, likeness: float, source: Random
) -> bool:
    of = np.arange(samples) % (groups or samples)
    level = np.full(groups or samples, chance)
    if likeness and chance:
        spread = (1 - likeness) / likeness
        level = source.beta(chance * spread, (1 - chance) * spread, len(level))
    rates = source.binomial(runs, level[of]) / runs
    where = of if groups else None
    _, low, high = proportion(rates, np.ones(samples), where, samples * runs)
    return low <= chance <= high


def _false_families(families: int, tasks: int, source: Random) -> bool:
    """Tasks of one family have four fifths of their variance in common."""
    of = np.repeat(np.arange(families), tasks)
    both = np.sqrt(0.8) * source.normal(size=families)[of]
    values = (both + np.sqrt(0.2) * source.normal(size=len(of)))[:, None]
    joined, shares = join_groups(values, np.ones(len(of)), of)
    return compare_two(joined[:, 0], shares).p <= ALPHA


def _false_times(tasks: int, source: Random) -> bool:
    times = np.exp(source.normal(size=(tasks, 2)) * (0.2, 1.0))
    logs = np.log(times)
    return compare_two(logs[:, 0] - logs[:, 1], np.ones(tasks)).p <= ALPHA


def _covers_these(source: Random) -> bool:
    effects = np.array([3.0, -3.0, 3.0, -3.0, 0.0]) + 0.3
    of = np.repeat(np.arange(5), 60)
    values = (effects[of] + source.normal(size=300))[:, None]
    two = compare_two(about_these_tasks(values, np.ones(300), of)[:, 0], np.ones(300))
    return bool(two.low <= effects.mean() <= two.high)


def table(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Make the table for readers, in Markdown."""
    lines = ["| What is simulated | How often | Promised |", "|---|---|---|"]
    for claim in claims():
        share = counts[claim.name]["many"] / claim.many
        ends = [f"at least {claim.least:.0%}"] * (claim.least > 0)
        ends += [f"at most {claim.most:.1%}"] * (claim.most < 1)
        lines.append(f"| {claim.name} | {share:.2%} | {', '.join(ends)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Simulate all claims and write how often each came true."""
    counts = {}
    for claim in claims():
        counts[claim.name] = {"few": claim.count(claim.few), "many": claim.count(claim.many)}
        print(claim.name, counts[claim.name], claim.many, file=sys.stderr, flush=True)
    FILE.write_text(json.dumps(counts, indent=1) + "\n")


if __name__ == "__main__":
    main()
