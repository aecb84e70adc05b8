"""What a board needs of a row's results at a glance: it looks at no record of those that are kept.

Numbers are by task, in the order of the row's tasks, as the machine has them: so those of many rows
become an array without looking at any.
"""

import math
from array import array
from collections.abc import Collection, Iterable, Mapping
from itertools import repeat

import msgspec

from evaluator.formats.outline import AnyRecord
from evaluator.leaderboard.cells import State, TaskResult

STATES: tuple[State, ...] = ("finished", "failed", "stale", "missing")
"""In the order of their numbers; that of what finished is 0."""
_CODES = {state: code for code, state in enumerate(STATES)}
_NAN = float("nan")


class Predicted(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the prediction steps took, of a row all of whose runs tell."""

    runs: int
    """At least one."""
    seconds: float
    """Wall-clock time of all of them; infinite where it cannot be added."""
    by_queue: dict[str, float]
    """Queue -> seconds."""
    memory: int | None
    """Bytes of the largest; None where one does not tell."""


class Summary(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The results of one row."""

    states: bytes
    """Places among STATES."""
    values: dict[str, bytes]
    """Column key -> 8 bytes for each task, also of what is stale; NaN for none."""
    deviations: dict[str, bytes]
    """The same, of those columns that have any."""
    seconds: bytes
    """Wall-clock seconds of all steps and repeats, 8 bytes for each task; NaN for none."""
    memory: bytes
    """Bytes of the largest step, likewise."""
    failures: dict[int, tuple[str, str, str]]
    """Place of a task -> who must act, the reason and what it says."""
    scored: tuple[str, str] | None
    """ISO times at which the first and the last task that counts were first scored."""
    predicted: Predicted | None
    """On tasks that count; None where a run does not tell."""
    content: str
    """Digest of the submission's files, as its first record has it; empty without any."""
    has_earlier: bool
    """Whether a record remembers former scores."""
    has_details: bool
    """Whether a record has detailed results."""
    less: str
    """What a machine did not give of what was asked for; empty where all had all."""

    def finished(self, key: str) -> list[float | None]:
        """Return the values of a column by task; None of what has not finished."""
        values = array("d", self.values.get(key, b""))
        return [
            value if code == 0 and not math.isnan(value) else None
            for code, value in zip(self.states, values or repeat(_NAN), strict=False)
        ]


def summary_of(tasks: Mapping[str, TaskResult], counted: Collection[str]) -> Summary:
    """Sum up results by slug; ``counted`` are the slugs of tasks that count."""
    results = list(tasks.values())
    records = [record for one in results for record in one.records]
    own = [r for slug, one in tasks.items() if slug in counted for r in one.records]
    return Summary(
        states=bytes([_CODES[one.state] for one in results]),
        values=_by_key([one.values for one in results]),
        deviations=_by_key([one.deviations for one in results]),
        seconds=_packed(one.seconds for one in results),
        memory=_packed(one.peak_memory for one in results),
        failures={
            place: (str(error.actor), str(error.reason), error.message)
            for place, one in enumerate(results)
            if (error := one.error) is not None
        },
        scored=_scored(own),
        predicted=_predicted(own),
        content=next((record.provenance.submission_tree for record in records), ""),
        has_earlier=any(record.earlier for record in records),
        has_details=any(record.detailed_results for record in records),
        less=less_of(records),
    )


def less_of(records: Iterable[AnyRecord]) -> str:
    """Say what machines did not give of what was asked for; empty where all had all."""
    return ", ".join({step.less: None for one in records for step in one.steps if step.less})


def _by_key(values: list[Mapping[str, float]]) -> dict[str, bytes]:
    keys = dict.fromkeys(key for one in values for key in one)
    return {key: _packed(one.get(key) for one in values) for key in keys}


def _packed(numbers: Iterable[float | None]) -> bytes:
    return array("d", [_NAN if number is None else number for number in numbers]).tobytes()


def _scored(records: Iterable[AnyRecord]) -> tuple[str, str] | None:
    times = [
        record.earlier[0].finished if record.earlier else record.provenance.finished
        for record in records
        if record.status == "finished"
    ]
    # Nearly all are written alike, so that their order as texts is that of time.
    return (min(times), max(times)) if times else None


def _predicted(records: Iterable[AnyRecord]) -> Predicted | None:
    runs, seconds = 0, 0.0
    by_queue: dict[str, float] = {}
    peaks: list[int | None] = []
    for record in records:
        step = record.step("ingestion")
        if step is None or record.status != "finished":
            return None
        queue = record.provenance.queue
        runs += 1
        seconds += step.wall_seconds
        by_queue[queue] = by_queue.get(queue, 0.0) + step.wall_seconds
        peaks.append(step.peak_memory)
    known = [peak for peak in peaks if peak is not None]
    memory = max(known, default=0) if len(known) == len(peaks) else None
    return Predicted(runs, seconds, by_queue, memory) if runs else None
