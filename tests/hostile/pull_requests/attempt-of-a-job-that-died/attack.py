from evaluator.ci.pull_requests import Step, finish
from tests.hostile.contest import DAY, accepted, begin, enter, work
from tests.pull_requests.conftest import NOON, Forge


def attack(forge: Forge) -> Step:
    begin(forge)
    first = accepted(enter(forge, work("never ends")))
    assert finish(forge.ours.path, first, None, NOON).report.state == "failed"
    return enter(forge, work("better"), number=2, at=NOON + DAY)
