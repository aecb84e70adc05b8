from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import Forge
from tests.hostile.contest import END, HOUR, begin, label, push, work


def attack(forge: Forge) -> StepResult:
    begin(forge)
    sources = [
        push(forge, work(f"variant {number}", name=f"n{number}"), number, at=END - (9 - number) * HOUR)
        for number in (1, 2, 3)
    ]  # fmt: skip
    return label(forge, sources[0][0], at=END + HOUR)
