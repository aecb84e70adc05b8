from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work
from tests.steps import finish


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("never ends")))
    assert finish(forge.ours.path, first, None, NOON).report.state == "failed"
    return enter(forge, work("better"), number=2, at=NOON + DAY)
