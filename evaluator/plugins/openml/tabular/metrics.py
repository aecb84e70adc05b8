"""Names of metrics, by type of task, as the AutoML Benchmark has them."""

LOSSES = frozenset(
    [
        "logloss",
        "max_pce",
        "mean_pce",
        "mae",
        "mse",
        "msle",
        "rmse",
        "rmsle",
        "mase",
        "mape",
        "smape",
        "wape",
        "mql",
        "wql",
        "sql",
    ]
)
"""Metrics that are better when they are lower; ``result`` is their negation."""
_CLASSIFICATION = [
    "auc",
    "auc_ovo",
    "auc_ovr",
    "acc",
    "balacc",
    "f05",
    "f1",
    "f2",
    "logloss",
    "max_pce",
    "mean_pce",
    "pr_auc",
]
_REGRESSION = ["mae", "mse", "msle", "rmse", "rmsle", "r2"]
_SERIES = ["mase", "mape", "smape", "wape", "rmse", "mse", "mae", "mql", "wql", "sql"]
NAMES = {
    "binary": _CLASSIFICATION,
    "multiclass": [name for name in _CLASSIFICATION if name not in ("auc", "pr_auc")],
    "regression": _REGRESSION,
    "timeseries": _SERIES,
}
DEFAULT = {
    "binary": ["auc", "logloss", "acc", "balacc"],
    "multiclass": ["logloss", "acc", "balacc"],
    "regression": ["rmse", "r2", "mae"],
    "timeseries": ["mase", "mape", "smape", "wape", "rmse", "mse", "mql", "wql", "sql"],
}
"""What is measured where a definition says nothing; the first one is optimised."""
