"""Write the data of the benchmark below a folder, and say their digests.

Usage: python make_data DATA --packages FOLDER

DATA/openml-mini-suite/input_data/<table>/<fold>/ and reference_data likewise hold the folds that
are evaluated; splits/ holds all ten of each table in OpenML's format. The same packages give the
same bytes on every machine.
"""

import argparse
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from folds import as_arff, folds_of
from tables import Table, read_all

NAME = "openml-mini-suite"
EVALUATED = 3
"""Folds of the ten that the benchmark evaluates."""


def as_arrow(table: Table) -> pa.Table:
    """Return categories with their levels in lexicographic order, and numbers as float64."""
    columns = {}
    for name, values in table.columns.items():
        if name in table.nominal:
            levels = sorted(set(values))
            codes = pa.array([levels.index(value) for value in values], pa.int16())
            columns[name] = pa.DictionaryArray.from_arrays(codes, pa.array(levels))
        else:
            columns[name] = pa.array([float(value) for value in values], pa.float64())
    return pa.table(columns)


def described(table: Table) -> dict:
    classes = sorted(set(table.columns[table.target]))
    return {
        "name": table.name,
        "target": table.target,
        "type": "binary" if len(classes) == 2 else "multiclass",
        "features": [
            {"name": name, "type": "categorical", "categories": sorted(set(values))}
            if name in table.nominal
            else {"name": name, "type": "numeric"}
            for name, values in table.columns.items()
            if name != table.target
        ],
        "classes": classes,
        "metrics": (["auc"] if len(classes) == 2 else []) + ["logloss", "acc", "balacc"],
        "openml_task_id": table.task,
    }


def write(table: Table, root: Path) -> None:
    folds = folds_of(table)
    whole, meta = as_arrow(table), described(table)
    splits = root / "splits" / f"{table.name}.arff"
    splits.parent.mkdir(parents=True, exist_ok=True)
    splits.write_text(as_arff(table.name, folds), encoding="ascii")
    for fold in range(EVALUATED):
        test = [row for row, own in enumerate(folds) if own == fold]
        train = [row for row, own in enumerate(folds) if own != fold]
        inputs = root / "input_data" / table.name / str(fold)
        reference = root / "reference_data" / table.name / str(fold)
        for folder in (inputs, reference):
            folder.mkdir(parents=True)
            text = json.dumps({**meta, "fold": fold, "seed": fold}, indent=1) + "\n"
            (folder / "dataset.json").write_text(text, encoding="utf-8")
        tested = whole.take(test)
        save(whole.take(train), inputs / "train.parquet")
        save(tested.drop_columns([table.target]), inputs / "test.parquet")
        save(pa.table({"truth": tested[table.target]}), reference / "truth.parquet")
        rows = {"task": table.task, "dataset": table.task, "repeat": 0, "fold": fold,
                "labels": ["won", "nowin"] if table.task else meta["classes"],
                "rows": test}  # fmt: skip
        (reference / "rows.json").write_text(json.dumps(rows) + "\n", encoding="ascii")


def save(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, compression="none")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--packages", type=Path, required=True)
    arguments = parser.parse_args()
    root = arguments.data / NAME
    shutil.rmtree(root, ignore_errors=True)
    for table in read_all(arguments.packages):
        write(table, root)
        print(f"{table.name}: {len(table.columns[table.target])} rows")


if __name__ == "__main__":
    main()
