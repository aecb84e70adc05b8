"""Records of one submission in one phase -> a value, or a state, for each task and column."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import msgspec

from evaluator.errors import Actor
from evaluator.formats.cell import CellId
from evaluator.formats.columns import Column, Leaderboard
from evaluator.formats.outline import AnyRecord, clock_seconds
from evaluator.formats.phases import Phase, Task
from evaluator.formats.record import CellError, Reason
from evaluator.formats.reported import Reported
from evaluator.formats.submission import Submission
from evaluator.formats.sums import deviation, mean, total
from evaluator.leaderboard.failures import kind_of_text

State = Literal["finished", "failed", "stale", "missing"]
"""``stale``: there is a record, but of other content than the commit's; ``missing``: none yet."""

_REPORTED = {"time": Reason.TIMED_OUT, "memory": Reason.OUT_OF_MEMORY}
"""Reasons of failures that others report, by their kind; any other is an error's."""


_NONE: Mapping[str, float] = {}
"""Shared by all that have no values."""


class TaskResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one submission reached on one task."""

    state: State
    values: Mapping[str, float]
    """Column key -> value, computed columns included; over repeats the mean."""
    deviations: Mapping[str, float]
    """Column key -> sample standard deviation over repeats; empty for one run."""
    error: CellError | None
    """The first failure."""
    records: tuple[AnyRecord, ...]
    """By repeat; those that are stale included."""
    at_once: bool = False
    """Whether the steps of a record ran at the same time."""

    @property
    def seconds(self) -> float | None:
        """Wall-clock seconds of all repeats; None without a record."""
        records, at_once = self.records, self.at_once
        if not records:
            return None
        if not at_once and len(records) == 1 and len(steps := records[0].steps) == 2:
            taken = steps[0].wall_seconds + steps[1].wall_seconds
            if taken != math.inf:  # half a million times for a large board
                return taken
        return total(
            [one for record in records for one in clock_seconds(record.steps, at_once=at_once)]
        )

    @property
    def peak_memory(self) -> int | None:
        """Bytes; the largest of all steps."""
        peaks = [s.peak_memory for r in self.records for s in r.steps if s.peak_memory is not None]
        return max(peaks) if peaks else None


def task_result(
    submission: Submission,
    phase: Phase,
    task: Task,
    repeats: int,
    board: Leaderboard,
    records: Mapping[CellId, AnyRecord],
    stale: Collection[CellId],
) -> TaskResult:
    """Join the repeats of one submission on one task; what is reported stands as it is."""
    if submission.reported is not None:
        return _reported(submission.reported, task, board)
    first = CellId(
        benchmark=submission.benchmark,
        participant=submission.participant,
        submission=submission.name,
        phase=phase.slug,
        task=task.slug,
        repeat=None if repeats == 1 else 0,
    )
    if repeats == 1:
        return _of_one(records.get(first), board, is_stale=first in stale, at_once=task.parallel)
    ids = [first, *(msgspec.structs.replace(first, repeat=at) for at in range(1, repeats))]
    found = tuple(records[cell] for cell in ids if cell in records)
    error = next((record.error for record in found if record.error), None)
    if any(cell in stale for cell in ids):
        state: State = "stale"
    elif len(found) < repeats:
        state = "missing"
    else:
        state = "failed" if error else "finished"
    values, deviations = _means(
        [record.scores for record in found if record.status == "finished"], board
    )
    return TaskResult(
        state=state,
        values=with_computed(values, board.computed),
        deviations=deviations,
        error=error,
        records=found,
        at_once=task.parallel,
    )


def _means(
    finished: Sequence[Mapping[str, float]], board: Leaderboard
) -> tuple[dict[str, float], dict[str, float]]:
    """Return means and sample standard deviations over repeats, by column."""
    values: dict[str, float] = {}
    deviations: dict[str, float] = {}
    for key in board.score_keys:
        numbers = [scores[key] for scores in finished if key in scores]
        if numbers:
            values[key] = mean(numbers)
        if len(numbers) > 1:
            deviations[key] = deviation(numbers)
    return values, deviations


def _of_one(
    record: AnyRecord | None, board: Leaderboard, *, is_stale: bool, at_once: bool
) -> TaskResult:
    """Return what one run says, which is all that there is of most of 200,000 cells."""
    state: State = "stale" if is_stale else "missing"
    if record is None:
        return TaskResult(state=state, values=_NONE, deviations=_NONE, error=None, records=())
    if not is_stale:
        state = "finished" if record.error is None else "failed"
    values: Mapping[str, float] = _NONE
    if record.status == "finished":
        scores = values = record.scores
        if len(scores) != len(board.score_keys) or not all(
            map(scores.__contains__, board.score_keys)
        ):
            values = {key: scores[key] for key in board.score_keys if key in scores}
    return TaskResult(
        state=state,
        values=with_computed(values, board.computed) if board.computed else values,
        deviations=_NONE,
        error=record.error,
        records=(record,),
        at_once=at_once,
    )


def _reported(reported: Reported, task: Task, board: Leaderboard) -> TaskResult:
    values, deviations = dict(reported.scores.get(task.slug, {})), dict(_NONE)
    why = reported.why(task.slug)
    folds = reported.folds.get(task.slug)
    if folds is not None:
        finished = [fold for fold in folds if not isinstance(fold, str)]
        everywhere = set(finished[0]).intersection(*finished) if finished else set()
        values, deviations = _means(
            [{key: fold[key] for key in everywhere} for fold in finished], board
        )
    error = (
        CellError(
            actor=Actor.PARTICIPANT,
            reason=_REPORTED.get(kind_of_text(why), Reason.EXITED),
            message=why,
        )
        if why
        else None
    )
    return TaskResult(
        state="failed" if error else "finished" if values else "missing",
        values=with_computed(values, board.columns),
        deviations=deviations,
        error=error,
        records=(),
    )


def with_computed(values: Mapping[str, float], columns: Sequence[Column]) -> dict[str, float]:
    """Add computed columns: over the operands that have a value, as Codabench does."""
    result = dict(values)
    for column in columns if values else ():
        operands = [values[key] for key in column.operands if key in values]
        if column.computation is None or not operands:
            continue
        if column.computation == "avg":
            result[column.key] = mean(operands)
        elif column.computation == "sum":
            result[column.key] = total(operands)
        else:
            result[column.key] = min(operands) if column.computation == "min" else max(operands)
    return result
