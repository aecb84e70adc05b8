from evaluator.ci.steps.reports import Step
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import END, HOUR, begin, enter, push, work


def attack(forge: Forge) -> Step:
    begin(forge)
    push(forge, work("waiting", phase="dev"), at=NOON - HOUR)
    return enter(forge, work("waiting"), at=END + HOUR)
