from evaluator.ci.pull_requests.reports import Step
from tests.ci.pull_requests.conftest import NOON, Forge
from tests.hostile.contest import END, HOUR, begin, enter, push, work


def attack(forge: Forge) -> Step:
    begin(forge)
    push(forge, work("waiting", phase="dev"), at=NOON - HOUR)
    return enter(forge, work("waiting"), at=END + HOUR)
