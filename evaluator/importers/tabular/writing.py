"""One fold of a table as files: what a submission may see, and what the scorer compares with.

Parquet is written without what changes from one version of pandas to the next, and uncompressed,
so that one version of pyarrow gives the same bytes everywhere.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.importers.tabular.metrics import DEFAULT

if TYPE_CHECKING:
    import pandas as pd


def write_fold(
    inputs: Path, reference: Path, train: "pd.DataFrame", test: "pd.DataFrame",
    meta: Mapping[str, Any], truth: Mapping[str, Any] | None = None,
) -> None:  # fmt: skip
    """Write one fold; ``train`` and ``test`` have all columns, ``meta`` is dataset.json.

    ``inputs`` gets train.parquet, test.parquet without the target, and dataset.json;
    ``reference`` gets truth.parquet with the column ``truth``, and dataset.json. ``truth`` are
    further columns of it, one value for each test row.
    """
    target = meta["target"]
    text = json.dumps(meta, indent=1, ensure_ascii=False) + "\n"
    for folder in (inputs, reference):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "dataset.json").write_text(text, encoding="utf-8")
    write_table(train, inputs / "train.parquet")
    write_table(test.drop(columns=target), inputs / "test.parquet")
    truth_table = test[[target]].rename(columns={target: "truth"}).assign(**(truth or {}))
    write_table(truth_table, reference / "truth.parquet")


def write_table(frame: "pd.DataFrame", path: Path) -> None:
    """Write a table as Parquet; categories keep their levels and order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False).replace_schema_metadata({})
    pq.write_table(table, path, compression="none")


def type_of(classes: Sequence[str]) -> str:
    """Return the type of a task with these classes; one without any is regression."""
    if not classes:
        return "regression"
    return "binary" if len(classes) == 2 else "multiclass"


def described(
    name: str, frame: "pd.DataFrame", target: str, labels: Sequence[str] = ()
) -> dict[str, Any]:
    """Return dataset.json of a table; ``labels`` are the classes, also those that do not occur."""
    classes = sorted(labels)
    kind = type_of(classes)
    return {
        "name": name,
        "target": target,
        "type": kind,
        "features": [
            _feature(str(column), frame[column]) for column in frame.columns if column != target
        ],
        "classes": classes,
        "metrics": DEFAULT[kind],
    }


def _feature(name: str, column: Any) -> dict[str, Any]:
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return {
            "name": name, "type": "categorical",
            "categories": [str(level) for level in column.cat.categories],
        }  # fmt: skip
    if pd.api.types.is_numeric_dtype(column.dtype):
        return {"name": name, "type": "numeric"}
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return {"name": name, "type": "datetime"}
    return {"name": name, "type": "string"}
