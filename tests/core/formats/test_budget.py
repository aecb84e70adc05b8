"""Budgets of a prediction step, as numbers and words, and what of them goes into keys."""

from typing import Any

import pytest
from pydantic import ValidationError

from evaluator.core.clock import utc_now
from evaluator.core.formats.budget import Budget, budget_part
from evaluator.core.planning.cells import cells
from tests.repository import Repository

FILE = "benchmarks/adding/competition.yaml"


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ({"seconds": 5}, (5, 5)),
        ({"seconds_per_item": 0.1, "items": 600}, (60, 60)),
        ({"seconds_per_item": 0.1, "items": {0: 600, 1: 10}}, (60, 1)),
        ({"seconds_per_item": 0.1, "items": 600, "seconds": 20}, (20, 20)),
        ({"seconds": 20, "items": 10}, (20, 20)),
    ],
)
def test_the_smaller_limit_holds(given: dict[str, Any], seconds: tuple[float, float]) -> None:
    budget = Budget.model_validate(given)
    assert (budget.seconds_of(0), budget.seconds_of(1)) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "given",
    [{}, {"items": 5}, {"seconds_per_item": 1}, {"seconds": 0}, {"seconds": float("inf")},
     {"seconds_per_item": 0.1, "items": 0}],
)  # fmt: skip
def test_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Budget.model_validate(given)


def test_words() -> None:
    budget = Budget(seconds_per_item=0.1, items=600)
    assert budget.text(0) == "60 s, 0.1 s for each of 600 items"
    assert budget.used(0, 61.2) == "61.20 s, 0.102 s for each of 600 items"
    assert Budget(seconds=14400).text(0) == "14400 s"
    assert Budget(seconds=14400).used(0, 2.5) == "2.50 s"


def test_no_key_changes_where_no_budget_is_declared(small: Repository) -> None:
    assert budget_part(None, 0) == {}

    def keys() -> dict[str, str]:
        found = cells(small.snapshot(), utc_now())
        return {str(cell.id): cell.keys.prediction for cell in found}

    before = keys()
    extension = (
        "\npullbench:\n  phases: {0: {budget: {seconds: %s}, max_submissions_per_week: 1}}\n"
    )
    text = (small.path / FILE).read_text()
    small.write(FILE, text.replace("\npullbench:\n", extension % 2))
    two = keys()
    small.write(FILE, text.replace("\npullbench:\n", extension % 1.5))
    other = keys()
    for cell, key in before.items():
        same = not cell.startswith("adding/")
        assert (key == two[cell]) is same
        assert (two[cell] == other[cell]) is same
    weekly = "\npullbench:\n  phases: {0: {max_submissions_per_week: 1}}\n"
    small.write(FILE, text.replace("\npullbench:\n", weekly))
    assert keys() == before


@pytest.mark.parametrize(
    ("budget", "key", "message"),
    [
        ("{seconds: 4}", "budget", "is never reached: the phase's execution_time_limit is 3 s"),
        ("{seconds_per_item: 1, items: {0: 2}}", "budget.items", "lacks task 1"),
        ("{seconds: 2, items: {0: 1, 1: 1, 7: 1}}", "budget.items[7]", "no task of the phase"),
        ("{seconds_per_item: 1}", "budget", "needs 'items'"),
        ("{seconds_per_item: 1, item: 4}", "budget.item", "Did you mean 'items'?"),
    ],
)
def test_mistakes_in_a_bundle(small: Repository, budget: str, key: str, message: str) -> None:
    extension = f"\npullbench:\n  phases: {{0: {{budget: {budget}}}}}\n"
    small.replace(FILE, "\npullbench:\n", extension)
    found = [str(problem) for problem in small.problems() if problem.file == FILE]
    assert any(f"pullbench.phases[0].{key}:" in one and message in one for one in found), found


def test_results_have_no_budget(small: Repository) -> None:
    small.replace(FILE, "execution_time_limit: 3}", "accepts_only_result_submissions: true}")
    small.replace(FILE, "\npullbench:\n", "\npullbench:\n  phases: {0: {budget: {seconds: 2}}}\n")
    assert any("takes results alone" in str(problem) for problem in small.problems())
