"""A tag object where a commit is expected."""

from tests.ci.steps.conftest import entry


def attack(forge):
    source = forge.open(1, entry("mallory"))
    forge.theirs.git("tag", "-a", "-m", "x", "head", source.head)
    return forge.push(1, forge.theirs.git("rev-parse", "head"))
