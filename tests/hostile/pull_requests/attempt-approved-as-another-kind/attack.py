from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import Forge
from tests.hostile.contest import accepted, begin, enter, finish, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    first = accepted(enter(forge, work("both a program and predictions")))
    assert finish(forge, first).ok
    forge.merge(first)
    return enter(forge, work("both a program and predictions", kind="results"))
