from evaluator.ci.steps.reports import Step
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, finish, work


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("seen")))
    assert finish(forge, first).ok
    return enter(forge, work("better"), number=2, at=NOON + DAY)
