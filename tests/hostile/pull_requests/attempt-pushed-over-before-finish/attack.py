from evaluator.ci.steps.finish import finish
from evaluator.ci.steps.reports import Step
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import HOUR, accepted, begin, enter, push, work


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("seen in the log")))
    folder = forge.evaluate(first)
    push(forge, work("better"), at=NOON + HOUR)
    assert finish(forge.ours.path, first, folder, NOON + HOUR).report.state == "void"
    return enter(forge, work("better"), at=NOON + 2 * HOUR)
