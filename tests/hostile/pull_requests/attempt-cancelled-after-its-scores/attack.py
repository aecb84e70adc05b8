from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, finish, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("seen")))
    assert finish(forge, first).ok
    cancelled, _ = push(forge, work("seen", more="cancelled: true\n"), at=NOON + DAY)
    forge.merge(cancelled, NOON + DAY)
    return enter(forge, work("better", name="two"), number=2, at=NOON + 2 * DAY)
