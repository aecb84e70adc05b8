"""Folds of a checked task -> files of a bundle."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.importers.openml.fetching import FetchedTask
from evaluator.importers.openml.splits import Fold
from evaluator.importers.placing import PARTS
from evaluator.importers.tabular.checked import fold_tables
from evaluator.importers.tabular.writing import described, write_fold

if TYPE_CHECKING:
    import pandas as pd

ROWS = "rows.json"
"""File beside a fold's truth with the numbers of the rows that it tests, for publishing runs."""


def write_folds(
    task: FetchedTask, folds: Sequence[Fold], bundle: Path, slug: str,
    about: Callable[[Fold], Mapping[str, Any]],
) -> int:  # fmt: skip
    """Write folds as the repeats 0, 1, … of a task; return the number of features.

    ``about`` says what dataset.json holds of a fold besides the columns. Raises ValueError.
    """
    frame, target = read_frame(task), str(task.about["target"])
    labels = [str(label) for label in task.about["labels"]]
    for repeat, fold in enumerate(folds):
        train, test, classes = fold_tables(
            frame.iloc[fold.train], frame.iloc[fold.test], target, classes=bool(labels),
            labels=labels,
        )  # fmt: skip
        meta = described(str(task.dataset["name"]), train, target, classes)
        inputs, reference = (bundle / part / slug / str(repeat) for part in PARTS)
        about_fold = {"openml_task_id": task.id, "fold": fold.number, **about(fold)}
        write_fold(inputs, reference, train, test, {**meta, **about_fold})
        rows = {"task": task.id, "dataset": task.dataset["id"], "repeat": fold.repeat,
                "fold": fold.fold, "folds": len(task.folds), "labels": labels,
                "rows": fold.test.tolist()}  # fmt: skip
        (reference / ROWS).write_text(json.dumps(rows) + "\n", encoding="ascii")
    return len(frame.columns) - 1


def read_frame(task: FetchedTask) -> "pd.DataFrame":
    """Return the table with its categories, without what the data set says to leave out."""
    import pandas as pd

    frame = pd.read_parquet(task.data)
    left_out = [name for name in task.dataset["left_out"] if name != task.about["target"]]
    frame = frame.drop(columns=[name for name in left_out if name in frame.columns])
    for feature in task.dataset["features"]:
        name = feature["name"]
        if feature["levels"] and name in frame.columns:
            levels = list(dict.fromkeys(str(level) for level in feature["levels"]))
            values = frame[name].astype(object)
            unknown = sorted({str(value) for value in values.dropna()} - set(levels))
            frame[name] = pd.Categorical(values, categories=levels + unknown)
    return frame
