"""A package of its own adds a verb, an importer and more from outside."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import Repository

ROOT = Path(__file__).parents[2]
STRANGER = Path(__file__).with_name("stranger")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, installed by pip into a folder of its own, beside this pullbench."""
    place = tmp_path_factory.mktemp("stranger")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
         "--no-index", "--target", place, STRANGER],
        check=True,
    )  # fmt: skip
    return place


def run(installed: Path, repo: Repository, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "evaluator", "-C", str(repo.path), *arguments],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{installed}"},
        capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.docker
@pytest.mark.slow
def test_a_strangers_plugin_adds_what_it_offers(installed: Path, small: Repository) -> None:
    assert "From other plugins:\n  greet  Greet NAME." in run(installed, small, "--help").stdout
    assert run(installed, small, "greet", "Ada").stdout == "hello Ada"
    assert "nothing" in run(installed, small, "import", "--help").stdout
    refused = run(installed, small, "import", "nothing", "x")
    assert (refused.returncode, "nothing that a stranger reads" in refused.stdout) == (1, True)
    competition = "benchmarks/adding/competition.yaml"
    small.replace(competition, "\npullbench:\n", "\npullbench:\n  aggregate: wins\n")
    small.write(
        "pyproject.toml", '[tool.pullbench.executors.here]\nkind = "loud"\naddress = "here"\n'
    )
    small.commit("A rule and a place of a stranger")
    done = run(installed, small, "run", "adding", "--executor", "here")
    assert (done.returncode, "a stranger runs this" in done.stdout) == (0, True), done.stderr
    board = run(installed, small, "leaderboard", "adding", "--format", "names")
    assert board.stdout.startswith("right > "), board.stderr
    assert "Wins" in run(installed, small, "leaderboard", "adding").stdout
