from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, enter
from tests.hostile.seals import begin_seals, sealed


def attack(forge: Forge) -> StepResult:
    begin_seals(forge, ", max_submissions: 1")
    accepted(enter(forge, sealed(forge, "mallory")))
    return enter(forge, sealed(forge, "mallory", "two"), number=2, at=NOON + DAY)
