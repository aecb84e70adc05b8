"""What CI has written itself, proposed by somebody."""

from tests.ci.steps.conftest import NOON, entry
from tests.steps import receive


def attack(forge):
    first = forge.open(2, entry("mallory"))
    receive(forge.ours.path, first, "mallory", NOON)
    forge.theirs.git("fetch", "--quiet", "origin", "pullbench-ledger")
    return forge.push(1, forge.theirs.git("rev-parse", "FETCH_HEAD"))
