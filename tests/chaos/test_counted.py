"""Verbs are killed at counted calls. For many: `make chaos KINDS=counted N=600`."""

import subprocess
import sys

import pytest

from tests.site.conftest import ROOT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kills", "verbs"),
    [("3", ["commit --remote"]), pytest.param("110", [], marks=pytest.mark.slow)],
)
def test_no_kill_at_a_counted_call_leaves_a_verb_stuck(kills: str, verbs: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.counted", kills, *verbs],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_no_kill_loses_a_sealed_entry_or_opens_one_early() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.sealed_season", "12"],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
