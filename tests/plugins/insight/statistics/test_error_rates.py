"""Error rate, coverage and power of the verdict, on simulated boards."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.plugins.insight.statistics.simulate import (
    BOARDS,
    FILE,
    FIRST,
    METHODS,
    TASKS,
    TRUTHS,
    WITH_DISTANCES,
    Shape,
    shapes,
    simulate,
    table,
)

RATES = json.loads(FILE.read_text())
PAGE = Path(__file__).parents[4] / "site/readers/statistics.md"
ALL = list(shapes())
MOST = 0.05 * BOARDS + 3 * (0.05 * 0.95 * BOARDS) ** 0.5
"""Boards that may err at 5%, and three standard errors: there are more than a hundred shapes."""
QUICK = [shape for shape in ALL if shape.tasks * shape.methods <= 80]


def test_every_shape_is_there_with_its_seed() -> None:
    assert list(RATES) == [shape.name for shape in ALL]
    assert len({shape.seed for shape in ALL}) == len(ALL)
    assert {(s.tasks, s.methods) for s in ALL} == {(t, m) for t in TASKS for m in METHODS}
    assert all(RATES[shape.name][str(BOARDS)]["boards"] == BOARDS for shape in ALL)


@pytest.mark.parametrize("shape", [one for one in ALL if one.truth == "equal"], ids=str)
def test_equal_methods_are_separated_in_at_most_5_percent(shape: Shape) -> None:
    assert RATES[shape.name][str(BOARDS)]["wrong"] <= MOST


@pytest.mark.parametrize("shape", ALL, ids=str)
def test_intervals_cover_95_percent_and_are_not_merely_wide(shape: Shape) -> None:
    counts = RATES[shape.name][str(BOARDS)]
    assert counts["missed_ranks"] <= 0.06 * BOARDS * shape.methods
    if shape.kind in WITH_DISTANCES:
        assert counts["missed_distance"] <= MOST
        if shape.tasks >= 20:  # at most 98.5%
            assert counts["missed_distance"] >= 0.015 * BOARDS


@pytest.mark.parametrize("shape", [one for one in ALL if one.truth == "equal"], ids=str)
def test_what_tasks_cannot_tell_is_not_claimed_and_more_of_them_tell_more(shape: Shape) -> None:
    seen = RATES[replace(shape, truth="spread").name][str(BOARDS)]["seen"]
    assert (seen == 0) if shape.tasks < 6 else seen > 0 or shape.kind == "missing"


@pytest.mark.parametrize(
    "shape",
    [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in ALL],
    ids=str,
)
def test_the_first_boards_come_out_the_same(shape: Shape) -> None:
    assert vars(simulate(shape, FIRST)) == RATES[shape.name][str(FIRST)]


def test_the_table_is_on_the_page_that_explains_it() -> None:
    _, _, rest = PAGE.read_text().partition("<!-- simulations -->\n")
    assert rest.partition("<!-- /simulations -->")[0].strip() == table(RATES).strip()
    assert len(TRUTHS) == 3
