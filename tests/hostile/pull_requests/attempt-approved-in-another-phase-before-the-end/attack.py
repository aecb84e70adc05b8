from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, finish, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("tuned on dev", phase="dev"), at=NOON - DAY / 2))
    assert finish(forge, first, NOON - DAY / 2).ok
    forge.merge(first, NOON - DAY / 2)
    accepted(enter(forge, work("the final one", name="two"), at=NOON + DAY))
    return enter(forge, work("tuned on dev"), at=NOON + 2 * DAY)
