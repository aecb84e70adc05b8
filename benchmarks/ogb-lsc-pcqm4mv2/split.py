"""How test rows are told apart into test-dev and test-challenge: by rule, not by chance."""

import numpy as np


def by_fifths(rows: int) -> dict[str, np.ndarray]:
    """Return the rows of each mode: of every five, three for test-dev and two for test-challenge.

    ogb's MAG240M does the same, with ``idx % 5 < 3``.
    """
    index = np.arange(rows)
    dev = index % 5 < 3
    return {"test-dev": index[dev], "test-challenge": index[~dev]}


def in_order(dev: int, challenge: int) -> dict[str, np.ndarray]:
    """Return the rows of each mode: the first ones for test-dev, those after for test-challenge.

    ogb's PCQM4Mv2 does the same, in the order of PubChem's compound ids.
    """
    return {"test-dev": np.arange(dev), "test-challenge": np.arange(dev, dev + challenge)}
