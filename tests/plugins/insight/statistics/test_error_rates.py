"""Error rate, coverage and power of the verdict, on simulated boards."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.plugins.insight.statistics.simulate import (
    BOARDS,
    BROKEN,
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
PAGE = Path(__file__).parents[4] / "site/contributors/simulations.md"
ALL = list(shapes())
MOST = 0.06
"""Share of boards that may err at 5%."""
HOLD = [shape for shape in ALL if shape.kind not in BROKEN]
QUICK = [shape for shape in ALL if shape.tasks * shape.methods <= 80]


def rates(shape: Shape) -> dict[str, int]:
    counts: dict[str, int] = RATES[shape.name][str(shape.boards)]
    return counts


def test_every_shape_is_there_with_its_seed() -> None:
    assert list(RATES) == [shape.name for shape in ALL]
    assert len({shape.seed for shape in ALL}) == len(ALL)
    values = {(s.tasks, s.methods) for s in ALL if s.kind == "values"}
    assert values == {(tasks, methods) for tasks in TASKS for methods in METHODS}
    assert all(rates(shape)["boards"] == shape.boards >= BOARDS == 2000 for shape in ALL)


@pytest.mark.parametrize("shape", [one for one in HOLD if one.truth == "equal"], ids=str)
def test_equal_methods_are_separated_in_at_most_5_percent(shape: Shape) -> None:
    assert rates(shape)["wrong"] <= MOST * shape.boards


@pytest.mark.parametrize("kind", BROKEN)
def test_what_breaks_the_condition_errs_more_often(kind: str) -> None:
    """So the page has to state the condition."""
    wrong = [rates(one)["wrong"] / one.boards for one in ALL if one.kind == kind]
    assert max(wrong) > MOST


@pytest.mark.parametrize("shape", HOLD, ids=str)
def test_intervals_cover_95_percent_and_are_not_merely_wide(shape: Shape) -> None:
    counts = rates(shape)
    assert counts["missed_ranks"] <= MOST * shape.boards * shape.methods
    if shape.kind in WITH_DISTANCES:
        assert counts["missed_distance"] <= MOST * shape.boards
        if shape.tasks >= 20:  # at most 98.5%
            assert counts["missed_distance"] >= 0.015 * shape.boards


@pytest.mark.parametrize("shape", [one for one in ALL if one.truth == "equal"], ids=str)
def test_what_tasks_cannot_tell_is_not_claimed_and_more_of_them_tell_more(shape: Shape) -> None:
    seen = rates(replace(shape, truth="spread"))["seen"]
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
