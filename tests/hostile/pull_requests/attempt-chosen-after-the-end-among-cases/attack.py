from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import Forge
from tests.hostile.contest import END, HOUR, begin, label, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first, _ = push(forge, work("one", who="Dora"), 1, "Dora", at=END - 3 * HOUR)
    push(forge, work("two", who="dora"), 2, "dora", at=END - 2 * HOUR)
    push(forge, work("three", who="cats"), 3, "dora", at=END - HOUR)
    return label(forge, first, who="Dora", at=END + HOUR)
