from evaluator.ci.pull_requests.finish import finish
from evaluator.ci.pull_requests.reports import Step
from tests.ci.pull_requests.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("never ends")))
    assert finish(forge.ours.path, first, None, NOON).report.state == "failed"
    return enter(forge, work("better"), number=2, at=NOON + DAY)
