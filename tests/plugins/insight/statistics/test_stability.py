"""Random weightings of tasks: evenly drawn, and fewer for large boards."""

import numpy as np
import pytest

from evaluator.plugins.insight.statistics.stability import enough, weightings


def test_weightings_are_flat() -> None:
    drawn = np.array(list(weightings(3, 4000)))
    assert drawn.sum(axis=1) == pytest.approx(np.ones(4000), abs=1e-15)
    assert drawn.min() >= 0
    # Of a flat Dirichlet distribution of three: mean 1/3, variance 1/18, each weight above t
    # with probability (1 - t)^2.
    assert drawn.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=0.01)
    assert drawn.var(axis=0) == pytest.approx([1 / 18] * 3, abs=0.003)
    for threshold in (0.1, 0.5, 0.9):
        share = (drawn > threshold).mean(axis=0)
        assert share == pytest.approx([(1 - threshold) ** 2] * 3, abs=0.02)
    assert list(weightings(1, 2)) == [[1.0], [1.0]]
    assert list(weightings(3, 5)) == list(weightings(3, 9))[:5]


def test_large_boards_are_asked_less() -> None:
    assert enough(10, 5) == 1000
    assert enough(10_000, 20) == 100
    assert enough(1_000_000, 20) == 50
