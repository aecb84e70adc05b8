from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import END, HOUR, begin, enter, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    push(forge, work("waiting", phase="dev"), at=NOON - HOUR)
    return enter(forge, work("waiting"), at=END + HOUR)
