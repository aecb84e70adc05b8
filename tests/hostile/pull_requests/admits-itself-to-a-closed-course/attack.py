from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.policy.test_entrants import BUNDLE, rule
from tests.ci.steps.conftest import Forge, entry


def attack(forge: Forge) -> PullRequestRef:
    rule(forge, "  participants: {names: [carol]}\n")
    text = (forge.ours.path / BUNDLE).read_text()
    return forge.open(1, entry("mallory") | {BUNDLE: text.replace("[carol]", "[carol, mallory]")})
