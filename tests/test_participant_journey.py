"""A stranger enters a benchmark: the commands of the README, in a fresh clone, to a score."""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.test_commands_of_pages import clone

ROOT = Path(__file__).parents[1]
INSTALL = re.compile(r"## Install\n.*?```sh\n(.*?)```", re.DOTALL)
FIVE_LINES = re.compile(r"## Enter in five lines.*?```sh\n(.*?)```", re.DOTALL)


@pytest.mark.slow
@pytest.mark.docker
def test_from_a_clone_to_a_score(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    install, enter = INSTALL.search(readme), FIVE_LINES.search(readme)
    assert install is not None
    assert enter is not None
    began = time.monotonic()
    clone(ROOT, tmp_path / "fork")
    who = {
        f"GIT_{role}_{key}": "you" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{install[1]}\n{enter[1]}"], cwd=tmp_path / "fork",
        env={**os.environ, **who}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    seconds = time.monotonic() - began
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 errors" in done.stdout
    assert re.search(r"tabular-classics/you/first/final/iris: accuracy 0\.\d+", done.stdout)
    count = len([*install[1].splitlines(), *enter[1].splitlines()])
    print(f"from a clone to a score: {count} commands, 0 files edited, {seconds:.0f} s")
