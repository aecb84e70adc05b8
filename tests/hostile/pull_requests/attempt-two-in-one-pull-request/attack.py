from evaluator.pulls import Step
from tests.hostile.contest import DAY, begin, label, push, work
from tests.pulls.conftest import NOON, Forge


def attack(forge: Forge) -> Step:
    begin(forge)
    files = {**work("one"), **work("two", name="two")}
    source, _ = push(forge, files)
    return label(forge, source, at=NOON + DAY)
