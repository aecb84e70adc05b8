"""The browser's rankings are Python's: shared cases, in a real browser."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from evaluator.plugins.insight.statistics.stability import weightings
from evaluator.site.pages import benchmark_pages
from tests.core.leaderboard.oracle import Ranking, rank, rank_metrics, stability
from tests.core.leaderboard.ranking import (
    AGGREGATIONS,
    BY_HAND,
    check,
    choice,
    large_case,
    metrics_cases,
    random_cases,
    with_own_tasks,
)
from tests.site.conftest import serving

pytestmark = pytest.mark.browser
ASSETS = Path(benchmark_pages.__file__).parent / "assets"
RANK = """async (cases) => {
  const { rank } = await import("/ranking.js");
  return cases.map((one) => rank(one));
}"""
METRICS = """async (cases) => {
  const { rankMetrics } = await import("/ranking.js");
  return cases.map(([inputs, weights]) => rankMetrics(inputs, weights));
}"""
STABILITY = """async ([cases, count]) => {
  const { stability } = await import("/stability.js");
  return cases.map(([inputs, weights]) => stability(inputs, weights, count));
}"""
WEIGHTINGS = """async ([tasks, count]) => {
  const { weightings } = await import("/stability.js");
  return Array.from(weightings(tasks, count));
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    found = context.new_page()
    with serving(ASSETS) as address:
        found.goto(f"{address}ranking.js")
        yield found
    context.close()


def same(found: dict[str, Any], expected: Ranking, name: str) -> None:
    values = [None if math.isnan(value) else value for value in found["values"]]
    check(expected, values, found["ranks"], name)
    assert found["ascending"] == expected.ascending, name


def test_cases_by_hand(page: Page) -> None:
    found = page.evaluate(RANK, BY_HAND)
    assert len(found) == len(BY_HAND) > 30
    for case, one in zip(BY_HAND, found, strict=True):
        expected = rank(choice(case))
        same(one, expected, case["name"])
        check(expected, case["expected"], case["ranks"], case["name"])


@pytest.mark.slow
def test_random_cases(page: Page) -> None:
    cases = list(random_cases(3000))
    found = page.evaluate(RANK, cases)
    ties = 0
    for case, one in zip(cases, found, strict=True):
        expected = rank(choice(case))
        same(one, expected, str(case))
        placed = [place for place in expected.ranks if place]
        ties += len(set(placed)) < len(placed)
    assert ties > 300


def test_several_metrics(page: Page) -> None:
    cases = list(metrics_cases(400))
    found = page.evaluate(METRICS, cases)
    for (inputs, weights), got in zip(cases, found, strict=True):
        same(got, rank_metrics([choice(one) for one in inputs], weights), str(inputs))


@pytest.mark.parametrize("tasks", [1, 2, 20])
def test_weightings_are_the_same(page: Page, tasks: int) -> None:
    assert page.evaluate(WEIGHTINGS, [tasks, 100]) == list(weightings(tasks, 100))


@pytest.mark.slow
def test_stability_is_ranking_again_and_again(page: Page) -> None:
    alone = [*random_cases(600, 3), *(large_case(300, 7, name) for name in AGGREGATIONS)]
    alone += [with_own_tasks(large_case(120, 7, name)) for name in AGGREGATIONS]
    cases: list[tuple[list[dict[str, Any]], list[float]]] = [([one], [1.0]) for one in alone]
    cases += metrics_cases(300)
    for case in (case for cases_of_one, _ in cases for case in cases_of_one):
        if case["aggregation"] == "geometric_mean":  # whose logarithms are what is compared
            case["decimals"] = None
    assert sum(any(any(one.get("uncounted", ())) for one in case[0]) for case in cases) > 150
    found = page.evaluate(STABILITY, [cases, 40])
    for (inputs, weights), one in zip(cases, found, strict=True):
        expected = stability([choice(case) for case in inputs], weights, 40)
        for key, values in one.items():
            own = [None if math.isnan(value) else value for value in getattr(expected, key)]
            assert own == values, (key, inputs, weights)


def test_weights_that_are_none(page: Page) -> None:
    told = page.evaluate(
        """async (input) => {
          const { rank } = await import("/ranking.js");
          try { rank(input); } catch (error) { return `${error.name}: ${error.message}`; }
        }""",
        {"values": [[1]], "weights": [-1], "ascending": True, "aggregation": "mean"},
    )
    assert told == "RangeError: weights are finite numbers that are not negative"


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
def test_large_boards_are_ranked_alike(page: Page, aggregation: str) -> None:
    case = large_case(5000, 20, aggregation)
    (found,) = page.evaluate(RANK, [case])
    same(found, rank(choice(case)), aggregation)
