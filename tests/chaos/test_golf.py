"""A season of a race. For a whole one: `make golf N=2000`."""

import random
import subprocess
import sys

import pytest

from tests.site.conftest import ROOT


@pytest.mark.slow
@pytest.mark.docker
def test_a_season_needs_hardly_a_person_and_no_illegal_entry_lands() -> None:
    seed = random.randrange(10**6)  # noqa: S311 - it is printed
    command = [sys.executable, "-m", "tests.chaos.golf", "200", "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
