from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import Forge
from tests.hostile.contest import END, HOUR, begin, enter, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    for number in range(30):
        push(forge, work(f"variant {number}"), at=END - (30 - number) * HOUR)
    return enter(forge, work("variant 7"), at=END + HOUR)
