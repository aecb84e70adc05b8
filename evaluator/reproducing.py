"""Compares records made afresh with the committed ones."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from evaluator.board.disclosure import disclose
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record

RELATIVE_TOLERANCE = 1e-9
"""Between processors, sums in another order differ in the last bits."""
Verdict = Literal["identical", "close", "timed", "sealed", "differs", "new"]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One cell, evaluated again."""

    cell: CellId
    verdict: Verdict
    """``timed``: the scores are times, which never repeat; ``sealed``: the committed ones cannot
    be read; ``new``: no committed record."""
    detail: str
    """May be said in public."""


def compare(
    committed: Mapping[CellId, Record],
    again: Mapping[CellId, Record],
    benchmarks: Mapping[str, Benchmark],
) -> Iterator[Comparison]:
    """Compare by cell."""
    for cell, record in sorted(again.items(), key=lambda item: str(item[0])):
        before = committed.get(cell)
        if before is None:
            yield Comparison(cell=cell, verdict="new", detail="no committed record")
        else:
            yield _compare(cell, before, record, benchmarks[cell.benchmark])


def _compare(cell: CellId, before: Record, after: Record, benchmark: Benchmark) -> Comparison:
    old, new = _outcome(before), _outcome(after)
    if old != new:
        return Comparison(cell=cell, verdict="differs", detail=f"was {old}, now {new}")
    if before.sealed is not None:
        return Comparison(cell=cell, verdict="sealed", detail=f"{new}; its scores are sealed")
    if before.scores == after.scores:
        return Comparison(cell=cell, verdict="identical", detail=new)
    shown = disclose(after, benchmark).scores or {}
    changes = [
        f"{key} was {before.scores.get(key)!r}, now {value!r}"
        for key, value in shown.items()
        if value != before.scores.get(key)
    ]
    near = before.scores.keys() == after.scores.keys() and all(
        math.isclose(value, before.scores[key], rel_tol=RELATIVE_TOLERANCE)
        for key, value in after.scores.items()
    )
    verdict: Verdict = "close" if near else "timed" if benchmark.exclusive else "differs"
    detail = "; ".join(changes) or "in scores that are hidden"
    return Comparison(cell=cell, verdict=verdict, detail=detail)


def _outcome(record: Record) -> str:
    return f"failed, {record.error.reason}" if record.error else record.status
