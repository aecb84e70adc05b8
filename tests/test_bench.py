"""Each figure of `make bench` is measured, with sizes so small that its value means nothing.

None may break unseen.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.bench import entry
from tests.bench.comparison import Pair
from tests.bench.figures import FIGURES, Goal, at_least, at_most

ROOT = Path(__file__).parents[1]
NEEDS = {"", "docker", "browser"}
GOALS = {name: goal for figure in FIGURES.values() for name, goal in figure.goals.items()}
NEEDS_MORE = re.compile(r"warm_vs_amlb|ogb_\w+_difference_1e-9|site_unchanged")
"""Values that need a checkout of AMLB, ogb, or full sizes."""


@pytest.mark.parametrize(
    "needs",
    ["", pytest.param("docker", marks=[pytest.mark.docker, pytest.mark.slow]),
     pytest.param("browser", marks=[pytest.mark.browser, pytest.mark.slow])],
)  # fmt: skip
def test_every_figure_is_measured(needs: str) -> None:
    assert {figure.needs for figure in FIGURES.values()} == NEEDS
    measure([name for name, figure in FIGURES.items() if figure.needs == needs])


def measure(names: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", *names], cwd=ROOT,
        env={**os.environ, "BENCH_SMALL": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line[2:].partition(":")[0] for line in lines if line.startswith("# ")] == names
    printed = {line.partition(" ")[0] for line in lines}
    for name in names:
        lacking = FIGURES[name].goals.keys() - printed
        assert [one for one in lacking if not NEEDS_MORE.fullmatch(one)] == []


def test_a_figure_that_breaks_is_named_and_keeps_no_other_back() -> None:
    program = """
from tests.bench import __main__ as bench, figures, sizes
sizes.one, sizes.two = lambda: 1 // 0, lambda: [("two", 2.0, "s"), ("three", 3.0, "s")]
bench.FIGURES = {
    "one": figures.Figure(measure="sizes:one", goals={}),
    "two": figures.Figure(
        measure="sizes:two", goals={"two": figures.at_least(3, "s"), "three": figures.at_most(3)}
    ),
}
bench.main([])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "BENCH_SMALL": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "# one: ", "two 2.000 s", "three 3.000 s", "# two: two at least 3 s; three at most 3",
        "# missed: two",
    ]  # fmt: skip
    assert done.stderr.endswith("broken: one\n")


def test_the_board_has_goals_for_its_columns_and_says_them() -> None:
    (board,) = yaml.safe_load(entry.BOARD.read_text())["leaderboards"]
    page = (entry.BOARD.parent / "pages/overview.md").read_text()
    for column in board["columns"]:
        goal = GOALS[column["key"]]
        assert column["sorting"] == ("asc" if goal.less_is_better else "desc")
        assert f"| {column['title']} | `{column['key']}` | {goal} | " in page


def test_what_was_measured_enters_the_board(tmp_path: Path) -> None:
    shutil.copytree(entry.BOARD.parent, tmp_path / "benchmarks/pullbench-costs")
    submission = tmp_path / "submissions/pullbench-costs/ada/one/submission.yaml"
    submission.parent.mkdir(parents=True)
    submission.write_text(entry.submission(dict.fromkeys(GOALS, 0.1234)))
    command = [sys.executable, "-m", "evaluator", "-C", str(tmp_path)]
    subprocess.run(["git", "init", "-q", "-b", "main", tmp_path], check=True)
    done = subprocess.run(
        [*command, "validate"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "0 errors, 0 warnings" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(("goal", "base", "head", "is_slower"), [
    (at_most(1), [1, 1, 1], [1.2, 1.3, 1.05], True),
    (at_most(1), [1, 1, 1], [1.2, 1.3, 0.99], False),  # better in one round
    (at_most(1), [1, 1, 1], [1.09, 1.09, 1.5], False),
    (at_least(1), [1, 1, 1], [0.9, 0.8, 0.9], True),
    (at_least(1), [1, 1, 1], [1.2, 1.2, 1.2], False),
    (at_most(1), [0], [1], True),
    (at_most(1), [], [9], False),
    (None, [1], [9], False),
])  # fmt: skip
def test_what_got_slower(
    goal: Goal | None, base: list[float], head: list[float], is_slower: bool
) -> None:
    assert Pair(name="one", goal=goal, base=base, head=head).is_slower == is_slower


@pytest.mark.slow
def test_a_tree_is_compared_with_another(tmp_path: Path) -> None:
    """Files of scores are larger here than at the base, and one figure needs what is new here."""
    here = tmp_path / "here"
    subprocess.run(["git", "clone", "-q", ROOT, here], check=True)
    with (here / "evaluator/core/formats/scores_file.py").open("a") as file:
        file.write("\nlean = encode\n\n\ndef encode(file):\n    return lean(file) + b' ' * 999\n")
    (here / "evaluator/core/added.py").touch()
    with (here / "tests/bench/archive.py").open("a") as file:
        file.write("import evaluator.core.added  # noqa\n")
    summary = tmp_path / "summary.md"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--base", "HEAD", "--rounds", "2",
         "scores_bytes_per_cell", "archive_10k"],
        cwd=here, capture_output=True, text=True, check=False,
        env={**os.environ, "BENCH_SMALL": "1", "GITHUB_STEP_SUMMARY": str(summary)},
    )  # fmt: skip
    problem = "slower by more than a tenth: scores_bytes_per_cell"
    assert done.stderr.splitlines()[-1] == problem, done.stderr
    assert done.returncode == 1
    assert f"::warning title=Figures::{problem}" in done.stdout
    _, _, bytes_, *archive, _ = done.stdout.splitlines()
    assert re.fullmatch(
        r"\| \*\*scores_bytes_per_cell\*\* \| [\d.]+ \| [\d.]+ \| 1\.\d+ \|", bytes_
    )
    assert archive
    assert all(" | none | " in line and " | new |" in line for line in archive)
    assert summary.read_text().splitlines()[0] == problem
    worktrees = ["git", "-C", str(here), "worktree", "list"]
    assert len(subprocess.check_output(worktrees, text=True).splitlines()) == 1
