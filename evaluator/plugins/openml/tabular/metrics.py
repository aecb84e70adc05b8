"""The metrics of the tabular scoring program, for use outside containers, and their names by type.

There is one definition of each, in the program that bundles carry.
"""

import importlib.util
import sys
from functools import lru_cache
from pathlib import Path
from types import ModuleType

_FILE = Path(__file__).parents[1] / "templates/tabular/scoring_program/metrics.py"
_NAME = "pullbench_tabular_metrics"
_MULTICLASS = ["auc_ovo", "auc_ovr", "acc", "balacc", "f05", "f1", "f2", "logloss", "max_pce"]
_MULTICLASS += ["mean_pce"]
NAMES = {
    "binary": ["auc", *_MULTICLASS, "pr_auc"],
    "multiclass": _MULTICLASS,
    "regression": ["mae", "mse", "msle", "rmse", "rmsle", "r2"],
    "timeseries": ["mase", "mape", "smape", "wape", "rmse", "mse", "mae", "mql", "wql", "sql"],
}
"""Type of a task -> its metrics, as the AutoML Benchmark names them."""


@lru_cache(maxsize=1)
def metrics() -> ModuleType:
    spec = importlib.util.spec_from_file_location(_NAME, _FILE)
    if spec is None or spec.loader is None:
        raise ImportError(f"{_FILE} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    return module


def default_metrics(kind: str) -> tuple[str, ...]:
    """What is measured where a definition names nothing; the first is optimised."""
    names: tuple[str, ...] = metrics().DEFAULTS[kind]
    return names


def losses() -> frozenset[str]:
    return frozenset(name for name, higher in metrics().HIGHER_IS_BETTER.items() if not higher)


def metric_names() -> frozenset[str]:
    return frozenset(metrics().HIGHER_IS_BETTER)
