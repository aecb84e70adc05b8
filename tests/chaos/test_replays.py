"""Disturbed steps of a pull request are repeated. For many: `make chaos KINDS=replays N=600`."""

import subprocess
import sys

import pytest

from tests.site.conftest import ROOT


@pytest.mark.parametrize("count", ["40", pytest.param("300", marks=pytest.mark.slow)])
def test_a_disturbed_step_that_is_repeated_ends_as_if_undisturbed(count: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.replays", count],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
