"""The metrics of the AutoML Benchmark, by its definitions (those of scikit-learn 1.2.2).

Classification: labels are text, probabilities have one column for each label, in lexicographic
order; the second one is positive where there are two. What cannot be computed is NaN, with a text
that says why. Needs numpy alone.
"""

import math
import statistics
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

HIGHER_IS_BETTER = {
    "acc": True, "auc": True, "auc_ovo": True, "auc_ovr": True, "balacc": True, "f05": True,
    "f1": True, "f2": True, "pr_auc": True, "r2": True,
    "logloss": False, "max_pce": False, "mean_pce": False, "mae": False, "mse": False,
    "msle": False, "rmse": False, "rmsle": False, "mape": False, "mase": False, "smape": False,
    "wape": False, "mql": False, "wql": False, "sql": False,
}  # fmt: skip
DEFAULTS = {
    "binary": ("auc", "logloss", "acc", "balacc"),
    "multiclass": ("logloss", "acc", "balacc"),
    "regression": ("rmse", "r2", "mae"),
    "timeseries": ("mase", "mape", "smape", "wape", "rmse", "mse", "mql", "wql", "sql"),
}
"""Those that are computed where a definition names none; the first is optimised."""


class MetricError(ValueError):
    """A metric that these predictions have no value of."""


@dataclass(frozen=True)
class Outcome:
    """The value of one metric."""

    value: float
    message: str = ""
    """Why the value is NaN."""


@dataclass(frozen=True)
class Answers:
    """Truth and predictions of one fold."""

    truth: np.ndarray
    """n values: text where there are labels."""
    predictions: np.ndarray
    """n values, as those of the truth."""
    probabilities: np.ndarray | None = None
    """n x number of labels."""
    labels: tuple[str, ...] = ()
    """Empty for regression and time series."""
    item_ids: np.ndarray | None = None
    """n names of series; None where there are none."""
    seasonal_errors: np.ndarray | None = None
    """n values: the mean absolute error of the naive forecast on the series' past."""
    quantiles: np.ndarray | None = None
    """n x number of levels."""
    levels: tuple[float, ...] = ()
    codes: dict[str, np.ndarray] = field(default_factory=dict, compare=False)
    """Indices of the labels of truth and predictions, once they are looked up."""

    @property
    def type(self) -> str:
        """``binary``, ``multiclass``, ``regression`` or ``timeseries``."""
        if self.labels:
            return "binary" if len(self.labels) == 2 else "multiclass"
        return "regression" if self.item_ids is None else "timeseries"


def score(metric, truth, predictions, probabilities=None, labels=(), **series) -> float:
    """Return the value of a metric; NaN where it is unsupported or not defined.

    ``series`` are the fields of ``Answers`` for time series.
    """
    return evaluate(metric, make_answers(truth, predictions, probabilities, labels, **series)).value


def make_answers(truth, predictions, probabilities=None, labels=(), **series) -> Answers:
    """Put columns of any kind into the types that the metrics expect. Raises ValueError."""
    if len(truth) != len(predictions):
        raise MetricError(f"there are {len(predictions)} predictions for {len(truth)} rows")
    if len(labels):
        labels = tuple(map(str, labels))
        truth, predictions = (np.array([str(v) for v in c]) for c in (truth, predictions))
        if probabilities is not None:
            probabilities = np.asarray(probabilities, dtype=float)
            if probabilities.shape != (len(truth), len(labels)):
                raise MetricError(
                    f"probabilities are {probabilities.shape}, not {(len(truth), len(labels))}"
                )
        return Answers(truth, predictions, probabilities, labels)
    truth, predictions = (np.asarray(column, dtype=float) for column in (truth, predictions))
    if series.get("item_ids") is None:
        return Answers(truth, predictions)
    return Answers(
        truth, predictions,
        item_ids=np.asarray(series["item_ids"]),
        seasonal_errors=np.asarray(series["seasonal_errors"], dtype=float),
        quantiles=np.asarray(series.get("quantiles", np.empty((len(truth), 0))), dtype=float),
        levels=tuple(map(float, series.get("levels", ()))),
    )  # fmt: skip


def evaluate(metric: str, answers: Answers) -> Outcome:
    """Compute one metric; what goes wrong is said, never raised."""
    function = _FUNCTIONS[_family(answers)].get(metric)
    if function is None:
        known = f"Unsupported metric `{metric}` for {answers.type} problems"
        return Outcome(math.nan, known)
    try:
        _check(answers)
        with np.errstate(all="ignore"):
            value = float(function(answers))
    except (ValueError, ArithmeticError, statistics.StatisticsError) as error:
        return Outcome(math.nan, f"Scoring {metric}: {error}")
    if math.isnan(value):
        return Outcome(value, f"Scoring {metric}: it is not defined for these predictions")
    return Outcome(value)


def result_of(metric: str, value: float) -> tuple[str, float]:
    """Return name and value of AMLB's ``result``, of which more is always better."""
    if HIGHER_IS_BETTER.get(metric, True):
        return metric, value
    return f"neg_{metric}", -value


def _family(answers: Answers) -> str:
    return answers.type if answers.type in _FUNCTIONS else "classification"


def _check(answers: Answers) -> None:
    if not len(answers.truth):
        raise MetricError("there are no rows")
    if answers.labels:
        return
    numbers = [answers.truth, answers.predictions]
    if answers.quantiles is not None:
        numbers.append(answers.quantiles)
    if not all(np.isfinite(column).all() for column in numbers):
        raise MetricError("Predictions contain NaN or Inf values")
    if answers.item_ids is not None:
        _, counts = np.unique(answers.item_ids, return_counts=True)
        if len(set(counts.tolist())) != 1:
            raise MetricError(f"Predicted sequences have different lengths {counts.tolist()}.")


def _codes(answers: Answers, which: str) -> np.ndarray:
    """Return indices of labels. A label without a column of probabilities has none."""
    if which not in answers.codes:
        index = {label: position for position, label in enumerate(answers.labels)}
        values = getattr(answers, which)
        unknown = sorted(set(values.tolist()) - set(index))
        if unknown:
            raise MetricError(f"{which} contains labels without a column: {unknown[:5]}")
        answers.codes[which] = np.array([index[value] for value in values.tolist()])
    return answers.codes[which]


def _probabilities(answers: Answers) -> np.ndarray:
    if answers.probabilities is None:
        raise MetricError("there are no probabilities")
    if not np.isfinite(answers.probabilities).all():
        raise MetricError("Input contains NaN or infinity.")
    return answers.probabilities


def _confusion(answers: Answers) -> np.ndarray:
    """Return counts: rows are truth, columns predictions."""
    size = len(answers.labels)
    flat = _codes(answers, "truth") * size + _codes(answers, "predictions")
    return np.bincount(flat, minlength=size * size).reshape(size, size)


def acc(answers: Answers) -> float:
    """Accuracy."""
    return float(np.mean(_codes(answers, "truth") == _codes(answers, "predictions")))


def balacc(answers: Answers) -> float:
    """Balanced accuracy: mean recall of the classes that occur."""
    matrix = _confusion(answers)
    rows = matrix.sum(axis=1)
    return float(np.mean(np.diag(matrix)[rows > 0] / rows[rows > 0]))


def _fbeta(answers: Answers, beta: float) -> float:
    matrix = _confusion(answers)
    hits, predicted, true = np.diag(matrix), matrix.sum(axis=0), matrix.sum(axis=1)
    bottom = beta**2 * true + predicted
    values = np.where(bottom > 0, (1 + beta**2) * hits / np.maximum(bottom, 1e-300), 0.0)
    return float(values[1] if len(values) == 2 else np.average(values, weights=true))


def _binary_auc(positive: np.ndarray, scores: np.ndarray) -> float:
    """Mann-Whitney: ties count half."""
    ones = int(positive.sum())
    zeros = len(positive) - ones
    if not ones or not zeros:
        raise MetricError(
            "Only one class present in y_true. ROC AUC score is not defined in that case."
        )
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2
    wins = mean_ranks[inverse][positive].sum() - ones * (ones + 1) / 2
    return float(wins / (ones * zeros))


def auc(answers: Answers) -> float:
    """Area under the ROC curve of the probability of the second label."""
    if len(answers.labels) != 2:
        raise MetricError("For multiclass problems, use `auc_ovr` or `auc_ovo` instead of `auc`.")
    return _binary_auc(_codes(answers, "truth") == 1, _probabilities(answers)[:, 1])


def _sums_to_one(answers: Answers) -> np.ndarray:
    scores = _probabilities(answers)
    if not np.allclose(1, scores.sum(axis=1)):
        raise MetricError("probabilities of multiclass problems must sum up to 1.0 over classes")
    return scores


def auc_ovr(answers: Answers) -> float:
    """Each class against the rest, weighted by how often it occurs."""
    if len(answers.labels) == 2:
        return auc(answers)
    truth, scores = _codes(answers, "truth"), _sums_to_one(answers)
    columns = range(len(answers.labels))
    values = [_binary_auc(truth == column, scores[:, column]) for column in columns]
    return float(np.average(values, weights=[np.sum(truth == column) for column in columns]))


def auc_ovo(answers: Answers) -> float:
    """Each pair of classes that occur, both ways, weighted by how many rows it has."""
    if len(answers.labels) == 2:
        return auc(answers)
    truth, scores = _codes(answers, "truth"), _sums_to_one(answers)
    values, weights = [], []
    for first, second in combinations(np.unique(truth).tolist(), 2):
        rows = (truth == first) | (truth == second)
        both = (_binary_auc(truth[rows] == one, scores[rows, one]) for one in (first, second))
        values.append(sum(both) / 2)
        weights.append(rows.mean())
    if not values:
        raise MetricError("Only one class present in y_true.")
    return float(np.average(values, weights=weights))


def logloss(answers: Answers) -> float:
    """Log loss; probabilities are clipped by the machine's epsilon, then made to sum to 1."""
    scores = _probabilities(answers)
    if len(answers.labels) < 2:
        raise MetricError("the labels must be two at least")
    if (scores < 0).any() or (scores > 1).any():
        raise MetricError("probabilities must lie between 0 and 1")
    epsilon = np.finfo(float).eps
    scores = np.clip(scores, epsilon, 1 - epsilon)
    scores = scores / scores.sum(axis=1, keepdims=True)
    chosen = scores[np.arange(len(scores)), _codes(answers, "truth")]
    return float(np.mean(-np.log(chosen)))


def pr_auc(answers: Answers) -> float:
    """Average precision of the probability of the second label."""
    if len(answers.labels) != 2:
        raise MetricError("PR AUC metric is only available for binary problems.")
    positive, scores = _codes(answers, "truth") == 1, _probabilities(answers)[:, 1]
    total = positive.sum()
    if not total:
        return 0.0
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    hits = np.cumsum(positive[order])[last]
    return float(np.sum(np.diff(hits, prepend=0) / total * (hits / (last + 1))))


def _class_errors(answers: Answers) -> list[float]:
    matrix = _confusion(answers)
    rows = matrix.sum(axis=1)
    return ((rows - np.diag(matrix)) / rows).tolist()


def max_pce(answers: Answers) -> float:
    """Return the greatest error of a class."""
    # As AMLB: a class without a row is NaN, which Python's max passes over unless it is first.
    return max(_class_errors(answers))


def mean_pce(answers: Answers) -> float:
    """Mean error of the classes; not defined where one has no row."""
    return statistics.mean(_class_errors(answers))


def mae(answers: Answers) -> float:
    """Mean absolute error."""
    return float(np.mean(np.abs(answers.truth - answers.predictions)))


def mse(answers: Answers) -> float:
    """Mean squared error."""
    return float(np.mean((answers.truth - answers.predictions) ** 2))


def msle(answers: Answers) -> float:
    """Mean squared logarithmic error."""
    if (answers.truth < 0).any() or (answers.predictions < 0).any():
        raise MetricError("it cannot be used when targets contain negative values.")
    return float(np.mean((np.log1p(answers.truth) - np.log1p(answers.predictions)) ** 2))


def r2(answers: Answers) -> float:
    """Coefficient of determination; of a constant truth 1 where all is right, else 0."""
    if len(answers.truth) < 2:
        raise MetricError("R^2 score is not well-defined with less than two samples.")
    residual = np.sum((answers.truth - answers.predictions) ** 2)
    total = np.sum((answers.truth - answers.truth.mean()) ** 2)
    if total == 0:
        return 1.0 if residual == 0 else 0.0
    return float(1 - residual / total)


def _finite_mean(values: np.ndarray) -> float:
    """Mean of what is finite, as AMLB takes it."""
    return float(np.mean(values[np.isfinite(values)])) if np.isfinite(values).any() else math.nan


def _by_item(answers: Answers, values: np.ndarray) -> np.ndarray:
    """Mean of each series, over what is not NaN."""
    _, inverse = np.unique(answers.item_ids, return_inverse=True)
    there = ~np.isnan(values)
    sums = np.bincount(inverse, weights=np.where(there, values, 0.0))
    return sums / np.bincount(inverse, weights=there)


def mape(answers: Answers) -> float:
    """Mean absolute percentage error."""
    return _finite_mean(np.abs(answers.truth - answers.predictions) / np.abs(answers.truth))


def smape(answers: Answers) -> float:
    """Symmetric mean absolute percentage error."""
    size = (np.abs(answers.truth) + np.abs(answers.predictions)) / 2
    return _finite_mean(np.abs(answers.truth - answers.predictions) / size)


def wape(answers: Answers) -> float:
    """Weighted average percentage error."""
    errors = np.abs(answers.truth - answers.predictions)
    return float(np.sum(errors) / np.sum(np.abs(answers.truth)))


def mase(answers: Answers) -> float:
    """Mean absolute error of each series, scaled by its seasonal error."""
    errors = np.abs(answers.truth - answers.predictions)
    return _finite_mean(_by_item(answers, errors / answers.seasonal_errors))


def _quantile_loss(answers: Answers) -> np.ndarray:
    """Return n x levels."""
    if not answers.levels:
        raise MetricError("there are no quantiles")
    off = answers.quantiles - answers.truth[:, None]
    return 2 * np.abs(off * ((off >= 0) - np.array(answers.levels)))


def mql(answers: Answers) -> float:
    """Mean quantile loss."""
    return float(np.mean(_quantile_loss(answers)))


def wql(answers: Answers) -> float:
    """Weighted quantile loss."""
    return float(_quantile_loss(answers).mean(axis=1).sum() / np.sum(np.abs(answers.truth)))


def sql(answers: Answers) -> float:
    """Scaled quantile loss."""
    loss = _quantile_loss(answers).mean(axis=1)
    return _finite_mean(_by_item(answers, loss / answers.seasonal_errors))


_REGRESSION = {
    "mae": mae, "mse": mse, "msle": msle, "r2": r2,
    "rmse": lambda answers: math.sqrt(mse(answers)),
    "rmsle": lambda answers: math.sqrt(msle(answers)),
}  # fmt: skip
_FUNCTIONS = {
    "classification": {
        "acc": acc, "auc": auc, "auc_ovo": auc_ovo, "auc_ovr": auc_ovr, "balacc": balacc,
        "f05": lambda answers: _fbeta(answers, 0.5), "f1": lambda answers: _fbeta(answers, 1.0),
        "f2": lambda answers: _fbeta(answers, 2.0), "logloss": logloss, "max_pce": max_pce,
        "mean_pce": mean_pce, "pr_auc": pr_auc,
    },
    "regression": _REGRESSION,
    "timeseries": {
        **_REGRESSION, "mape": mape, "mase": mase, "smape": smape, "wape": wape, "mql": mql,
        "wql": wql, "sql": sql,
    },
}  # fmt: skip
