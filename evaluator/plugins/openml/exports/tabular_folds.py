"""What tabular programs know of a fold, read from a tree: its description, and the true answers."""

import contextlib
import io
from typing import Any

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.phases import Task
from evaluator.core.formats.table_folds import (
    DATASET,
    ROWS,
    TABLE,
    FoldError,
    description,
    truth_table,
)
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.openml.tabular.fold_descriptions import FILE, stored_facts

_MAX_DESCRIPTION = 2**24


def fold_description(
    snapshot: Snapshot, benchmark: Benchmark, task: Task, repeat: int | None = None
) -> dict[str, Any]:
    """Return dataset.json of a fold, the first by default; empty where the task has none.

    Of data that lie outside of the tree it is what folds.json says.
    """
    described = _described(snapshot, benchmark, task, repeat)
    if described or not task.private:
        return described
    stored = _read(snapshot, f"{benchmark.path}/{FILE}")
    return stored_facts(stored, task.reference_data or "", repeat or 0)


def _described(
    snapshot: Snapshot, benchmark: Benchmark, task: Task, repeat: int | None
) -> dict[str, Any]:
    if benchmark.repeat_data_of(task) == "rows":
        base = f"{benchmark.path}/{task.reference_data}"
        shared = _read(snapshot, f"{base}/{DATASET}")
        with contextlib.suppress(FoldError):
            return description(shared, _read(snapshot, f"{base}/{repeat or 0}/{ROWS}"))
        return shared
    base = f"{benchmark.path}/{task.input_data}"
    of_fold = _read(snapshot, f"{base}/{repeat or 0}/{DATASET}")
    return of_fold or _read(snapshot, f"{base}/{DATASET}")


def fold_truth(
    snapshot: Snapshot, benchmark: Benchmark, task: Task, repeat: int
) -> list[Any] | None:
    """Return the answers to a fold's test rows; None where they are not in the tree."""
    import pyarrow.parquet as pq

    base = f"{benchmark.path}/{task.reference_data}"
    if benchmark.repeat_data_of(task) == "rows":
        table = snapshot.tree.read([f"{base}/{TABLE}"]).get(f"{base}/{TABLE}")
        rows = _read(snapshot, f"{base}/{repeat}/{ROWS}").get("rows")
        target = _read(snapshot, f"{base}/{DATASET}").get("target")
        if table is None or not isinstance(rows, list) or not isinstance(target, str):
            return None
        column = pq.read_table(io.BytesIO(table), columns=[target])[target]
        answers: list[Any] = truth_table(column.take(rows))["truth"].to_pylist()
        return answers
    paths = [f"{base}/{repeat}/truth.parquet", f"{base}/truth.parquet"]
    contents = snapshot.tree.read(paths)
    stored = next((contents[path] for path in paths if path in contents), None)
    if stored is None:
        return None
    truth: list[Any] = pq.read_table(io.BytesIO(stored))["truth"].to_pylist()
    return truth


def _read(snapshot: Snapshot, path: str) -> dict[str, Any]:
    content = snapshot.tree.read([path]).get(path)
    try:
        read = read_json(content or b"{}", max_bytes=_MAX_DESCRIPTION)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}
