from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    accepted(enter(forge, work("one", who="dora"), who="dora"))
    return enter(forge, work("two", who="cats"), number=2, who="dora", at=NOON + DAY)
