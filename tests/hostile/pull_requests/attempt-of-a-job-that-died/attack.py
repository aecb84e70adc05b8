from evaluator.ci.steps.finish import finish
from evaluator.ci.steps.reports import Step
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("never ends")))
    assert finish(forge.ours.path, first, None, NOON).report.state == "failed"
    return enter(forge, work("better"), number=2, at=NOON + DAY)
