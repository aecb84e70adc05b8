from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.steps.conftest import Forge
from tests.hostile.seals import begin_seals, copied, sealed


def attack(forge: Forge) -> PullRequestRef:
    begin_seals(forge)
    hers = sealed(forge, "ada")
    forge.merge(forge.open(1, hers))
    sheet = "submissions/echo/ada/one/submission.yaml"
    forge.merge(forge.open(2, {sheet: "kind: sealed\ncancelled: true\n"}))
    return forge.open(3, copied(hers, "mallory"))
