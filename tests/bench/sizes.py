"""How much a measurement measures: all of it, or just enough to see that it still runs."""

import os
from typing import TypeVar

SMALL = bool(os.environ.get("BENCH_SMALL"))
_Size = TypeVar("_Size")


def size(full: _Size, small: _Size) -> _Size:
    """Return the first, or with BENCH_SMALL in the environment the second."""
    return small if SMALL else full


SUBMISSIONS = int(os.environ.get("BENCH_SUBMISSIONS", size("10000", "40")))
"""Of each repository whose figure is named after 10,000."""
