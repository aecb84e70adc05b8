from evaluator.ci.steps.reports import Step
from tests.ci.steps.conftest import Forge
from tests.hostile.contest import END, HOUR, begin, enter, push, work


def attack(forge: Forge) -> Step:
    begin(forge)
    for number in range(30):
        push(forge, work(f"variant {number}"), at=END - (30 - number) * HOUR)
    return enter(forge, work("variant 7"), at=END + HOUR)
