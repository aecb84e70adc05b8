"""The same share for each cell type."""

import numpy as np


def program(bulk, reference):
    rows, types = len(bulk.columns), len(reference.columns)
    return {name: np.full(rows, 1 / types) for name in reference.columns}
