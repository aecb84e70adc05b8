"""Folds as rows of one table: which rows a repeat trains on and tests, and its files made of them.

A task's reference data then hold ``table.parquet`` and ``dataset.json`` once, and for repeat r
``r/rows.json``: ``rows`` are tested; trained on are those of ``train``, or else all others, in the
order of the table or of the file that ``order`` names. Rows count from 0. No program ever sees the
table: each sees the files of its repeat.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.formats.json_reader import read_json

if TYPE_CHECKING:
    import pyarrow as pa

TABLE = "table.parquet"
DATASET = "dataset.json"
ROWS = "rows.json"
INPUTS = "input_data"
"""Folder of what the prediction step sees; so is ``REFERENCE`` of what the scoring program sees."""
REFERENCE = "reference_data"
_MAX_ROWS = 2**30
_MAX_DATASET = 2**26


class FoldError(ValueError):
    """What is wrong with the files, for the organiser."""


def lay_out(reference: Path, repeat: int, target: Path) -> None:
    """Write a repeat's ``input_data`` and ``reference_data`` below ``target``.

    ``input_data`` gets train.parquet, test.parquet without the target, and dataset.json;
    ``reference_data`` truth.parquet with the column ``truth``, dataset.json, and what lies in the
    repeat's folder. Raises FoldError.
    """
    source = reference / str(repeat)
    rows = _keys(source / ROWS, _MAX_ROWS)
    described = description(_keys(reference / DATASET, _MAX_DATASET), rows)
    table = _table(reference / TABLE)
    label = described.get("target")
    if label not in table.column_names:
        raise FoldError(f"{TABLE} has no column '{label}', the target of {DATASET}")
    trained, tested = _rows(reference, repeat, rows, table.num_rows)
    inputs, truth = target / INPUTS, target / REFERENCE
    for folder in (inputs, truth):
        folder.mkdir(parents=True)
        (folder / DATASET).write_text(dataset_text(described), encoding="utf-8")
    test = table.take(tested)
    write_table(table.take(trained), inputs / "train.parquet")
    write_table(test.drop_columns([label]), inputs / "test.parquet")
    write_table(truth_table(test[label]), truth / "truth.parquet")
    for file in source.iterdir():
        if file.is_file() and not (truth / file.name).exists():
            (truth / file.name).write_bytes(file.read_bytes())


def description(shared: Mapping[str, Any], rows: Mapping[str, Any]) -> dict[str, Any]:
    of_repeat = rows.get("about") or {}
    if not isinstance(of_repeat, dict):
        raise FoldError(f"'about' in {ROWS} must hold keys of {DATASET}")
    return {**shared, **of_repeat}


def dataset_text(described: Mapping[str, Any]) -> str:
    return json.dumps(described, indent=1, ensure_ascii=False) + "\n"


def write_table(table: "pa.Table", path: Path) -> None:
    """Write Parquet, uncompressed and without pandas' metadata: one pyarrow, the same bytes."""
    import pyarrow.parquet as pq

    # Beyond the limit pyarrow would forget the levels that no row has.
    pq.write_table(
        table.replace_schema_metadata({}), path, compression="none",
        dictionary_pagesize_limit=2**30,
    )  # fmt: skip


def truth_table(answers: "pa.ChunkedArray") -> "pa.Table":
    import pyarrow as pa

    if pa.types.is_integer(answers.type):
        answers = answers.cast(pa.float64())
    return pa.table({"truth": answers})


def missing_files(files: Collection[str], folder: str, repeats: int) -> list[str]:
    names = [TABLE, DATASET, *(f"{repeat}/{ROWS}" for repeat in range(repeats))]
    return [name for name in names if f"{folder}/{name}" not in files]


def _keys(path: Path, limit: int) -> dict[str, Any]:
    content = _read(path, limit)
    if not isinstance(content, dict):
        raise FoldError(f"{_name(path)} must hold keys and values")
    return content


def _read(path: Path, limit: int) -> Any:
    try:
        return read_json(path.read_bytes(), max_bytes=limit)
    except OSError:
        raise FoldError(f"there is no {_name(path)}") from None
    except ValueError as error:
        raise FoldError(f"{_name(path)} cannot be read: {error}") from None


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _table(path: Path) -> "pa.Table":
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise FoldError(f"{TABLE} cannot be read: {str(error)[:200]}") from None


def _rows(
    reference: Path, repeat: int, rows: Mapping[str, Any], count: int
) -> "tuple[pa.Array, pa.Array]":
    import pyarrow as pa

    name = f"{repeat}/{ROWS}"
    tested = _numbers(rows.get("rows"), count, f"'rows' in {name}")
    test_rows = set(tested)
    if rows.get("train") is not None:
        trained = _numbers(rows["train"], count, f"'train' in {name}")
    else:
        order = _order(reference, rows.get("order"), count, name)
        trained = [row for row in order if row not in test_rows]
    both = len(test_rows.intersection(trained))
    if both:
        raise FoldError(f"{name} trains on {both} of the rows that it tests")
    if not tested or not trained:
        raise FoldError(f"{name} leaves no rows to {'test' if trained else 'train on'}")
    return pa.array(trained, pa.int64()), pa.array(tested, pa.int64())


def _order(reference: Path, file: object, count: int, name: str) -> Sequence[int]:
    if file is None:
        return range(count)
    if not isinstance(file, str) or Path(file).name != file:
        raise FoldError(f"'order' in {name} must be the name of a file beside {TABLE}")
    return _numbers(_read(reference / file, _MAX_ROWS), count, file)


def _numbers(value: object, count: int, name: str) -> list[int]:
    if not isinstance(value, list) or any(type(row) is not int for row in value):
        raise FoldError(f"{name} must be a list of row numbers, counted from 0")
    if value and (min(value) < 0 or max(value) >= count):
        raise FoldError(f"{name} names row {max(value)} of a table with {count} rows")
    return value
