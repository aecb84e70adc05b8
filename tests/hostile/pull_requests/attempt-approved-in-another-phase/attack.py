from evaluator.ci.pull_requests.reports import Step
from tests.ci.pull_requests.conftest import NOON, Forge
from tests.hostile.contest import END, HOUR, accepted, begin, enter, finish, work


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("tuned on dev", phase="dev"), at=NOON - HOUR))
    assert finish(forge, first, NOON - HOUR).ok
    forge.merge(first, NOON - HOUR)
    return enter(forge, work("tuned on dev"), at=END + HOUR)
