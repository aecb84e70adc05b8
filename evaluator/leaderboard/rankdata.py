"""SciPy's ranks, imported where a board asks for them: it takes longer than most commands."""

from typing import Any

import numpy as np
import numpy.typing as npt


def rankdata(values: npt.NDArray[np.float64], *, axis: int, method: str = "average") -> Any:
    """Return ranks from 1 along an axis; see ``scipy.stats.rankdata``."""
    from scipy.stats import rankdata as ranked

    return ranked(values, method=method, axis=axis)
