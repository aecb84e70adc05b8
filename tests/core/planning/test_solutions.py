"""Solutions that a bundle ships are evaluated and shown as baselines.

``evaluator.plugins.scaffold`` enters them.
"""

import html
import shutil
from pathlib import Path

import pytest

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.leaderboard.tables import to_text
from evaluator.plugins.insight.plots.entries import gather
from tests.repository import Repository

ROOT = Path(__file__).parents[3]
ENTRY = "submissions/adding/organiser/the-sum"


@pytest.fixture
def shipping(small: Repository) -> Repository:
    """The benchmark ``adding``, which ships alice's work as its solution."""
    competition = "benchmarks/adding/competition.yaml"
    (alice,) = small.path.glob("submissions/adding/alice/*/")
    shutil.copytree(
        alice, small.path / "benchmarks/adding/solution", ignore=shutil.ignore_patterns("*.yaml")
    )
    shutil.rmtree(small.path / "submissions")
    text = (small.path / competition).read_text()
    solutions = (
        "solutions:\n  - {index: 0, name: The sum, path: solution, tasks: [0, 1]}\n\nphases:"
    )
    small.write(competition, text.replace("\nphases:", f"\n{solutions}", 1))
    small.commit("Ship a solution")
    assert small.problems() == []
    return small


@pytest.mark.slow
@pytest.mark.docker
def test_solutions_are_entered_evaluated_and_marked(shipping: Repository) -> None:
    said = shipping.pullbench("solutions", "adding").stdout
    assert ENTRY in said
    shipping.commit("Enter the solution")
    assert shipping.problems() == []
    assert shipping.pullbench("solutions", "adding").stdout.strip() == "nothing to enter"
    records = shipping.run()
    assert len(records) == 2
    assert all(record.error is None for record in records.values())
    board = leaderboard_at(shipping.path, "adding", phase=None, task=None, at=None)
    assert "the-sum (baseline)" in to_text(board)
    entries = gather(board)
    assert entries is not None
    assert [(row.submission.name, entries.group(row)) for row in entries.rows] == [
        ("the-sum", "baseline")
    ]
    shipping.write("mkdocs.yml", (ROOT / "mkdocs.yml").read_text().partition("nav:")[0])
    shipping.write("site/index.md", "# Benchmarks\n")
    done = shipping.pullbench("site")
    assert done.returncode == 0, done.stderr
    built = next(shipping.path.glob("build/site/**/benchmarks/adding"))
    about = (built / "about/index.html").read_text()
    assert "submissions/organiser/the-sum/" in about.partition("Baselines of the organiser")[2]
    page = html.unescape((built / "index.html").read_text())
    assert "The organiser's solution, solution of the bundle." in page


def test_the_files_make_a_baseline_whoever_enters_them(shipping: Repository) -> None:
    shipping.pullbench("solutions", "adding", "--participant", "mallory")
    entry = ENTRY.replace("organiser", "mallory")
    shipping.commit("Enter")
    assert [item.solution for item in shipping.snapshot().submissions] == ["solution"]
    shipping.write(f"{entry}/notes.txt", "and something else")
    shipping.commit("Another")
    assert [item.solution for item in shipping.snapshot().submissions] == [""]
