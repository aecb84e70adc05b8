"""Rank ten tails for each triple, and write them in ogb's file of a mode.

Usage: baselines.py METHOD INPUTS MODE FOLDER      (needs numpy 2.3.5)
"""

import sys
from pathlib import Path

import numpy as np


def popular(train: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the most frequent tails for every triple."""
    return np.tile(_most_frequent(train, 10), (len(rows), 1))


def retrieved(train: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the retrieved ids, those found twice first, and frequent tails behind them."""
    votes = (rows[:, :, None] == rows[:, None, :]).sum(axis=2)
    order = np.argsort(-votes, axis=1, kind="stable")
    ids = np.take_along_axis(rows, order, axis=1)
    behind = _most_frequent(train, 10)
    return np.array([list(dict.fromkeys([*row, *behind]))[:10] for row in ids.tolist()])


def _most_frequent(train: np.ndarray, count: int) -> list[int]:
    found, counts = np.unique(train, return_counts=True)
    return found[np.argsort(-counts, kind="stable")][:count].tolist()


METHODS = {"popular": popular, "retrieved": retrieved}


def main(method: str, inputs: Path, mode: str, folder: Path) -> None:
    """Predict the rows of a mode."""
    predicted = METHODS[method](
        np.load(inputs / "train_truth.npy"), np.load(inputs / f"{mode}.npy")
    )
    folder.mkdir(parents=True, exist_ok=True)
    name = f"t_pred_wikikg90m-v2_{mode}.npz"
    np.savez_compressed(folder / name, t_pred_top10=predicted.astype(np.int32))


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] not in METHODS:
        sys.exit(f"usage: baselines.py METHOD INPUTS MODE FOLDER, METHOD of {', '.join(METHODS)}")
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
