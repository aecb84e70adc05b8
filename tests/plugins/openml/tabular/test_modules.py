"""Framework modules of the AutoML Benchmark, run as they stand by the ingestion program."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.openml.tabular.programs import ROOT, Try

IN_PROCESS = """
import numpy as np
from amlb.benchmark import TaskConfig
from amlb.data import Dataset, DatasetType
from amlb.datautils import Encoder, impute_array, impute_dataframe, reorder_dataset
from amlb.resources import config as rconfig
from amlb.results import NoResultError, save_predictions
from amlb.utils import (Namespace, Timer, call_script_in_same_dir, clean_dir, dir_of, json_dump,
    path_from_split, run_cmd, split_path, unsparsify, zip_path)
from frameworks.shared.callee import measure_inference_times, output_subdir, save_metadata

def run(dataset: Dataset, config: TaskConfig):
    assert dataset.type is DatasetType.binary and config.type == "classification"
    assert (config.fold, config.seed, config.metric, config.cores) == (0, 7, "auc", 1)
    assert config.job_timeout_seconds == 40 and config.framework_params == {"depth": 2}
    assert config.nothing is None and rconfig().root_dir
    assert [f.name for f in dataset.predictors] == ["number", "colour"]
    assert dataset.target.values == ["Yes", "no"] and dataset.target.name == "kind"
    assert dataset.features[2].values == ["Red", "blue"] and dataset.features[0].has_missing_values
    assert list(dataset.train.X.columns) == ["number", "colour"]
    assert dataset.train.y.shape == (60, 1) and set(dataset.train.y_enc) == {0, 1}
    assert np.isnan(dataset.train.X_enc).any() and dataset.test.X_enc.shape == (20, 2)
    X, X_test = impute_array(dataset.train.X_enc, dataset.test.X_enc)
    assert not np.isnan(X).any() and not np.isnan(X_test).any()
    assert dataset.target.label_encoder.inverse_transform([0, 1]).tolist() == ["Yes", "no"]
    assert len(set(dataset.test.y["kind"])) == 1, "the truth is not here"
    for form in ("csv", "arff", "parquet"):
        assert open(dataset.test.data_path(form), "rb").read(4)
    assert output_subdir("logs", config).endswith("logs/toy/0")
    assert unsparsify(dataset.train.y, fmt="array").shape == (60, 1)
    times = {}
    if config.measure_inference_time:
        files = dataset.inference_subsample_files(fmt="parquet")
        times["file"] = measure_inference_times(lambda file: None, [f for f in files if f[0] < 100])
    with Timer() as training:
        right = dataset.test.X["number"].fillna(0) > 4
    p = np.where(right, 0.9, 0.2)
    save_predictions(dataset=dataset, output_file=config.output_predictions_file,
        predictions=np.where(right, "Yes", "no"), probabilities=np.column_stack([1 - p, p]),
        probabilities_labels=["no", "Yes"], truth=dataset.test.y)
    return dict(models_count=3, training_duration=training.duration, predict_duration=0.5,
        inference_times=times)
"""
OUTER = """
from amlb.utils import call_script_in_same_dir, unsparsify

def setup(*args, **kwargs):
    call_script_in_same_dir(__file__, "setup.sh", *args, **kwargs)

def run(dataset, config):
    from frameworks.shared.caller import run_in_venv
    y_train, y_test = unsparsify(dataset.train.y_enc, dataset.test.y_enc)
    data = dict(train=dict(X_enc=dataset.train.X_enc, y_enc=y_train, path=dataset.train.path),
        test=dict(X_enc=dataset.test.X_enc, y_enc=y_test), problem_type=dataset.type.name)
    return run_in_venv(__file__, "exec.py", input_data=data, dataset=dataset, config=config)
"""
INNER = """
import os
from helper import answer
from frameworks.shared.callee import FrameworkError, call_run, result, output_subdir
from frameworks.shared.utils import InterruptTimeout, Timer, is_sparse, system_memory_mb, zip_path

def run(dataset, config):
    assert dataset.problem_type == "binary" and dataset.train.y_enc.shape == (60, 1)
    assert os.path.exists(dataset.train.path) and dataset.missing is None
    with Timer() as training:
        codes, probabilities = answer(dataset.test.X_enc)
    return result(output_file=config.output_predictions_file, predictions=codes,
        probabilities=probabilities, truth=dataset.test.y_enc, target_is_encoded=True,
        training_duration=training.duration, custom=5)

if __name__ == "__main__":
    call_run(run)
"""
HELPER = """
import numpy as np

def answer(X):
    codes = np.where(np.nan_to_num(X[:, 0]) > 4, 0, 1)
    return codes, np.column_stack([1 - codes, codes]).astype(float)
"""
MODEL = """
import numpy as np

class Model:
    classes_ = ["no", "Yes"]

    def fit(self, X, y):
        assert set(y) == {"Yes", "no"}

    def predict(self, X):
        return np.where(X["number"] > 4, "Yes", "no")

    def predict_proba(self, X):
        yes = (X["number"] > 4).to_numpy(float)
        return np.column_stack([1 - yes, yes])
"""


@pytest.fixture
def fold(tmp_path: Path) -> Try:
    return Try(tmp_path, metrics=["auc", "acc"], measure_inference_time=True)


def test_a_module_that_saves_its_predictions_with_inference_times(fold: Try) -> None:
    """AMLB ends with an AttributeError for each fold where inference is timed on files."""
    about = '{"name": "Own", "module": "extensions.Own", "params": {"depth": 2}}'
    log = fold.enter(__init__="from .inner import run\n", inner=IN_PROCESS, framework=about)
    assert fold.code == 0, log
    assert list(fold.predictions().columns) == ["Yes", "no", "predictions"]
    scores = fold.score()
    assert isinstance(scores, dict)
    assert (scores["result"], scores["acc"]) == (1.0, 1.0)
    assert set(scores) == {"result", "auc", "acc"}
    said = fold.metadata()
    assert said["framework_params"] == {"depth": 2}
    assert said["models_count"] == 3
    assert set(said["inference_times"]["file"]) == {"1", "10"}


def test_a_module_with_a_script_of_its_own_and_encoded_labels(fold: Try) -> None:
    log = fold.enter(__init__=OUTER, exec=INNER, helper=HELPER)
    assert fold.code == 0, log
    assert set(fold.predictions()["predictions"]) == {"Yes", "no"}
    scores = fold.score()
    assert isinstance(scores, dict)
    assert scores["acc"] == 1.0
    # What a participant's code says of its own times is no score.
    assert "training_duration" not in scores
    assert fold.metadata()["training_duration"] >= 0


def test_a_script_alone(fold: Try) -> None:
    text = INNER.replace('dataset.problem_type == "binary" and ', "").replace("(60, 1)", "(60,)")
    log = fold.enter(exec=text.replace(" and dataset.missing is None", ""), helper=HELPER)
    assert fold.code == 0, log
    assert isinstance(fold.score(), dict)


def test_a_plain_class(fold: Try) -> None:
    log = fold.enter(model=MODEL)
    assert fold.code == 0, log
    scores = fold.score()
    assert isinstance(scores, dict)
    assert scores["acc"] == 1.0


ESTIMATOR = """
from sklearn.tree import DecisionTreeClassifier

class Model(DecisionTreeClassifier):
    def fit(self, X, y):
        return super().fit(X[["number"]], y)

    def predict(self, X):
        return super().predict(X[["number"]])

    def predict_proba(self, X):
        return super().predict_proba(X[["number"]])
"""


def test_a_subclass_of_an_estimator(fold: Try) -> None:
    """Its constructor has settings, and none of them is the configuration."""
    log = fold.enter(model=ESTIMATOR)
    assert fold.code == 0, log
    scores = fold.score()
    assert isinstance(scores, dict)
    assert scores["acc"] >= 0.9


@pytest.mark.parametrize("signature", ["config", "settings", "config=None", "config, *, depth=2"])
def test_a_constructor_that_takes_the_configuration(signature: str, tmp_path: Path) -> None:
    fold = Try(tmp_path)
    name = signature.partition(",")[0].partition("=")[0]
    made = f"class Model:\n    def __init__(self, {signature}):\n        assert {name}.seed == 7\n"
    log = fold.enter(model=MODEL.replace("class Model:\n", made))
    assert fold.code == 0, log


def test_a_class_that_no_training_row_has_gets_nothing(tmp_path: Path) -> None:
    """No model can know of it; any other class without probabilities is the model's fault."""
    fold = Try(tmp_path, metrics=["logloss", "acc"])
    for part in ("in", "ref"):
        file = fold.folder / part / "dataset.json"
        about = json.loads(file.read_text())
        file.write_text(json.dumps({**about, "classes": ["Yes", "maybe", "no"],
                                    "type": "multiclass"}))  # fmt: skip
    log = fold.enter(model=MODEL)
    assert fold.code == 0, log
    assert fold.predictions()["maybe"].tolist() == [0.0] * 20
    scores = fold.score()
    assert isinstance(scores, dict)
    assert scores["acc"] == 1.0


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"model": "raise KeyError('x')"}, "KeyError: 'x'"),
        ({"model": "import sys; sys.exit(0)"}, "SystemExit: 0"),
        ({"other": "x = 1"}, "has neither model.py, __init__.py nor exec.py"),
        ({"__init__": "def run(dataset, config):\n    return {}\n"}, "ended without predictions"),
        ({"__init__": "x = 1\n"}, "has no function run"),
        (
            {"exec": "from frameworks.shared.callee import result\n"
                     "def run(d, c):\n    return result(error_message='no licence')\n"},
            "NoResultError: no licence",
        ),
        ({"model": MODEL.replace('["no", "Yes"]', '["no"]')}, "probabilities have shape (20, 2)"),
        ({"model": f"raise ValueError({'x' * 300!r})"}, f"ValueError: {'x' * 187}…"),
    ],
)  # fmt: skip
def test_each_failure_has_one_reason_and_a_code(
    files: dict[str, str], reason: str, tmp_path: Path
) -> None:
    fold = Try(tmp_path)
    log = fold.enter(**files)
    assert fold.code == 1
    assert reason in log.splitlines()[-1]
    assert len(log.splitlines()[-1]) <= 200


def test_a_submission_is_told_what_its_machine_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULLBENCH_CPUS", "2")
    monkeypatch.setenv("PULLBENCH_MEMORY", str(300 * 2**20))
    budget = {"max_runtime_seconds": 20, "cores": 4, "max_mem_size_mb": 512}
    fold = Try(tmp_path, budget=budget)
    log = fold.enter(
        __init__="def run(dataset, config):\n"
        "    raise SystemExit(f'told {config.cores} and {config.max_mem_size_mb}')\n"
    )
    assert "told 2 and 300" in log


def test_regression_and_the_program_of_the_benchmark(tmp_path: Path) -> None:
    fold = Try(tmp_path, target="number", type="regression")
    log = fold.ingest(ROOT / "submissions/amlb-validation/alice/constant-predictor")
    assert fold.code == 0, log
    scores = fold.score()
    assert isinstance(scores, dict)
    assert scores["result"] == -scores["rmse"] < 0


def test_the_committed_programs_are_those_of_the_template() -> None:
    template = ROOT / "evaluator/plugins/openml/templates/tabular"
    for file in sorted(template.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            copy = ROOT / "benchmarks/amlb-validation" / file.relative_to(template)
            assert copy.read_bytes() == file.read_bytes(), copy


def test_the_mini_suite_scores_as_the_template_does(fold: Try) -> None:
    """Its programs are older and smaller; other ones would make all of its records stale."""
    assert fold.enter(model=MODEL)
    found = [fold.score()]
    fold.programs = ROOT / "benchmarks/openml-mini-suite"
    assert fold.ingest(fold.folder / "entry")
    found.append(fold.score())
    first, second = ({key: scores[key] for key in ("result", "auc", "acc")}
                     for scores in found if isinstance(scores, dict))  # fmt: skip
    assert first == second


def test_all_folds_in_one_process(tmp_path: Path) -> None:
    """The starting kit: each fold has a row, a fold that fails has its reason."""
    kit = ROOT / "benchmarks/amlb-validation/starting_kit/run_folds.py"

    def rows(entry: Path) -> tuple[list[dict[str, Any]], int]:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-B", kit, entry, "wine", "diabetes"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return [json.loads(line) for line in done.stdout.splitlines()], done.returncode

    found, code = rows(ROOT / "submissions/amlb-validation/alice/constant-predictor")
    assert code == 0
    assert [(row["task"], row["fold"]) for row in found[:-1]] == [
        ("wine", 0), ("wine", 1), ("diabetes", 0), ("diabetes", 1),
    ]  # fmt: skip
    (tmp_path / "model.py").write_text("raise KeyError('x')\n")
    found, code = rows(tmp_path)
    assert (code, found[-1]) == (1, {"folds": 4, "failed": 4})
    assert {row["error"] for row in found[:-1]} == {"KeyError: 'x'"}
