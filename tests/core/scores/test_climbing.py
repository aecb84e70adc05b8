"""What a ladder shows, and what attackers and honest participants get by it.

The attacks are simulated over the functions that make records, for 10,000 labels of two classes and
1,000 attempts; `site/organisers/private-data.md` states what comes of them.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from evaluator.core.formats.extension import Ladder
from evaluator.core.scores.climbing import beside, majority_gain
from evaluator.core.scores.redaction import coarse
from tests.core.leaderboard.boards import ONE_COLUMN, make_benchmark
from tests.core.scores.test_redaction import NAME
from tests.records import make_record

LABELS, ATTEMPTS = 10_000, 1_000
BENCHMARK = make_benchmark(ONE_COLUMN)
OPEN = replace(BENCHMARK.phases[0], feedback_digits=None)
CLOSED = replace(OPEN, feedback_digits=3, ladder=Ladder(labels=LABELS))
Scorer = Callable[[float], float]


def scorer(*, closed: bool) -> Scorer:
    """Score the attempts of one participant: from an accuracy to what is shown."""
    phase, before = CLOSED if closed else OPEN, list[dict[str, float]]()

    def show(accuracy: float) -> float:
        made = make_record(NAME, scores={"a": accuracy})
        shown = coarse(beside(made, before, BENCHMARK, phase), phase)
        before.append(shown.scores)
        return shown.scores["a"]

    return show


def bits(chance: np.random.Generator, size: int) -> npt.NDArray[Any]:
    return np.unpackbits(np.frombuffer(chance.bytes(size // 8), dtype=np.uint8))


def accuracy(files: npt.NDArray[Any], truth: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Of each file on the half that the board scores, and on the other one."""
    right = (files == truth).reshape(-1, 2, LABELS)
    shares: npt.NDArray[Any] = right.mean(axis=2)
    return shares


def vote(seed: int, *, closed: bool) -> npt.NDArray[Any]:
    """Gain of the attack by Blum and Hardt: random files vote, by whether they showed over a half.

    Both halves: that of the board, and that which was never shown.
    """
    chance = np.random.default_rng(seed)
    truth = bits(chance, 2 * LABELS)
    files = bits(chance, ATTEMPTS * 2 * LABELS).reshape(ATTEMPTS, -1)
    show = scorer(closed=closed)
    signs = [1 if show(one) > 0.5 else -1 for one in accuracy(files, truth)[:, 0].tolist()]
    votes = np.array(signs, dtype=np.float32) @ (2 * files.astype(np.float32) - 1)
    ties = chance.integers(0, 2, votes.size)
    gains: npt.NDArray[Any] = accuracy(np.where(votes == 0, ties, votes > 0), truth)[0] - 0.5
    return gains


def climb(seed: int, block: int, *, closed: bool) -> npt.NDArray[Any]:
    """Gain of who flips a block of the own best file, and keeps it if the shown score rose."""
    chance = np.random.default_rng(seed)
    truth, best = bits(chance, 4 * LABELS).reshape(2, -1)
    show = scorer(closed=closed)
    first = accuracy(best, truth)[0]
    top = show(float(first[0]))
    for _ in range(ATTEMPTS - 1):
        other = best.copy()
        start = chance.integers(0, LABELS - block)  # rows are in no order
        other.reshape(2, -1)[:, start : start + block] ^= 1
        if (shown := show(float(accuracy(other, truth)[0, 0]))) > top:
            top, best = shown, other
    gains: npt.NDArray[Any] = accuracy(best, truth)[0] - first
    return gains


def season(seed: int) -> float:
    """By how much an honest participant's board is below the own best, over 50 attempts.

    Each attempt is another idea on top of the best one, worth half a point more or less.
    """
    chance = np.random.default_rng(seed)
    show, best, lost = scorer(closed=True), 0.7, list[float]()
    show(best)
    for idea in chance.normal(0, 0.005, 50):
        value = min(best + float(idea), 1)
        shown = show(value)
        best = max(best, value)
        lost.append(best - shown)
    assert CLOSED.ladder is not None
    assert max(lost) <= CLOSED.ladder.step + 0.0005  # which is as much as rounding takes
    return float(np.mean(lost))


def test_a_vote_of_random_files_gains_ten_points_where_all_is_shown() -> None:
    """And the meter predicts it."""
    board, other = np.mean([vote(seed, closed=False) for seed in range(3)], axis=0)
    assert board >= 0.09
    assert abs(board - majority_gain(ATTEMPTS, LABELS)) < 0.02
    assert majority_gain(ATTEMPTS, LABELS) == pytest.approx(0.0996, abs=5e-5)
    assert abs(other) < 0.01


def test_behind_a_ladder_it_gains_nothing() -> None:
    board, other = np.mean([vote(seed, closed=True) for seed in range(16)], axis=0)
    assert board <= 0.01
    assert abs(other) < 0.003


def test_who_flips_blocks_climbs_seven_points_where_all_is_shown() -> None:
    assert np.mean([climb(seed, 30, closed=False)[0] for seed in range(3)]) >= 0.065


def test_behind_a_ladder_he_climbs_two_points_at_most() -> None:
    """With any size of blocks; and what was never shown knows nothing of it."""
    blocks = (10, 30, 100, 300, 1000, 3000)
    gains = [[climb(seed, block, closed=True) for seed in range(4)] for block in blocks]
    board, other = np.mean(gains, axis=1).T
    assert board.max() <= 0.02
    assert abs(other.mean()) < 0.003


def test_an_honest_board_is_a_little_behind() -> None:
    assert np.mean([season(seed) for seed in range(300)]) <= 0.004
