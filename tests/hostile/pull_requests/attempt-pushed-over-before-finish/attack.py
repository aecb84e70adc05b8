from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import HOUR, accepted, begin, enter, push, work
from tests.steps import finish


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("seen in the log")))
    folder = forge.evaluate(first)
    push(forge, work("better"), at=NOON + HOUR)
    assert finish(forge.ours.path, first, folder, NOON + HOUR).report.state == "void"
    return enter(forge, work("better"), at=NOON + 2 * HOUR)
