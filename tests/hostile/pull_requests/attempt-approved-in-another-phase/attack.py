from evaluator.ci.pull_requests import Step
from tests.hostile.contest import END, HOUR, accepted, begin, enter, finish, work
from tests.pull_requests.conftest import NOON, Forge


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("tuned on dev", phase="dev"), at=NOON - HOUR))
    assert finish(forge, first, NOON - HOUR).ok
    forge.merge(first, NOON - HOUR)
    return enter(forge, work("tuned on dev"), at=END + HOUR)
