"""Inference from SMILES: the data, the programs, the committed board, and a model that is slow."""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluator.core.formats.record import Reason
from evaluator.core.leaderboard.facts import fact, fact_columns, goal_lines
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from tests.benchmarks.ogb import ROOT, modules
from tests.repository import Repository

NAME = "ogb-lsc-pcqm4mv2-inference"
BUNDLE = ROOT / "benchmarks" / NAME
ENTRIES = ROOT / "submissions" / NAME


def test_the_data_are_what_the_script_writes(tmp_path: Path) -> None:
    shutil.copy(BUNDLE / "make_data.py", tmp_path)
    done = subprocess.run(
        [sys.executable, "-B", str(tmp_path / "make_data.py")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name in ("public_data/train.csv", "input_data/test.csv", "reference_data/test.csv"):
        assert (tmp_path / name).read_bytes() == (BUNDLE / name).read_bytes()
    assert not (tmp_path / "input_data" / "train.csv").exists()


def test_no_test_molecule_is_in_the_training_data() -> None:
    def smiles(name: str) -> list[str]:
        with (BUNDLE / name).open(newline="", encoding="ascii") as file:
            return [row["smiles"] for row in csv.DictReader(file)]

    train, test = smiles("public_data/train.csv"), smiles("input_data/test.csv")
    assert (len(train), len(test)) == (2000, 600)
    assert len(set(train) | set(test)) == 2600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gap\n1\n2\n", None),
        ("gap\n1\n", "predictions.csv has 1 rows; the test has 2"),
        ("1\n2\n", "does not begin with the header"),
        ("gap\n1\nx\n", "row 1 holds ['x'], which is no number"),
        ("gap\nnan\n2\n", "row 0 holds nan, outside -50 to 100 eV"),
        ("gap\n1\n1e300\n", "row 1 holds 1e+300, outside"),
    ],
)
def test_the_scoring_program(tmp_path: Path, text: str, message: str | None) -> None:
    for folder, content in (("ref/test.csv", "gap\n1\n4\n"), ("res/predictions.csv", text)):
        (tmp_path / folder).parent.mkdir()
        (tmp_path / folder).write_text(content)
    with modules(BUNDLE / "scoring_program", "scoring") as (scoring,):
        if message is None:
            scoring.main(tmp_path, tmp_path)
            assert json.loads((tmp_path / "scores.json").read_text()) == {"mae": 1.0}
            return
        with pytest.raises(SystemExit, match=r"predictions\.csv"):
            scoring.main(tmp_path, tmp_path)
    assert message in (tmp_path / "rejected.txt").read_text()


def test_the_committed_board() -> None:
    board = leaderboard_at(ROOT, NAME, phase=None, task=None, at=None)
    assert [(row.rank, row.submission.name) for row in board.rows] == [
        (1, "half-lengths"), (2, "units"), (3, "mean"),
    ]  # fmt: skip
    (goal,) = goal_lines(board)
    assert (goal.value, goal.label, goal.position) == (0.043, "Chemical accuracy", 1)
    seconds, _ = fact_columns(board)
    for row in board.rows:
        found = fact(row, seconds, board)
        assert isinstance(found, float) and 0 < found < 0.1


def test_the_starting_kit_makes_an_entry(tmp_path: Path) -> None:
    for name in ("model.py", "train.py"):
        shutil.copy(BUNDLE / "starting_kit" / name, tmp_path)
    done = subprocess.run(
        [sys.executable, "-B", "train.py", str(BUNDLE / "public_data/train.csv")],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "weights.json").read_text())
    kept = json.loads((ENTRIES / "bob/units/weights.json").read_text())
    assert made == pytest.approx(kept, abs=1e-4)


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.alone
def test_a_slow_model_is_stopped_at_the_budget(repo: Repository) -> None:
    """Ten times too slow for its 2 s, and slow before the first molecule."""
    shutil.copytree(BUNDLE, repo.path / "benchmarks" / NAME)
    repo.replace(f"benchmarks/{NAME}/competition.yaml", "seconds_per_item: 0.1,", "seconds: 2,")
    sheet = (ENTRIES / "bob/units/submission.yaml").read_text()
    for name, model in {
        "per-molecule": "    def predict(self, smiles):\n"
        "        return [time.sleep(0.03) or 5.0 for _ in smiles]\n",
        "constructor": "    def __init__(self):\n        time.sleep(60)\n",
    }.items():
        folder = f"submissions/{NAME}/ada/{name}"
        repo.write(f"{folder}/submission.yaml", sheet.replace("bob@", f"{name}@"))
        repo.write(f"{folder}/model.py", f"import time\n\n\nclass Model:\n{model}")
    shutil.copytree(
        ENTRIES / "bob/units", repo.path / f"submissions/{NAME}/bob/units",
        ignore=shutil.ignore_patterns("scores"),
    )  # fmt: skip
    repo.commit()
    (problem,) = repo.problems()
    assert problem.file.endswith("controls/outcomes.json"), "of another budget"
    # The weekly quota leaves one of ada's two; named cells are run all the same.
    records = repo.run(*(f"{NAME}/{who}/inference/inference" for who in (
        "ada/per-molecule", "ada/constructor", "bob/units",
    )))  # fmt: skip
    found = {name.split("/")[2]: record for name, record in records.items()}
    for name in ("per-molecule", "constructor"):
        error = found[name].error
        assert error is not None and error.reason == Reason.TIMED_OUT
        assert "for each of 600 items used; the budget is 2 s" in error.message
        assert 2 <= found[name].steps[0].wall_seconds < 3
    assert found["units"].error is None
    assert found["units"].scores["mae"] == pytest.approx(0.048765, abs=1e-6)
