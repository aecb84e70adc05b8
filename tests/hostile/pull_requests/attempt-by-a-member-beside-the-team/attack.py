from evaluator.ci.steps.reports import Step
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work


def attack(forge: Forge) -> Step:
    begin(forge)
    accepted(enter(forge, work("one", who="dora"), who="dora"))
    return enter(forge, work("two", who="cats"), number=2, who="dora", at=NOON + DAY)
