from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import HOUR, accepted, begin, enter, work


def attack(forge: Forge) -> StepResult:
    begin(forge, "max_submissions_per_day: 1")
    accepted(enter(forge, work("one")))
    assert not enter(forge, work("two", name="two"), number=2, at=NOON + HOUR).ok
    again = work("two", name="three", more="description: Another\n")
    return enter(forge, again, number=2, at=NOON + 2 * HOUR)
