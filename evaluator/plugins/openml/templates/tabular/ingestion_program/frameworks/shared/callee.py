"""What exec.py calls: ``result`` describes what came of it, ``call_run`` runs it.

exec.py runs in the process of the ingestion program: in the container there is nothing that a
second process would keep apart, and starting one would cost more than many folds take.
"""

import os
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from amlb.utils import Timer, json_dump, touch


class FrameworkError(Exception):
    """Raised by framework modules."""


class _Called:
    """The function that exec.py hands to call_run."""

    run: Callable[..., Any] | None = None


def call_run(run_fn: Callable[..., Any]) -> None:
    """Take note of what is to be run; it is called when exec.py has been read."""
    _Called.run = run_fn


def taken() -> Callable[..., Any] | None:
    """Return the function and forget it."""
    run, _Called.run = _Called.run, None
    return run


def result(
    output_file: Any = None, predictions: Any = None, truth: Any = None, probabilities: Any = None,
    probabilities_labels: Any = None, optional_columns: Any = None, target_is_encoded: bool = False,
    error_message: str | None = None, models_count: int | None = None,
    training_duration: float | None = None, predict_duration: float | None = None, **others: Any,
) -> dict[str, Any]:  # fmt: skip
    """Describe what a framework did."""
    return {
        "output_file": output_file, "predictions": predictions, "truth": truth,
        "probabilities": probabilities, "probabilities_labels": probabilities_labels,
        "optional_columns": optional_columns, "target_is_encoded": target_is_encoded,
        "error_message": error_message, "models_count": models_count,
        "training_duration": training_duration, "predict_duration": predict_duration,
        "others": others,
    }  # fmt: skip


def output_subdir(name: str, config: Any) -> str:
    folder = Path(config.output_dir) / name / str(config.name) / str(config.fold)
    return touch(os.fspath(folder), as_dir=True)


def save_metadata(config: Any, **others: Any) -> None:
    json_dump({**config.__dict__, **others}, config.output_metadata_file, style="pretty")


def measure_inference_times(predict_fn: Callable[[Any], Any], files: Any) -> dict[int, list[float]]:
    """Time predictions of files or tables by their number of rows."""
    times: dict[int, list[float]] = defaultdict(list)
    for size, data in files:
        with Timer() as predict:
            predict_fn(data)
        times[size].append(predict.duration)
    return dict(times)
