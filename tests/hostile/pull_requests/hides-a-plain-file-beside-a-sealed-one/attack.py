from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.steps.conftest import Forge
from tests.hostile.seals import PLAIN, begin_seals, sealed


def attack(forge: Forge) -> PullRequestRef:
    begin_seals(forge)
    plain = {"submissions/echo/mallory/one/predictions.csv": PLAIN["predictions.csv"]}
    return forge.open(1, {**sealed(forge, "mallory"), **plain})
