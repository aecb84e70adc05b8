from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import Forge
from tests.hostile.contest import END, HOUR, begin, enter, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    push(forge, work("perhaps"), at=END - 2 * HOUR)
    push(forge, work("perhaps", more="cancelled: true\n"), at=END - HOUR)
    return enter(forge, work("perhaps"), at=END + HOUR)
