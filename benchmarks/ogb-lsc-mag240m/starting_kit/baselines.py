"""Predict subjects, and write them in ogb's file of a mode.

Usage: baselines.py METHOD INPUTS MODE FOLDER      (needs numpy 2.3.5)
"""

import sys
from pathlib import Path

import numpy as np

SUBJECTS = 153


def majority(_: np.ndarray, train: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the most frequent subject for every paper."""
    return np.full(len(rows), np.bincount(train).argmax())


def vote(_: np.ndarray, __: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the subject of most neighbours, among equals that of the first."""
    votes = (rows[:, :, None] == rows[:, None, :]).sum(axis=2)
    return rows[np.arange(len(rows)), votes.argmax(axis=1)]


def weighted_vote(inputs: np.ndarray, train: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Weigh neighbours by how much their subject tells: a rare one tells more."""
    share = (np.bincount(train, minlength=SUBJECTS) + 1) / (len(train) + SUBJECTS)
    agree = (inputs == train[:, None]).mean()
    by_chance = (share**2).sum()
    own = (agree - by_chance) / (1 - by_chance)
    weight = np.log1p(own / ((1 - own) * share))
    same = rows[:, :, None] == rows[:, None, :]
    belief = np.log(share)[rows] + (same * weight[rows][:, :, None]).sum(axis=2)
    best = rows[np.arange(len(rows)), belief.argmax(axis=1)]
    return np.where(belief.max(axis=1) > np.log(share.max()), best, share.argmax())


METHODS = {"majority": majority, "vote": vote, "weighted-vote": weighted_vote}


def main(method: str, inputs: Path, mode: str, folder: Path) -> None:
    """Predict the rows of a mode."""
    known, rows = (np.load(inputs / f"{name}.npy") for name in ("train", mode))
    predicted = METHODS[method](known, np.load(inputs / "train_truth.npy"), rows)
    folder.mkdir(parents=True, exist_ok=True)
    name = "y_pred_mag240m.npz" if mode == "test-whole" else f"y_pred_mag240m_{mode}.npz"
    np.savez_compressed(folder / name, y_pred=predicted.astype(np.int16))


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] not in METHODS:
        sys.exit(f"usage: baselines.py METHOD INPUTS MODE FOLDER, METHOD of {', '.join(METHODS)}")
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
