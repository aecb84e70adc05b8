"""Test-challenge: entries wait, nothing is scored before its day, and the truth is not in git."""

import datetime as dt
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.core.leaderboard.tables import to_text
from evaluator.core.scores.running import run
from evaluator.core.scores.selection import choose
from evaluator.site.boards.comparison import same_predictions
from tests.benchmarks.ogb import NAMES, ROOT, bundle
from tests.repository import Repository

DAY = dt.datetime(2027, 6, 1, tzinfo=dt.UTC)
CELL = "ogb-lsc-mag240m/ada/constant/test-challenge/test-challenge"


@pytest.fixture
def waiting(repo: Repository, tmp_path: Path) -> Repository:
    """An entry to the challenge, and a runner that holds its truth."""
    source = bundle("mag240m")
    shutil.copytree(
        source,
        repo.path / "benchmarks/ogb-lsc-mag240m",
        ignore=shutil.ignore_patterns("__py*", "approvals.yaml"),
    )
    entry = repo.path / "submissions/ogb-lsc-mag240m/ada/constant"
    entry.mkdir(parents=True)
    form = (source / "starting_kit/submission.yaml").read_text()
    form = form.replace("phase: test-dev", "phase: test-challenge")
    form = form.replace('contact_email: ""', "contact_email: ada@lab.edu")
    form = form.replace(": https://", ": https://lab.edu/ada")
    (entry / "submission.yaml").write_text(form)
    np.savez_compressed(
        entry / "y_pred_mag240m_test-challenge.npz", y_pred=np.zeros(58_726, np.int16)
    )
    subprocess.run(
        [sys.executable, "-B", str(source / "make_data.py"), "--private", str(tmp_path / "data")],
        check=True,
    )
    repo.write("pyproject.toml", f'[tool.pullbench]\ndata = "{tmp_path / "data"}"\n')
    repo.commit("Enter")
    return repo


@pytest.mark.docker
def test_nothing_is_scored_before_the_day(waiting: Repository) -> None:
    assert waiting.problems() == []
    taken = waiting.snapshot()
    before = choose(taken, DAY - dt.timedelta(seconds=1), (), fresh=False)
    assert before == []
    chosen = choose(taken, DAY, (), fresh=False)
    assert [str(item.cell.id) for item in chosen] == [CELL]
    done = run(taken, chosen, engine="docker", lanes=1)
    (record,) = done.records.values()
    assert record.error is None, record.error
    assert set(record.scores) == {"acc"}
    assert 0.07 < record.scores["acc"] < 0.09
    assert record.steps[-1].wall_seconds < 10


def test_the_truth_of_the_challenge_is_not_in_the_bundles() -> None:
    for name in NAMES:
        files = [path.name for path in bundle(name).rglob("*") if path.is_file()]
        assert "test-dev.npy" in files
        assert "test-challenge.npy" not in files


def test_the_board_of_the_repository() -> None:
    """A claim is not believed, a copy is named, and only what is approved is ranked."""
    board = leaderboard_at(ROOT, "ogb-lsc-mag240m", phase="test-dev", task=None, at=None)
    names = {row.submission.name: row for row in board.rows}
    assert [(row.submission.name, row.rank) for row in board.rows[:2]] == [
        ("weighted-vote", 1), ("majority", 2),
    ]  # fmt: skip
    assert names["vote"].overall["acc"] > names["majority"].overall["acc"]
    assert names["vote"].rank is names["majority-again"].rank is None
    assert names["vote"].why_unranked.startswith("refused: the claimed validation score")
    assert names["majority-again"].why_unranked == "awaiting approval"
    assert same_predictions(board)["ogb-lsc-mag240m/dave/majority-again"] == ("alice/majority",)
    text = to_text(board)
    assert "0.8989 (recomputed: 0.3757)" in text
    assert "0.9999 (not recomputed)" in text
    assert names["unchecked-cast"].rank is None
