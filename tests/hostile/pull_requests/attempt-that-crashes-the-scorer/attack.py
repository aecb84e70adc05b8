from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, finish_failed, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("malformed")))
    assert not finish_failed(forge, first, Actor.ORGANISER, Reason.SCORER_FAILED).ok
    return enter(forge, work("malformed otherwise"), number=2, at=NOON + DAY)
