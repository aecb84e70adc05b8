from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.steps.conftest import Forge
from tests.hostile.seals import begin_seals, sealed


def attack(forge: Forge) -> PullRequestRef:
    begin_seals(forge)
    files = sealed(forge, "mallory")
    return forge.open(
        1, {path.replace("/echo/", "/adding/"): content for path, content in files.items()}
    )
