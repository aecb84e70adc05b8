from evaluator.ci.steps.reports import StepResult
from tests.ci.steps.conftest import NOON, Forge
from tests.hostile.contest import DAY, accepted, begin, enter, work


def attack(forge: Forge) -> StepResult:
    begin(forge, address=True)
    first = work("one", more="fact_sheet: {email: mallory.lab@uni.edu}\n")
    accepted(enter(forge, first))
    mail = "Mallory\u200bLab+2@UNI.edu"
    other = work("two", who="trudy", more=f'fact_sheet: {{email: "{mail}"}}\n')
    return enter(forge, other, number=2, who="trudy", at=NOON + DAY)
