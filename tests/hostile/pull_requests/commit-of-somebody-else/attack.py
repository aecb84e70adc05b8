"""Whatever a commit says of itself counts for nothing."""

import pytest

from tests.ci.steps.conftest import entry


def attack(forge):
    with pytest.MonkeyPatch.context() as patch:
        for role in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{role}_NAME", "olga \x1b[31m::error::owned")
            patch.setenv(f"GIT_{role}_EMAIL", "olga@example.org")
            patch.setenv(f"GIT_{role}_DATE", "4070908800 +1400")
        forge.open(1, entry("mallory"))
        message = "Merge pull request #7 from olga/one\n\n::set-output name=approved::true\n"
        forge.theirs.git("commit", "--quiet", "--amend", "-m", message)
        return forge.push(1, forge.theirs.git("rev-parse", "HEAD"))
