"""One fold as files -> tables in memory, and the configuration of the run."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd


@dataclass
class Fold:
    """What a submission is given."""

    meta: dict[str, Any]
    """dataset.json."""
    train: pd.DataFrame
    """All columns, in the order of the source."""
    test: pd.DataFrame
    """The same columns; the target holds a stand-in, since nobody may know it here."""
    output: Path
    config: dict[str, Any] = field(default_factory=dict)
    """What the AutoML Benchmark calls the task's configuration."""

    @property
    def target(self) -> str:
        return str(self.meta["target"])

    @property
    def is_classification(self) -> bool:
        return self.meta["type"] in ("binary", "multiclass")

    @property
    def classes(self) -> list[str]:
        return [str(label) for label in self.meta.get("classes") or []]

    @property
    def metrics(self) -> list[str]:
        return [str(name) for name in self.meta.get("metrics") or []]


def read_fold(folder: Path, output: Path) -> Fold:
    """Read a fold; a file that cannot be read is a fault of the benchmark."""
    meta = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    train = pd.read_parquet(folder / "train.parquet")
    test = pd.read_parquet(folder / "test.parquet")
    target = meta["target"]
    test.insert(list(train.columns).index(target), target, _stand_in(train[target], len(test)))
    fold = Fold(meta=meta, train=train, test=test, output=output)
    fold.config = _config(meta, output)
    return fold


def _stand_in(column: pd.Series, rows: int) -> pd.Series:
    """Return a column of the target's type: its first class, or its mean in the training data."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = [0] * rows
        return pd.Series(pd.Categorical.from_codes(codes, dtype=column.dtype))
    if pd.api.types.is_numeric_dtype(column.dtype):
        return pd.Series([column.mean()] * rows, dtype="float64")
    return pd.Series([column.iloc[0]] * rows, dtype=column.dtype)


def _at_most(variable: str, unit: int, asked: int) -> int:
    """Return what is asked for, or what this machine gives where that is less."""
    given = os.environ.get(variable)
    return asked if given is None else min(asked, max(1, int(float(given) / unit)))


def _config(meta: dict[str, Any], output: Path) -> dict[str, Any]:
    budget = meta.get("budget") or {}
    kind = meta["type"]
    metrics = list(meta.get("metrics") or [])
    seconds = budget.get("max_runtime_seconds", 3600)
    scratch = Path(os.environ.get("TMPDIR") or "/tmp")
    return {
        "name": meta["name"],
        "openml_task_id": meta.get("openml_task_id"),
        "fold": meta.get("fold", 0),
        "type": "classification" if kind in ("binary", "multiclass") else kind,
        "type_": kind,
        "metrics": metrics,
        "metric": metrics[0] if metrics else None,
        "seed": meta.get("seed", 0),
        "quantile_levels": sorted(meta.get("quantile_levels") or []),
        "max_runtime_seconds": seconds,
        "job_timeout_seconds": budget.get("job_timeout_seconds", min(2 * seconds, seconds + 3600)),
        "cores": _at_most("PULLBENCH_CPUS", 1, budget.get("cores", 1)),
        "max_mem_size_mb": _at_most("PULLBENCH_MEMORY", 2**20, budget.get("max_mem_size_mb", 4096)),
        "min_vol_size_mb": budget.get("min_vol_size_mb", -1),
        "input_dir": str(scratch),
        "output_dir": str(scratch),
        "output_predictions_file": str(output / "predictions.csv"),
        "output_metadata_file": str(output / "metadata.json"),
        "measure_inference_time": bool(meta.get("measure_inference_time")),
        "tag": None,
        "command": "",
        "git_info": {},
        "test_server": False,
    }
