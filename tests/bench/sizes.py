"""How much a measurement measures, and its clocks."""

import os
import statistics
import time
from collections.abc import Callable, Iterable
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import TypeVar

SMALL = bool(os.environ.get("BENCH_SMALL"))
_Size = TypeVar("_Size")


def size(full: _Size, small: _Size) -> _Size:
    """Return the first, or with BENCH_SMALL in the environment the second."""
    return small if SMALL else full


SUBMISSIONS = int(os.environ.get("BENCH_SUBMISSIONS", size("10000", "40")))
"""Of each repository whose figure is named after 10,000."""


def timed(function: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of a call by the clock, and of processors, those of its children too."""
    began, before = time.perf_counter(), _processor_seconds()
    function()
    return time.perf_counter() - began, _processor_seconds() - before


def _processor_seconds() -> float:
    used = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def medians(times: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return the median of each clock."""
    clock, processors = zip(*times, strict=True)
    return statistics.median(clock), statistics.median(processors)
