from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, finish, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("seen")))
    assert finish(forge, first).ok
    return enter(forge, work("better"), number=2, at=NOON + DAY)
