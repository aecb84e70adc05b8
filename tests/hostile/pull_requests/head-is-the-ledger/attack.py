"""What CI has written itself, proposed by somebody."""

from evaluator.pipeline import pulls
from tests.pull_requests.conftest import NOON, entry


def attack(forge):
    first = forge.open(2, entry("mallory"))
    pulls.receive(forge.ours.path, first, "mallory", NOON)
    forge.theirs.git("fetch", "--quiet", "origin", "pullbench-ledger")
    return forge.push(1, forge.theirs.git("rev-parse", "FETCH_HEAD"))
