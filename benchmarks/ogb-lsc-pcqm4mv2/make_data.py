"""Make a stand-in for PCQM4Mv2 at its full size: HOMO-LUMO gaps, and parts that add up to them.

Needs numpy 2.3.5. Whole numbers alone are drawn and computed with, so that every machine gives the
same bytes. Usage: make_data.py [--private FOLDER | --inputs FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
from split import in_order
from stand_in import StandIn, write

SEED = 2
TEST_DEV, TEST_CHALLENGE, VALID, TRAIN = 147_037, 147_432, 73_545, 60_000
LEAST, LARGEST_PART = 1_000, 1_500  # thousandths of an eV
PARTS, KNOWN = 6, 4
"""Parts that a gap is the sum of, and how many of them participants are given."""


def make() -> StandIn:
    """Draw the data set."""
    random = np.random.default_rng(SEED)
    rows = TRAIN + VALID + TEST_DEV + TEST_CHALLENGE
    parts = random.integers(0, LARGEST_PART, (rows, PARTS)).astype(np.int16)
    gaps = (LEAST + parts.sum(axis=1)).astype(np.int16)
    after = TRAIN + VALID
    split = {mode: after + at for mode, at in in_order(TEST_DEV, TEST_CHALLENGE).items()}
    split |= {"train": np.arange(TRAIN), "valid": np.arange(TRAIN, after)}
    return StandIn(
        name="ogb-lsc-pcqm4mv2",
        task={
            "metric": "mae", "stem": "y_pred_pcqm4m-v2", "key": "y_pred", "dtype": "float32",
            "width": None, "low": -50, "high": 100, "divisor": 1000,
        },
        truth={mode: gaps[index] for mode, index in split.items()},
        inputs={mode: parts[index, :KNOWN] for mode, index in split.items()},
    )  # fmt: skip


if __name__ == "__main__":
    write(make(), sys.argv[1:], Path(__file__).parent)
