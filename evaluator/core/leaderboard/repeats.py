"""The repeats of each cell -> one cell of a table."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evaluator.core.formats.sums import deviation, mean, total
from evaluator.core.leaderboard.table import (
    FAILED,
    FINISHED,
    MISSING,
    SCORE,
    STALE,
    Flags,
    Floats,
    Lines,
    Places,
)


def join_repeats(lines: Lines, submissions: int, repeats: Places, at_once: Flags) -> dict[str, Any]:
    """The grids of a table, by field, from its lines; without computed columns."""
    shape = (len(repeats), submissions)
    at = lines["task"] * submissions + lines["submission"]
    count = np.bincount(at, minlength=len(repeats) * submissions).reshape(shape)

    def any_repeat(name: str) -> Flags:
        marked = np.zeros(shape, np.bool_)
        marked.flat[at[lines[name]]] = True
        return marked

    memory = np.full(shape, np.nan)
    for name in ("ingestion_memory", "scoring_memory"):
        np.fmax.at(memory.reshape(-1), at, lines[name])
    scores = {name.removeprefix(SCORE): lines[name] for name in lines if name.startswith(SCORE)}
    return {
        "states": np.select(
            [any_repeat("stale"), count < repeats[:, None], any_repeat("failed")],
            [STALE, MISSING, FAILED], FINISHED,
        ).astype(np.int8),
        "values": {key: _joined(numbers, at, shape, mean) for key, numbers in scores.items()},
        "deviations": {
            key: _joined(numbers, at, shape, deviation, least=2) for key, numbers in scores.items()
        },
        "seconds": _seconds(lines, at, count, at_once),
        "memory": memory,
        "recorded": count > 0,
    }  # fmt: skip


def _seconds(lines: Lines, at: Places, count: Places, at_once: Flags) -> Floats:
    """What all steps of all repeats took; of steps that ran at once the longest."""
    ingestion, scoring = np.nan_to_num(lines["ingestion"]), np.nan_to_num(lines["scoring"])
    together = at_once[lines["task"]]
    first = np.where(together, np.maximum(ingestion, scoring), ingestion)
    second = np.where(together, 0.0, scoring)
    with np.errstate(over="ignore"):
        both = first + second  # rounded once, as a total is
    several = (count.ravel()[at] > 1) | np.isinf(both)
    grid = np.full(count.shape, np.nan)
    grid.flat[at[~several]] = both[~several]
    parts: dict[int, list[float]] = defaultdict(list)
    for place, *steps in zip(
        at[several].tolist(), first[several].tolist(), second[several].tolist(), strict=True
    ):
        parts[place] += steps
    for place, steps in parts.items():
        grid.flat[place] = total(steps)
    return grid


def _joined(
    numbers: Floats, at: Places, shape: tuple[int, int],
    join: Callable[[Sequence[float]], float], *, least: int = 1,
) -> Floats:  # fmt: skip
    """Join the numbers of each cell that has at least so many."""
    grid = np.full(shape, np.nan)
    has_number = ~np.isnan(numbers)
    at, numbers = at[has_number], numbers[has_number]
    alone = np.bincount(at, minlength=grid.size)[at] == 1
    if least == 1:  # what is alone is its own mean
        grid.flat[at[alone]] = numbers[alone]
    several: dict[int, list[float]] = defaultdict(list)
    for place, number in zip(at[~alone].tolist(), numbers[~alone].tolist(), strict=True):
        several[place].append(number)
    for place, group in several.items():
        grid.flat[place] = join(group)
    return grid
