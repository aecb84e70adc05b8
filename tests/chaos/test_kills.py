"""Verbs that write are killed at random moments. For many kills of each: `make chaos N=1000`."""

import random
import subprocess
import sys

import pytest

from tests.chaos.kills import SCENES
from tests.site.conftest import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("verb", SCENES)
def test_what_is_killed_and_called_again_ends_as_if_undisturbed(verb: str) -> None:
    seed = random.randrange(10**6)  # noqa: S311 - it is printed
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.kills", "3", verb, "--seed", str(seed)],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
