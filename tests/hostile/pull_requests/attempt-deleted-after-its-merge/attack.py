from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, begin, enter, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first, _ = push(forge, work("seen"))
    forge.merge(first)
    gone, _ = push(forge, {"submissions/adding/mallory/one": None}, at=NOON + DAY)
    forge.merge(gone, NOON + DAY)
    return enter(forge, work("better", name="two"), number=2, at=NOON + 2 * DAY)
