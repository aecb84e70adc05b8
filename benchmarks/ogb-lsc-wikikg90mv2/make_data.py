"""Make a stand-in for WikiKG90Mv2's test at its full size: tails of triples, and retrieved ids.

Needs numpy 2.3.5. Whole numbers alone are drawn and computed with, so that every machine gives the
same bytes. Usage: make_data.py [--private FOLDER | --inputs FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
from split import by_fifths
from stand_in import StandIn, write

SEED = 90
ENTITIES = 91_230_610
TEST, VALID, TRAIN = 25_000, 15_000, 60_000
RETRIEVED = 3
FOUND = 12
"""Percent of the retrieved ids that are the triple's tail."""


def make() -> StandIn:
    """Draw the data set."""
    random = np.random.default_rng(SEED)
    rows = TRAIN + VALID + TEST
    tails = _entities(random, (rows,))
    retrieved = _entities(random, (rows, RETRIEVED))
    right = random.integers(0, 100, (rows, RETRIEVED)) < FOUND
    retrieved = np.where(right, tails[:, None], retrieved)
    split = {mode: TRAIN + VALID + index for mode, index in by_fifths(TEST).items()}
    split |= {"train": np.arange(TRAIN), "valid": np.arange(TRAIN, TRAIN + VALID)}
    return StandIn(
        name="ogb-lsc-wikikg90mv2",
        task={
            "metric": "mrr", "stem": "t_pred_wikikg90m-v2", "key": "t_pred_top10",
            "dtype": "int32", "width": 10, "low": 0, "high": ENTITIES - 1, "divisor": 1,
        },
        truth={mode: tails[index] for mode, index in split.items()},
        inputs={mode: retrieved[index] for mode, index in split.items()},
    )  # fmt: skip


def _entities(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Draw ids; those with small numbers are tails far more often."""
    drawn = random.integers(0, 2**20, shape)
    cubed = (drawn * drawn >> 20) * drawn >> 20
    return (ENTITIES * cubed >> 20).astype(np.int32)


if __name__ == "__main__":
    write(make(), sys.argv[1:], Path(__file__).parent)
