"""The metrics of the tabular scoring program, for use outside containers.

There is one definition of each, in the program that bundles carry.
"""

import importlib.util
import sys
from functools import lru_cache
from types import ModuleType

from evaluator.plugins.openml.tabular.bundle import TEMPLATE

_FILE = TEMPLATE / "scoring_program/metrics.py"
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
