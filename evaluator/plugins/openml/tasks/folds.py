"""Folds of a checked task -> files of a bundle."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.formats.table_folds import REFERENCE
from evaluator.plugins.openml.tabular.checked import whole_table
from evaluator.plugins.openml.tabular.writing import FoldRows, described, write_shared
from evaluator.plugins.openml.tasks.fetching import FetchedTask
from evaluator.plugins.openml.tasks.splits import Fold

if TYPE_CHECKING:
    import pandas as pd


def write_folds(
    task: FetchedTask, folds: Sequence[Fold], bundle: Path, slug: str,
    about: Callable[[Fold], Mapping[str, Any]],
) -> int:  # fmt: skip
    """Write a table and its folds as the repeats 0, 1, …; return the number of features.

    ``about`` says what dataset.json holds of a fold besides the columns. Raises ValueError.
    """
    frame, target = read_frame(task), str(task.about["target"])
    labels = [str(label) for label in task.about["labels"]]
    table, classes = whole_table(frame, target, classes=bool(labels), labels=labels)
    meta = {**described(str(task.dataset["name"]), table, target, classes),
            "openml_task_id": task.id}  # fmt: skip
    rows = [
        FoldRows(
            train=fold.train, test=fold.test, repeat=fold.repeat,
            about={"fold": fold.number, **about(fold)},
            # What publishing a run needs: the server knows rows by these.
            origin={"task": task.id, "dataset": task.dataset["id"], "repeat": fold.repeat,
                    "fold": fold.fold, "folds": len(task.folds), "labels": labels},
        )
        for fold in folds
    ]  # fmt: skip
    write_shared(bundle / REFERENCE / slug, table, meta, rows, _orders(task.folds))
    return len(frame.columns) - 1


def _orders(folds: Sequence[Fold]) -> dict[int, list[int]]:
    """Return the rows of each repeat as its folds test them: so official splits train, too."""
    orders: dict[int, list[int]] = {}
    for fold in folds:
        orders.setdefault(fold.repeat, []).extend(fold.test.tolist())
    return orders


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
