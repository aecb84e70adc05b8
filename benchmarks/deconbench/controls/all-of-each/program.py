"""Each sample is wholly of each cell type."""

import numpy as np


def program(bulk, reference):
    rows = len(bulk.columns)
    return {name: np.ones(rows) for name in reference.columns}
