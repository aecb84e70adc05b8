from evaluator.ci.pull_requests.reports import Step
from tests.ci.pull_requests.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, finish, work


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("seen")))
    assert finish(forge, first).ok
    return enter(forge, work("better"), number=2, at=NOON + DAY)
