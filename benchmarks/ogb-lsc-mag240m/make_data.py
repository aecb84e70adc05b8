"""Make a stand-in for MAG240M at its full size: subjects of papers, and those of their neighbours.

Needs numpy 2.3.5. Whole numbers alone are drawn and computed with, so that every machine gives the
same bytes. Usage: make_data.py [--private FOLDER | --inputs FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
from split import by_fifths
from stand_in import StandIn, write

SEED = 240
SUBJECTS = 153
TEST, VALID, TRAIN = 146_818, 138_949, 60_000
NEIGHBOURS = 3
KNOWN = 30
"""Percent of the neighbours that have the paper's own subject."""


def make() -> StandIn:
    """Draw the data set."""
    random = np.random.default_rng(SEED)
    rows = TRAIN + VALID + TEST
    subjects = _subjects(random, (rows,))
    neighbours = _subjects(random, (rows, NEIGHBOURS))
    alike = random.integers(0, 100, (rows, NEIGHBOURS)) < KNOWN
    neighbours = np.where(alike, subjects[:, None], neighbours)
    split = {mode: TRAIN + VALID + index for mode, index in by_fifths(TEST).items()}
    split |= {
        "test-whole": TRAIN + VALID + np.arange(TEST),
        "train": np.arange(TRAIN),
        "valid": np.arange(TRAIN, TRAIN + VALID),
    }
    return StandIn(
        name="ogb-lsc-mag240m",
        task={
            "metric": "acc", "stem": "y_pred_mag240m", "key": "y_pred", "dtype": "int16",
            "width": None, "low": 0, "high": SUBJECTS - 1, "divisor": 1,
        },
        truth={mode: subjects[index] for mode, index in split.items()},
        inputs={mode: neighbours[index] for mode, index in split.items()},
    )  # fmt: skip


def _subjects(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw subjects; those with small numbers are more frequent."""
    drawn = random.integers(0, 2**16, shape)
    return (SUBJECTS * drawn * drawn >> 32).astype(np.uint8)


if __name__ == "__main__":
    write(make(), sys.argv[1:], Path(__file__).parent)
