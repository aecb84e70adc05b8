"""AMLB's metrics: against scikit-learn, and where there is no value."""

import importlib.util
import math
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import sklearn.metrics as sk

import evaluator

TEMPLATES = Path(evaluator.__file__).parent / "plugins/openml/templates"
FILE = TEMPLATES / "tabular/scoring_program/metrics.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tabular_metrics", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["tabular_metrics"] = module
    spec.loader.exec_module(module)
    return module


metrics = _load()
BINARY = ("no", "yes")
MANY = ("a", "b", "c", "d")


def classification(
    labels: Sequence[str], rows: int, seed: int, decimals: int = 16
) -> tuple[Any, Any, Any]:
    """Truth, predictions and probabilities; few decimals make ties."""
    generator = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(len(labels)), generator.integers(0, len(labels), rows)])
    scores = np.eye(len(labels))[codes] * 0.6 + generator.random((len(codes), len(labels)))
    scores = np.round(scores / scores.sum(axis=1, keepdims=True), decimals)
    scores[:, -1] = 1 - scores[:, :-1].sum(axis=1)
    names = np.array(labels)
    return names[codes], names[scores.argmax(axis=1)], np.clip(scores, 0, 1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("decimals", [16, 1])
def test_binary_metrics_are_those_of_scikit_learn(seed: int, decimals: int) -> None:
    truth, predictions, scores = classification(BINARY, 60, seed, decimals)
    positive = (truth == "yes").astype(int)
    guessed = (predictions == "yes").astype(int)
    matrix = sk.confusion_matrix(positive, guessed)
    errors = 1 - np.diag(matrix) / matrix.sum(axis=1)
    clipped = np.clip(scores, np.finfo(float).eps, 1 - np.finfo(float).eps)
    expected = {
        "auc": sk.roc_auc_score(positive, scores[:, 1]),
        "auc_ovr": sk.roc_auc_score(positive, scores[:, 1]),
        "acc": sk.accuracy_score(positive, guessed),
        "balacc": sk.balanced_accuracy_score(positive, guessed),
        "f05": sk.fbeta_score(positive, guessed, beta=0.5),
        "f1": sk.fbeta_score(positive, guessed, beta=1),
        "f2": sk.fbeta_score(positive, guessed, beta=2),
        "logloss": sk.log_loss(positive, clipped, labels=[0, 1]),
        "pr_auc": sk.average_precision_score(positive, scores[:, 1]),
        "max_pce": max(errors),
        "mean_pce": np.mean(errors),
    }
    found = {key: metrics.score(key, truth, predictions, scores, BINARY) for key in expected}
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("decimals", [16, 1])
def test_multiclass_metrics_are_those_of_scikit_learn(seed: int, decimals: int) -> None:
    truth, predictions, scores = classification(MANY, 80, seed, decimals)
    scores = scores / scores.sum(axis=1, keepdims=True)
    codes = np.searchsorted(MANY, truth)
    guessed = np.searchsorted(MANY, predictions)
    labels = list(range(4))
    matrix = sk.confusion_matrix(codes, guessed, labels=labels)
    errors = 1 - np.diag(matrix) / matrix.sum(axis=1)

    def area(kind: str) -> float:
        return float(
            sk.roc_auc_score(codes, scores, average="weighted", multi_class=kind, labels=labels)
        )

    def fbeta(beta: float) -> float:
        return float(sk.fbeta_score(codes, guessed, beta=beta, average="weighted", labels=labels))

    expected = {
        "auc_ovr": area("ovr"),
        "auc_ovo": area("ovo"),
        "acc": sk.accuracy_score(codes, guessed),
        "balacc": sk.balanced_accuracy_score(codes, guessed),
        "f05": fbeta(0.5),
        "f1": fbeta(1),
        "f2": fbeta(2),
        "logloss": sk.log_loss(codes, scores, labels=labels),
        "max_pce": max(errors),
        "mean_pce": np.mean(errors),
    }
    found = {key: metrics.score(key, truth, predictions, scores, MANY) for key in expected}
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_regression_metrics_are_those_of_scikit_learn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    truth = generator.gamma(2.0, 5.0, 100)
    predictions = np.abs(truth + generator.normal(0, 2, 100))
    squared = sk.mean_squared_error(truth, predictions)
    logged = sk.mean_squared_log_error(truth, predictions)
    expected = {
        "mae": sk.mean_absolute_error(truth, predictions),
        "mse": squared,
        "rmse": math.sqrt(squared),
        "msle": logged,
        "rmsle": math.sqrt(logged),
        "r2": sk.r2_score(truth, predictions),
    }
    found = {key: metrics.score(key, truth, predictions) for key in expected}
    assert found == pytest.approx(expected, rel=1e-12)


def test_time_series_by_hand() -> None:
    """Two series of two steps; the second has no seasonal error, so that it is left out."""
    columns: dict[str, Any] = {
        "truth": [10.0, 20.0, 0.0, 4.0],
        "predictions": [12.0, 16.0, 1.0, 4.0],
        "item_ids": ["x", "x", "y", "y"],
        "seasonal_errors": [2.0, 2.0, 0.0, 0.0],
        "quantiles": [[9.0, 14.0], [15.0, 18.0], [0.0, 2.0], [3.0, 5.0]],
        "levels": [0.1, 0.9],
    }
    # Quantile losses: 2*|off * ((off >= 0) - level)|, by step the mean of both levels.
    steps = [(0.2 + 0.8) / 2, (1.0 + 3.6) / 2, (0.0 + 0.4) / 2, (0.2 + 0.2) / 2]
    expected = {
        "mape": (0.2 + 0.2 + 0.0) / 3,
        "smape": (2 / 11 + 4 / 18 + 1 / 0.5 + 0) / 4,
        "wape": 7 / 34,
        "mase": 1.5,
        "mql": sum(steps) / 4,
        "wql": sum(steps) / 34,
        "sql": (steps[0] + steps[1]) / 2 / 2,
        "rmse": math.sqrt((4 + 16 + 1) / 4),
        "mse": 21 / 4,
    }
    found = {key: metrics.score(key, **columns) for key in expected}
    assert found == pytest.approx(expected, rel=1e-12)
    answers = metrics.make_answers(**columns)
    assert answers.type == "timeseries"
    assert set(expected) == set(metrics.DEFAULTS["timeseries"])


def test_a_series_that_never_moves_and_is_hit_leaves_the_mean_to_the_others() -> None:
    found = metrics.score(
        "mase", [1.0, 2.0, 5.0, 5.0], [2.0, 2.0, 5.0, 5.0],
        item_ids=["x", "x", "y", "y"], seasonal_errors=[1.0, 1.0, 0.0, 0.0],
    )  # fmt: skip
    assert found == 0.5


def test_log_loss_is_clipped_and_made_to_sum_to_one_as_in_scikit_learn_1_2_2() -> None:
    scores = [[1.0, 0.0, 0.0], [0.5, 0.5, 0.5]]
    found = metrics.score("logloss", ["b", "a"], ["a", "a"], scores, ("a", "b", "c"))
    epsilon = np.finfo(float).eps
    sure = -math.log(epsilon / (1 - epsilon + 2 * epsilon))
    assert found == pytest.approx((sure + math.log(3)) / 2, rel=1e-12)
    assert round(-math.log(epsilon), 4) == 36.0437


def test_log_loss_of_a_truth_of_one_class_is_defined() -> None:
    found = metrics.score("logloss", ["no", "no"], ["no", "no"], [[0.5, 0.5]] * 2, BINARY)
    assert found == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("metric", "text"),
    [
        ("auc", "Only one class"),
        ("auc_ovr", "Only one class"),
        ("mean_pce", "not defined"),
        ("rmse", "Unsupported metric `rmse` for binary problems"),
        ("banana", "Unsupported metric `banana` for binary problems"),
    ],
)
def test_one_class_in_the_truth_has_no_area(metric: str, text: str) -> None:
    answers = metrics.make_answers(["no", "no"], ["no", "yes"], [[0.9, 0.1], [0.2, 0.8]], BINARY)
    found = metrics.evaluate(metric, answers)
    assert math.isnan(found.value)
    assert text in found.message
    assert metrics.evaluate("acc", answers) == metrics.Outcome(0.5)
    assert metrics.evaluate("balacc", answers) == metrics.Outcome(0.5)
    assert metrics.evaluate("f1", answers) == metrics.Outcome(0.0)
    assert metrics.evaluate("pr_auc", answers) == metrics.Outcome(0.0)
    assert metrics.evaluate("max_pce", answers) == metrics.Outcome(0.5)


def test_a_class_of_the_truth_without_a_column_leaves_no_metric() -> None:
    answers = metrics.make_answers(["a", "b", "z"], ["a", "b", "b"], [[0.9, 0.1]] * 3, ("a", "b"))
    for metric in metrics.DEFAULTS["binary"]:
        found = metrics.evaluate(metric, answers)
        assert math.isnan(found.value)
        assert "['z']" in found.message


def test_a_class_without_a_row_has_no_one_against_the_rest() -> None:
    truth, predictions, scores = classification(("a", "b", "c"), 20, 3)
    keep = truth != "c"
    answers = metrics.make_answers(truth[keep], predictions[keep], scores[keep], ("a", "b", "c"))
    assert "Only one class" in metrics.evaluate("auc_ovr", answers).message
    codes = np.searchsorted(("a", "b"), truth[keep])
    expected = (
        sk.roc_auc_score(codes == 0, scores[keep][:, 0])
        + sk.roc_auc_score(codes == 1, scores[keep][:, 1])
    ) / 2
    assert metrics.evaluate("auc_ovo", answers).value == pytest.approx(expected, abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a prediction without a row of the truth
        expected = sk.balanced_accuracy_score(truth[keep], predictions[keep])
    assert metrics.evaluate("balacc", answers).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        (None, "no probabilities"),
        ([[math.nan, 1.0]] * 2, "NaN"),
        ([[1.5, -0.5]] * 2, "between 0 and 1"),
    ],
)
def test_probabilities_that_are_none(scores: Any, text: str) -> None:
    answers = metrics.make_answers(["no", "yes"], ["no", "yes"], scores, BINARY)
    assert text in metrics.evaluate("logloss", answers).message
    assert metrics.evaluate("acc", answers).value == 1.0


def test_columns_and_rows_must_fit() -> None:
    with pytest.raises(ValueError, match="1 predictions for 2 rows"):
        metrics.score("rmse", [1, 2], [1])
    with pytest.raises(ValueError, match="not \\(2, 2\\)"):
        metrics.score("acc", ["a", "b"], ["a", "b"], [[0.1, 0.2, 0.7]] * 2, ("a", "b"))


@pytest.mark.parametrize(
    ("metric", "truth", "predictions", "text"),
    [
        ("rmse", [1.0, 2.0], [1.0, math.nan], "NaN or Inf"),
        ("msle", [1.0, 2.0], [1.0, -2.0], "negative"),
        ("r2", [1.0], [1.0], "less than two"),
        ("auc", [1.0, 2.0], [1.0, 2.0], "Unsupported metric `auc` for regression problems"),
        ("mae", [], [], "no rows"),
    ],
)
def test_regression_without_a_value(
    metric: str, truth: list[float], predictions: list[float], text: str
) -> None:
    found = metrics.evaluate(metric, metrics.make_answers(truth, predictions))
    assert math.isnan(found.value)
    assert text in found.message


def test_a_constant_truth_has_the_r2_of_scikit_learn() -> None:
    assert metrics.score("r2", [2, 2], [2, 2]) == sk.r2_score([2, 2], [2, 2]) == 1
    assert metrics.score("r2", [2, 2], [2, 3]) == sk.r2_score([2, 2], [2, 3]) == 0


def test_series_of_unequal_length_are_refused() -> None:
    answers = metrics.make_answers(
        [1, 2, 3], [1, 2, 3], item_ids=["x", "x", "y"], seasonal_errors=[1, 1, 1]
    )
    assert "different lengths [2, 1]" in metrics.evaluate("mase", answers).message


def test_losses_are_negated_and_named_so() -> None:
    assert metrics.result_of("logloss", 0.25) == ("neg_logloss", -0.25)
    assert metrics.result_of("auc", 0.75) == ("auc", 0.75)
    every = {name for group in metrics._FUNCTIONS.values() for name in group}
    assert every == set(metrics.HIGHER_IS_BETTER)
