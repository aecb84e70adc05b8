from evaluator.ci.pull_requests import Step
from tests.hostile.contest import END, HOUR, begin, enter, push, work
from tests.pull_requests.conftest import Forge


def attack(forge: Forge) -> Step:
    begin(forge)
    push(forge, work("perhaps"), at=END - 2 * HOUR)
    push(forge, work("perhaps", more="cancelled: true\n"), at=END - HOUR)
    return enter(forge, work("perhaps"), at=END + HOUR)
