from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, begin, enter, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    one, two = work("one"), work("two", name="two")
    push(forge, one)
    push(forge, two, number=2)
    return enter(forge, {**one, **two}, number=3, at=NOON + DAY)
