"""Names of metrics, by type of task, as the AutoML Benchmark has them."""

import importlib.util
import sys
from functools import lru_cache
from types import ModuleType

from evaluator.core.scaffold.scaffold import TEMPLATES

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

_FILE = TEMPLATES / "tabular/scoring_program/metrics.py"
_NAME = "pullbench_tabular_metrics"


@lru_cache(maxsize=1)
def metrics() -> ModuleType:
    spec = importlib.util.spec_from_file_location(_NAME, _FILE)
    if spec is None or spec.loader is None:
        raise ImportError(f"{_FILE} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module


def losses() -> frozenset[str]:
    """Names of metrics of which less is better."""
    return frozenset(name for name, higher in metrics().HIGHER_IS_BETTER.items() if not higher)


def metric_names() -> frozenset[str]:
    return frozenset(metrics().HIGHER_IS_BETTER)
