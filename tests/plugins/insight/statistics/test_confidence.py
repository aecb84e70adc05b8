"""How far an order can be trusted, computed here or by another process."""

import csv
import io
import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata

from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.ranking.comparison import compare_all
from evaluator.plugins.insight.statistics.confidence import (
    Confidence,
    basis,
    confidence,
    confidence_csv,
)
from evaluator.plugins.insight.statistics.intervals import intervals
from evaluator.plugins.insight.statistics.measured import measure
from evaluator.plugins.insight.statistics.stability import enough, stability, weightings
from evaluator.site.content.insight import Missing
from tests.core.leaderboard.tables import table_board
from tests.plugins.insight.statistics.test_intervals import random_table

MANY = random_table(3, 24, 8)


@pytest.mark.parametrize(
    "board",
    [
        table_board(MANY),
        table_board({"ada/one": [0.5], "bob/two": [0.25]}),  # nothing can be concluded
        table_board({"ada/one": [0.5, 0.25]}),
        table_board(
            {"ada/one": [[0.5, 0.25]], "bob/two": [[0.5, 0.75]]},
            extra="pullbench: {repeats: 2}\n",
        ),
    ],
    ids=["many", "one task", "one row", "one task, two repeats"],
)
def test_what_another_process_computed_is_what_this_one_would(board: PublicBoard) -> None:
    there, here = replace(board), replace(board)
    stability.store(here, pickle.loads(pickle.dumps(stability(there))))  # noqa: S301 - our own
    expected, found = confidence(board), confidence(here)
    if isinstance(expected, Missing):
        assert found == expected
        return
    assert isinstance(found, Confidence)
    assert repr(found.lines) == repr(expected.lines)
    assert found.intervals.rows == expected.intervals.rows
    assert confidence_csv(found) == confidence_csv(expected)


def test_ranks_over_weightings_are_those_of_each() -> None:
    board = table_board(MANY)
    found, made = confidence(board), measure(board)
    assert isinstance(found, Confidence)
    assert not isinstance(made, Missing)
    weights = np.array(list(weightings(made.tasks, enough(made.values.shape[-1], made.tasks))))
    ranks = rankdata(-made.by_tasks(weights), method="min", axis=1)
    stable = found.stable
    assert stable is not None and stable.weightings == len(weights)
    for place, line in enumerate(found.lines):
        own = ranks[:, place]
        assert (stable.low[place], stable.high[place]) == (own.min(), own.max())
        assert stable.first[place] == pytest.approx((own == 1).mean())
        assert stable.same[place] == pytest.approx((own == line.row.rank).mean())


def test_what_is_turned_is_said() -> None:
    found = confidence(table_board(MANY))
    assert isinstance(found, Confidence)
    for units, rows, said in (
        (20, 3, "turned in 4,000 random ways, of all pairs together. A pair"),
        (8, 2, "turned in all 128 ways. A pair"),
        (1500, 3, "of all pairs together, and those of every 1,000th of the samples alike. A pair"),
    ):
        pairs = compare_all(np.random.default_rng(1).normal(size=(units, rows)), np.ones(units))
        certain = replace(found.intervals, pairs=pairs, units=units, noun="samples")
        assert said in " ".join(basis(replace(found, intervals=certain)))


def test_the_file_has_a_line_for_each_row() -> None:
    board = table_board(MANY)
    found, drawn = confidence(board), intervals(board)
    assert isinstance(found, Confidence)
    assert not isinstance(drawn, Missing)
    lines = list(csv.DictReader(io.StringIO(confidence_csv(found))))
    assert [int(line["rank"]) for line in lines] == [row.rank for row in drawn.rows]
    first = drawn.rows[0].submission
    beaten = [line[f"wins_{first.participant}/{first.name}"] for line in lines]
    assert beaten[0] == ""
    assert [float(share) for share in beaten[1:20]] == drawn.wins[1:20, 0].tolist()
    assert set(beaten[20:]) == {""}
    assert found.stable is not None
    assert [float(line["weighted_same"]) for line in lines] == found.stable.same.tolist()
