from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, begin, collect, enter, push, work
from tests.repository import BRANCH


def attack(forge: Forge) -> StepResult:
    begin(forge)
    start = forge.ours.git("rev-parse", BRANCH)
    first, _ = push(forge, work("seen"))
    forge.merge(first)
    collect(forge, NOON)
    forge.ours.git("reset", "--quiet", "--hard", start)
    forge.ours.git("push", "--quiet", "--force", "origin", BRANCH)
    return enter(forge, work("better", name="two"), number=2, at=NOON + DAY)
