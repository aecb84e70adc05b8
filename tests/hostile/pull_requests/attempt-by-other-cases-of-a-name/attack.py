from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    accepted(enter(forge, work("one", who="MALLORY")))
    return enter(forge, work("two", who="mALLORY"), number=2, at=NOON + DAY)
