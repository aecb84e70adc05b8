"""Compares records made afresh with the committed ones."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from operator import itemgetter
from random import Random
from typing import Literal

import msgspec

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record, clock_seconds
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.climbing import beside
from evaluator.core.scores.redaction import coarse, disclose
from evaluator.plugins.reproduce.tolerance import tolerances_of

RELATIVE_TOLERANCE = 1e-9
"""Between processors, sums in another order differ in the last bits."""
_SAMPLED = 5
"""Benchmarks that a sample is drawn from."""
_LONG = 600
"""Seconds."""
_TIME = re.compile(
    "(?i:(?<![a-z])(elapsed|hours?|minutes?|secs?|seconds?|milliseconds?|ms|times?|duration|latency)"
    "(?![a-z]))|elapsedTime|[a-z]Time(?![a-z])"
)
"""Names of columns that are times."""
REPRODUCED = "build/reproduced"
"""Where records of a reproduction go."""
Verdict = Literal["identical", "close", "tolerated", "timed", "sealed", "differs", "new"]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One cell, evaluated again."""

    cell: CellId
    verdict: Verdict
    """``tolerated``: as near as the bundle allows; ``timed``: the scores are times, which never
    repeat; ``sealed``: the committed ones cannot be read; ``new``: no committed record."""
    detail: str
    """May be public."""


def committed(snapshot: Snapshot) -> dict[CellId, Record]:
    return {
        cell: record
        for name in snapshot.benchmarks
        for cell, record in snapshot.record_files.records(name).items()
    }


def compare(
    committed: Mapping[CellId, Record],
    reproduced: Mapping[CellId, Record],
    benchmarks: Mapping[str, Benchmark],
) -> Iterator[Comparison]:
    for cell, record in sorted(reproduced.items(), key=lambda item: str(item[0])):
        before = committed.get(cell)
        if before is None:
            yield Comparison(cell=cell, verdict="new", detail="no committed record")
        else:
            benchmark = benchmarks[cell.benchmark]
            phase = benchmark.phase(cell.phase)
            record = coarse(record, phase)
            compared = _compare(cell, before, record, benchmark)
            if compared.verdict == "differs" and phase and phase.ladder:
                best = beside(record, [before.scores], benchmark, phase).scores == before.scores
                others = (  # that the participant has elsewhere for the same task
                    one.scores for other, one in committed.items()
                    if other != cell
                    and msgspec.structs.replace(other, submission=cell.submission) == cell
                )  # fmt: skip
                if best and before.scores in others:
                    detail = f"{compared.detail}; the phase shows the best again"
                    compared = replace(compared, verdict="tolerated", detail=detail)
            yield compared


def sample(
    snapshot: Snapshot, chosen: Iterable[PlannedCell], committed: Mapping[CellId, Record],
    size: int, draw: Random | None = None,
) -> list[PlannedCell]:  # fmt: skip
    """Cells that are soon evaluated, as many of each of few benchmarks.

    With ``draw``: any of those that took minutes at most, so that nobody knows which.
    """
    ended = [
        (sum(clock_seconds(record.steps, at_once=item.cell.task.parallel)), item)
        for item in chosen
        if (record := committed.get(item.cell.id)) is not None and record.error is None
    ]
    if draw is None:
        ended.sort(key=itemgetter(0))
    else:
        ended = [one for one in ended if one[0] < _LONG]
        draw.shuffle(ended)
    groups: dict[str, list[PlannedCell]] = defaultdict(list)
    for _, item in ended:
        groups[item.cell.benchmark.name].append(item)
    small = list(groups)
    if draw is None:
        small.sort(key=lambda name: (_installs(snapshot, name), name))
    rounds = chain.from_iterable(zip_longest(*(groups[name] for name in small[:_SAMPLED])))
    return list(islice((item for item in rounds if item is not None), size))


def _installs(snapshot: Snapshot, name: str) -> int:
    """Count what a benchmark's image needs beside its base."""
    path = snapshot.benchmarks[name].path
    files = snapshot.tree.read([f"{path}/Dockerfile", f"{path}/requirements.txt"])
    return sum(len(content.split()) for content in files.values())


def _compare(cell: CellId, before: Record, after: Record, benchmark: Benchmark) -> Comparison:
    old, new = _outcome(before), _outcome(after)
    if old != new:
        return Comparison(cell=cell, verdict="differs", detail=f"was {old}, now {new}")
    if before.sealed is not None and before.scores.keys() != after.scores.keys():
        return Comparison(cell=cell, verdict="sealed", detail=f"{new}; its scores are sealed")
    if before.scores == after.scores:
        return Comparison(cell=cell, verdict="identical", detail=new)
    shown = disclose(after, benchmark).scores or {}
    changes = [
        f"{key} was {before.scores.get(key)!r}, now {value!r}"
        for key, value in shown.items()
        if value != before.scores.get(key)
    ]
    verdict: Verdict = "differs"
    if before.scores.keys() == after.scores.keys():
        far = [
            key
            for key, value in after.scores.items()
            if not math.isclose(value, before.scores[key], rel_tol=RELATIVE_TOLERANCE)
        ]
        tolerances = tolerances_of(benchmark)
        apart = {
            key
            for key in far
            if key not in tolerances
            or not tolerances[key].holds(before.scores[key], after.scores[key])
        }
        names = {one.key: f"{one.key} {one.title}" for one in benchmark.leaderboard.columns}
        if not far:
            verdict = "close"
        elif not apart:
            verdict = "tolerated"
        elif benchmark.exclusive and all(_TIME.search(names.get(key, key)) for key in apart):
            verdict = "timed"
    detail = "; ".join(changes) or "in scores that are hidden"
    return Comparison(cell=cell, verdict=verdict, detail=detail)


def _outcome(record: Record) -> str:
    return f"failed, {record.error.reason}" if record.error else record.status
