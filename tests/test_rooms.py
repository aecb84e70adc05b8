"""The core works alone, and each plugin can be deleted."""

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.repository import Repository
from tests.sharing import one_in

PACKAGE = Path(__file__).parents[1] / "evaluator"
PLUGINS = sorted(path.parent.name for path in (PACKAGE / "plugins").glob("*/plugin.py"))


def without(folders: tuple[str, ...], place: Path) -> Path:
    """Copy the package without some folders; returns what goes on the path."""
    # With what Python compiled, but for what another process is about to write.
    half = shutil.ignore_patterns("*.pyc.*")
    shutil.copytree(PACKAGE, place / "evaluator", ignore=half, symlinks=True)
    for folder in folders:
        shutil.rmtree(place / "evaluator" / folder)
    return place


def pullbench(place: Path, repo: Repository, *arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "evaluator", "-C", str(repo.path), *arguments],
        cwd=place, env={**os.environ, "PYTHONPATH": str(place)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert str(PACKAGE) not in done.stderr
    return done.stdout


@pytest.mark.docker
def test_the_core_alone_evaluates_a_cell_and_prints_a_board(
    small: Repository, tmp_path: Path
) -> None:
    core = without(("ci", "importing", "site", "plugins"), tmp_path / "core")
    shown = pullbench(core, small, "--help").splitlines()
    verbs = {line.split()[0] for line in shown if line.startswith("  ")}
    assert "leaderboard" in verbs
    assert not {"site", "collect", "submit", "import"} & verbs
    assert "0 errors" in pullbench(core, small, "validate")
    assert "1 finished, 0 failed" in pullbench(core, small, "run", "adding/alice/right/main/one")
    board = pullbench(core, small, "leaderboard", "adding")
    assert "alice" in board


def test_the_page_of_contributors_says_of_each_plugin_what_it_offers() -> None:
    page = (PACKAGE.parent / "site/contributors/index.md").read_text()
    rows = dict(re.findall(r"(?m)^\| `plugins/(\w+)` \| (.*?) \|", page))
    said = {name: set(re.findall(r"`(\w+)`", contracts)) for name, contracts in rows.items()}
    offers = {
        name: import_module(f"evaluator.plugins.{name}.plugin").PLUGIN.offers for name in PLUGINS
    }
    assert said == {name: {key.partition(".")[0] for key in of} for name, of in offers.items()}


@pytest.mark.parametrize("plugin", one_in(3, PLUGINS))
def test_each_plugin_can_be_deleted(small: Repository, tmp_path: Path, plugin: str) -> None:
    place = without((f"plugins/{plugin}",), tmp_path / "rest")
    # The longest verb decides how wide the other column is.
    named = [re.findall(r"(?m)^  (\w[\w-]*)  ", text) for text in (
        pullbench(place, small, "--help"), small.pullbench("--help").stdout
    )]  # fmt: skip
    assert "run" in named[0]
    assert {*named[0]} <= {*named[1]}
    assert "are missing or stale" in pullbench(place, small, "plan")
    assert pullbench(place, small, "leaderboard", "adding")
    if plugin != "insight":  # a site is built once; without plots and analysis it is another
        return
    config = (PACKAGE.parent / "mkdocs.yml").read_text().partition("nav:")[0]
    small.write("mkdocs.yml", config)
    small.write("site/index.md", "# Boards\n")
    pullbench(place, small, "site")
    page = small.path / "build/site/benchmarks/adding"
    assert (page / "index.html").is_file()
    assert not (page / "plots").exists()


@pytest.mark.parametrize(
    ("plugin", "bundle", "keys"),
    [
        ("datasets", "growing", ""),
        ("cited_scores", "growing", "  reported: true\n"),
        ("screening", "screened", ""),
        ("sealed", "screened", "  phases: {0: {seal: {}}}\n"),
    ],
)
def test_a_bundle_that_needs_what_was_deleted_is_refused(
    repo: Repository, tmp_path: Path, plugin: str, bundle: str, keys: str
) -> None:
    place = without((f"plugins/{plugin}",), tmp_path / "rest")
    repo.with_bundle(bundle)
    repo.replace(f"benchmarks/{bundle}/competition.yaml", "pullbench:\n", f"pullbench:\n{keys}")
    assert f"needs the plugin '{plugin}', which is not installed" in pullbench(
        place, repo, "validate", code=1
    )
