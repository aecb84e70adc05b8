"""The benchmark pipeline-stages: its records, its data, and the protocol between its stages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from evaluator.api import results
from evaluator.core.clock import utc_now
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.planning.snapshot import load_snapshot
from tests.records import committed

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "benchmarks/pipeline-stages"
ENTRIES = ROOT / "submissions/pipeline-stages"
ADA = ENTRIES / "ada/robust-neighbours"


def run(
    folder: Path, submission: Path, stages: str | None
) -> tuple[subprocess.CompletedProcess[str], dict[str, float]]:
    """Run both programs as the bundle's commands do; the scores are empty where the first fails."""
    predictions, output = folder / "in/res", folder / "out"
    predictions.mkdir(parents=True)
    output.mkdir()
    (folder / "in/ref").symlink_to(BUNDLE / "reference_data")
    told = {} if stages is None else {"PULLBENCH_STAGES": stages}
    ingestion = BUNDLE / "ingestion_program/ingestion.py"
    scoring = BUNDLE / "scoring_program/scoring.py"
    done = subprocess.run(
        [sys.executable, ingestion, BUNDLE / "input_data", predictions, submission],
        env={**os.environ, **told}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        return done, {}
    subprocess.run([sys.executable, scoring, folder / "in", output], check=True)
    scores: dict[str, float] = json.loads((output / "scores.json").read_text())
    return done, scores


def recorded(entry: str, slug: str = "breast-cancer") -> dict[str, float]:
    return committed("pipeline-stages")[f"{entry}/final/{slug}"].scores


def test_every_record_is_there_finished_and_of_this_content() -> None:
    plan = make_local_plan(load_snapshot(ROOT), utc_now())
    assert not [item for item in plan.missing if item.cell.id.benchmark == "pipeline-stages"]
    records = committed("pipeline-stages").values()
    assert len(records) == 7 + 1 + 3 + 1
    assert {found.status for found in records} == {"finished"}


def test_the_ablation_is_what_the_records_say() -> None:
    data = results(ROOT, "pipeline-stages")
    found = {
        (one["submission"], one["variant"], one["stage"]): (one["value"], one["change"])
        for one in data["ablation"]
        if one["column"] == "accuracy"
    }
    whole = recorded("ada/robust-neighbours")["accuracy"]
    reference = recorded("organiser/reference")["accuracy"]
    clean = recorded("ada/robust-neighbours", "breast-cancer+clean")["accuracy"]
    rest = recorded("ada/robust-neighbours", "breast-cancer+features+model")["accuracy"]
    assert found["robust-neighbours", "alone", "clean"] == (clean, clean - reference)
    assert found["robust-neighbours", "without", "clean"] == (rest, rest - whole)
    assert found["robust-cleaning", "without", "clean"][0] == reference
    assert [row["submission"] for row in data["rows"]][-1] == "reference"


@pytest.mark.parametrize("stages", ["clean,features,model", "features,model", "model"])
def test_a_run_here_scores_what_the_record_says(tmp_path: Path, stages: str) -> None:
    slug = "breast-cancer" + ("" if stages.count(",") == 2 else "+" + stages.replace(",", "+"))
    assert run(tmp_path, ADA, stages)[1] == recorded("ada/robust-neighbours", slug)


def test_the_reference_does_what_its_page_says(tmp_path: Path) -> None:
    """Mean imputation and nearest class mean, computed once more."""

    def read(name: str) -> np.ndarray:
        return np.genfromtxt(BUNDLE / name, delimiter=",", skip_header=1)

    train, test = read("input_data/X_train.csv"), read("input_data/X_test.csv")
    labels, truth = read("input_data/y_train.csv"), read("reference_data/y_test.csv")
    means = np.nanmean(train, axis=0)
    train, test = (np.where(np.isnan(x), means, x) for x in (train, test))
    centres = [train[labels == label].mean(axis=0) for label in (0, 1)]
    distances = [((test - centre) ** 2).sum(axis=1) for centre in centres]
    accuracy = float(np.mean((distances[1] < distances[0]) == truth))
    assert recorded("organiser/reference")["accuracy"] == pytest.approx(accuracy)
    assert run(tmp_path, ENTRIES / "organiser/reference", "")[1]["accuracy"] == accuracy


def test_where_nothing_is_told_the_folders_decide(tmp_path: Path) -> None:
    """On Codabench there is no such variable."""
    done, scores = run(tmp_path, ENTRIES / "cleo/scaled-logistic", None)
    assert scores == recorded("cleo/scaled-logistic")
    assert done.stdout.splitlines() == [
        "clean: the organiser's", "features: the participant's", "model: the participant's",
    ]  # fmt: skip


def test_the_starting_kit_runs(tmp_path: Path) -> None:
    assert (
        0 < run(tmp_path, BUNDLE / "starting_kit/sample_submission", "features")[1]["accuracy"] < 1
    )


@pytest.mark.parametrize(
    ("stage", "body", "message"),
    [
        ("clean", "return x_train, y_train, x_test", "clean leaves no gap"),
        ("clean", "return x_train[:5], y_train, x_test", "one label for each training row"),
        ("clean", "return x_train, y_train, x_test[1:]", "clean keeps all test rows"),
        ("features", "return x_train[1:], x_test", "features keeps all rows"),
        ("features", "return x_train[:, :2], x_test", "with the features of the training rows"),
        ("model", "return y_train", "one label for each test row"),
        ("model", "return x_test[:, 0]", "model returns integers"),
        ("model", "raise ValueError('mine')", "ValueError: mine"),
    ],
)
def test_a_stage_that_breaks_the_protocol_is_named(
    tmp_path: Path, stage: str, body: str, message: str
) -> None:
    folder = tmp_path / "entry" / stage
    folder.mkdir(parents=True)
    (folder / "stage.py").write_text(f"def run(x_train, y_train, x_test):\n    {body}\n")
    done, scores = run(tmp_path, tmp_path / "entry", stage)
    assert scores == {}
    assert message in done.stderr
    assert done.stderr.rstrip().endswith(f"the participant's stage '{stage}' failed")
