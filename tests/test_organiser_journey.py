"""A stranger holds a benchmark: from `init` to a board, by the commands that `init` prints."""

import os
import subprocess
import time
from pathlib import Path

import pytest

COMMANDS = """\
pullbench init tides --repository bench --template {template}
cd bench && git init -q -b main && git add . && git commit -q -m Begin
pullbench validate
pullbench run tides
pullbench leaderboard tides
"""


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize(
    "template",
    [
        "code",
        "results",
        "race",
        "agents",
        "parallel",
        "stages",
        "dataset",
        "ogb",
        "automl-challenge",
    ],
)
def test_from_init_to_a_board(tmp_path: Path, template: str) -> None:
    who = {
        f"GIT_{role}_{key}": "you" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
    }
    began = time.monotonic()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", COMMANDS.format(template=template)], cwd=tmp_path,
        env={**os.environ, **who}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    seconds = time.monotonic() - began
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 errors" in done.stdout
    assert " finished, 0 failed" in done.stdout
    count = len(COMMANDS.splitlines())
    print(f"from init to a board, {template}: {count} commands, 0 files edited, {seconds:.0f} s")
