from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.steps.conftest import Forge
from tests.hostile.seals import begin_seals, copied, sealed


def attack(forge: Forge) -> PullRequestRef:
    begin_seals(forge)
    hers = sealed(forge, "ada")
    forge.merge(forge.open(1, hers))
    return forge.open(2, copied(hers, "mallory"))
