"""A busy day on a forge. For a thousand pull requests: `make day N=1000`."""

import random
import subprocess
import sys

import pytest

from tests.site.conftest import ROOT


@pytest.mark.slow
def test_all_land_while_runs_of_publish_give_way_to_newer_ones() -> None:
    seed = random.randrange(10**6)  # noqa: S311 - it is printed
    command = [sys.executable, "-m", "tests.chaos.day", "8", "--hours", "0.2", "--seed", str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n0 runs of publish gave way" not in done.stdout
