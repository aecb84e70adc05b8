"""Ten stratified folds for each table: OpenML's own, or made from a seed, in OpenML's format."""

import hashlib
from pathlib import Path

from tables import Table

FOLDS = 10
SEED = "openml-mini-suite"


def folds_of(table: Table) -> list[int]:
    """Return the fold in which each row is tested."""
    if table.task is not None:
        text = Path(__file__).with_name(f"t{table.task}-folds.txt").read_text(encoding="ascii")
        return [int(digit) for digit in text if digit.isdecimal()]
    return stratified(table.name, table.columns[table.target])


def stratified(name: str, labels: list[str]) -> list[int]:
    """Deal the rows of each class out in an order that a digest gives: the same everywhere."""

    def place(row: int) -> str:
        return hashlib.sha256(f"{SEED}/{name}/{row}".encode()).hexdigest()

    order = sorted(range(len(labels)), key=lambda row: (labels[row], place(row)))
    folds = [0] * len(labels)
    for turn, row in enumerate(order):
        folds[row] = turn % FOLDS
    return folds


def as_arff(name: str, folds: list[int]) -> str:
    """Return the splits as OpenML's server sends them."""
    lines = [f"@relation {name}_splits", "", "@attribute type {TRAIN,TEST}"]
    lines += [f"@attribute {column} numeric" for column in ("rowid", "repeat", "fold")]
    lines += ["", "@data"]
    for fold in range(FOLDS):
        lines += [f"TRAIN,{row},0,{fold}" for row, own in enumerate(folds) if own != fold]
        lines += [f"TEST,{row},0,{fold}" for row, own in enumerate(folds) if own == fold]
    return "\n".join(lines) + "\n"
