"""Gives shares that are no numbers."""

import numpy as np


def program(bulk, reference):
    rows = len(bulk.columns)
    return {name: np.full(rows, np.nan) for name in reference.columns}
