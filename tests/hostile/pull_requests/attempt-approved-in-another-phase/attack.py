from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import END, HOUR, accepted, begin, enter, finish, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("tuned on dev", phase="dev"), at=NOON - HOUR))
    assert finish(forge, first, NOON - HOUR).ok
    forge.merge(first, NOON - HOUR)
    return enter(forge, work("tuned on dev"), at=END + HOUR)
