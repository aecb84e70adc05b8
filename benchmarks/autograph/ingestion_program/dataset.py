"""Reads a dataset in the files of the AutoGraph challenge."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

TYPES = {"num": "float64", "cat": str, "multi-cat": str, "str": str, "timestamp": str}


@dataclass(frozen=True)
class Dataset:
    """What a submission is given."""

    data: dict[str, Any]
    """fea_table, edge_file, train_indices, test_indices, train_label, as in the starting kit."""
    time_budget: float
    n_class: int
    schema: dict[str, str]
    """Column of features -> ``num``, ``cat``, ``multi-cat``, ``str`` or ``timestamp``."""

    @property
    def arguments(self) -> tuple[object, ...]:
        """Arguments of train_predict and of fit."""
        return (self.data, self.time_budget, self.n_class, self.schema)


def read_dataset(folder: Path) -> Dataset:
    """Read all files; the true labels of the test nodes are in none of them."""
    config = yaml.safe_load((folder / "config.yml").read_text(encoding="utf-8"))
    schema = config["schema"] or {}
    types = {"node_index": "int64", **{name: TYPES[kind] for name, kind in schema.items()}}
    data = {
        "fea_table": pd.read_csv(folder / "feature.tsv", sep="\t", dtype=types),
        "edge_file": pd.read_csv(
            folder / "edge.tsv", sep="\t",
            dtype={"src_idx": "int64", "dst_idx": "int64", "edge_weight": "float64"},
        ),
        "train_indices": _indices(folder / "train_node_id.txt"),
        "test_indices": _indices(folder / "test_node_id.txt"),
        "train_label": pd.read_csv(folder / "train_label.tsv", sep="\t", dtype="int64"),
    }  # fmt: skip
    return Dataset(data, config["time_budget"], config["n_class"], schema)


def _indices(file: Path) -> list[int]:
    return [int(line) for line in file.read_text(encoding="ascii").split()]
