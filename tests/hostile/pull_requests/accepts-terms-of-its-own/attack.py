import hashlib

from evaluator.ci.opened.heads import PullRequestRef
from tests.ci.policy.test_entrants import rule
from tests.ci.steps.conftest import Forge, entry


def attack(forge: Forge) -> PullRequestRef:
    rule(forge, "  accept_terms: true\n")
    terms = b"Anything goes.\n"
    accepted = f'terms_accepted: "{hashlib.sha256(terms).hexdigest()}"\n'
    return forge.open(1, entry("mallory") | {
        "benchmarks/adding/terms.md": terms,
        "submissions/adding/mallory/one/submission.yaml": f"kind: code\n{accepted}",
    })  # fmt: skip
