"""Finds out which form a submission has, and runs it.

``model.py`` with a class Model; or a framework module of the AutoML Benchmark: a package with
``run(dataset, config)``, or ``exec.py`` with ``run`` alone. framework.json, where there is one,
gives its name, version, module and parameters.
"""

import contextlib
import importlib.util
import inspect
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from amlb.benchmark import TaskConfig
from amlb.data import Dataset
from amlb.results import NoResultError, save_predictions, save_result
from fold import Fold


@dataclass
class Outcome:
    """What a run says of itself."""

    framework: str
    version: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    training_duration: float | None = None
    predict_duration: float | None = None
    models_count: int | None = None
    inference_times: dict[str, Any] = field(default_factory=dict)


def run_submission(fold: Fold, folder: Path) -> Outcome:
    """Run a submission of either form; predictions.csv is there afterwards."""
    about = _about(folder)
    outcome = Outcome(
        framework=about.get("name") or "model",
        version=str(about.get("version") or ""),
        params=about.get("params") or {},
    )
    sys.path.insert(0, str(folder))
    if (folder / "model.py").is_file() and not (folder / "__init__.py").is_file():
        _run_model(fold, outcome)
    elif any((folder / name).is_file() for name in ("__init__.py", "exec.py")):
        _run_framework(fold, folder, about, outcome)
    else:
        raise FileNotFoundError("the submission has neither model.py, __init__.py nor exec.py")
    return outcome


def _about(folder: Path) -> dict[str, Any]:
    file = folder / "framework.json"
    if not file.is_file():
        return {}
    about = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(about, dict):
        raise ValueError("framework.json must hold keys and values")
    return about


def _run_model(fold: Fold, outcome: Outcome) -> None:
    import model

    config = TaskConfig(fold.config | {"framework": "model", "framework_params": outcome.params})
    made = model.Model(config) if _takes_config(model.Model) else model.Model()
    x_train = fold.train.drop(columns=fold.target)
    x_test = fold.test.drop(columns=fold.target)
    y_train = fold.train[fold.target]
    if fold.is_classification:
        y_train = y_train.astype(str)
    started = time.monotonic()
    made.fit(x_train, y_train)
    outcome.training_duration = time.monotonic() - started
    started = time.monotonic()
    predictions = np.asarray(made.predict(x_test))
    outcome.predict_duration = time.monotonic() - started
    probabilities = labels = None
    if fold.is_classification and hasattr(made, "predict_proba"):
        probabilities = pd.DataFrame(made.predict_proba(x_test))
        labels = [str(label) for label in getattr(made, "classes_", fold.classes)]
        for label in fold.classes:
            if label not in labels and not (y_train == label).any():
                probabilities[f"{label} of no training row"] = 0.0
                labels.append(label)
    outcome.models_count = int(getattr(made, "models_count", 1))
    quantiles = None
    if fold.meta["type"] == "timeseries" and hasattr(made, "predict_quantiles"):
        quantiles = pd.DataFrame(made.predict_quantiles(x_test))
    save_predictions(
        Dataset(fold), fold.config["output_predictions_file"], predictions=predictions,
        probabilities=probabilities, probabilities_labels=labels, optional_columns=quantiles,
    )  # fmt: skip


def _takes_config(model: type) -> bool:
    """Say whether a constructor wants the configuration; an estimator's settings have defaults."""
    found = inspect.signature(model).parameters.values()
    return any(
        item.name == "config"
        or (item.default is item.empty and item.kind in (item.POSITIONAL_ONLY,
                                                         item.POSITIONAL_OR_KEYWORD))
        for item in found
    )  # fmt: skip


def _run_framework(fold: Fold, folder: Path, about: dict[str, Any], outcome: Outcome) -> None:
    name = outcome.framework if about.get("name") else "framework"
    outcome.framework = name
    config = TaskConfig(
        fold.config
        | {
            "framework": name,
            "framework_params": dict(outcome.params),
            "framework_version": outcome.version,
        }
    )
    dataset = Dataset(fold)
    started = time.monotonic()
    if (folder / "__init__.py").is_file():
        module = _load_package(str(about.get("module") or f"frameworks.{name}"), folder)
        if not callable(getattr(module, "run", None)):
            raise AttributeError("its __init__.py has no function run(dataset, config)")
        meta = module.run(dataset=dataset, config=config)
    else:
        from frameworks.shared.caller import run_in_process

        meta = run_in_process(folder / "exec.py", dataset, config)
    seconds = time.monotonic() - started
    if isinstance(meta, dict) and "output_file" in meta:
        # A module that returns result(...) in this process, as exec.py does.
        meta = save_result(dataset, meta)
    meta = meta if isinstance(meta, dict) else {}
    if meta.get("error_message"):
        raise NoResultError(str(meta["error_message"]))
    outcome.training_duration = _number(meta.get("training_duration"), seconds)
    outcome.predict_duration = _number(meta.get("predict_duration"), None)
    outcome.models_count = int(_number(meta.get("models_count"), 1) or 0)
    times = meta.get("inference_times")
    outcome.inference_times = times if isinstance(times, dict) else {}


def _number(value: Any, default: float | None) -> float | None:
    with contextlib.suppress(TypeError, ValueError):
        number = float(value)
        return number if np.isfinite(number) else default
    return default


def _load_package(module: str, folder: Path) -> ModuleType:
    """Import the submission's folder as the package that its definition names.

    Parents that are nowhere are made, so that ``extensions.Name`` is imported as well.
    """
    *parents, last = [part for part in module.split(".") if part] or ["framework"]
    for length in range(1, len(parents) + 1):
        parent = ".".join(parents[:length])
        if parent not in sys.modules and importlib.util.find_spec(parent) is None:
            made = ModuleType(parent)
            made.__path__ = []
            sys.modules[parent] = made
    name = ".".join([*parents, last])
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(name)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


@contextlib.contextmanager
def in_folder(path: Path) -> Iterator[None]:
    """Have a folder first on sys.path, as for a script in it."""
    sys.path.insert(0, str(path))
    try:
        yield
    finally:
        sys.path.remove(str(path))
