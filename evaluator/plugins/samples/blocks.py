"""Samples of a board's tasks, by which its rows are compared; those of a group count as one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.columns import Column
from evaluator.core.formats.json_reader import form_reader
from evaluator.core.formats.phases import Task
from evaluator.core.formats.record import Score
from evaluator.core.leaderboard.published import PublicBoard, attachments, once_per_board
from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.samples.format import MAX_LINE, lines_of, unpack
from evaluator.site.content.insight import BoardSamples

SUFFIX = "samples.jsonl.gz"
_CLOSE = 1e-9


class _Scored(msgspec.Struct, frozen=True, gc=False):
    """What statistics need of a sample."""

    id: str
    scores: dict[str, Score]
    group: str | None = None


_read_scored = form_reader(_Scored, max_bytes=MAX_LINE)


@dataclass(frozen=True, kw_only=True, eq=False)
class SampleScores:
    """What one cell reached on its samples; they are sorted by id."""

    ids: tuple[str, ...]
    groups: tuple[str, ...]
    """By sample; empty if no sample has a group. A sample without one is its own group."""
    values: Floats
    """In one column; NaN for none."""
    weights: Floats
    """By sample: folds count alike, however many samples each has. Their mean is 1."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskScores:
    """What the ranked rows of a board reached on the same samples of one task."""

    column: Column
    ids: Sequence[str]
    groups: Sequence[str]
    values: Floats
    """By sample and ranked row, as they were written, the mean over repeats; NaN for none."""
    weights: Floats
    """By sample: folds count alike, however many samples each has. Their mean is 1."""
    passed: Mapping[int, int]
    """Place of a row whose repeats all have outcomes, 0 or 1 -> how many these are."""

    @property
    def group_of(self) -> npt.NDArray[np.intp]:
        """By sample: a number of its group, or its own."""
        if not self.groups:
            return np.arange(len(self.ids))
        return np.unique(np.array(self.groups), return_inverse=True)[1]


def read_scores(content: bytes, column: str) -> SampleScores:
    """Read what is kept of samples. Raises ValueError if it is not in order, or holds too many."""
    ids: list[str] = []
    groups: list[str] = []
    values: list[float] = []
    for sample in map(_read_scored, lines_of(unpack(content))):
        ids.append(sample.id)
        values.append(sample.scores.get(column, np.nan))
        if sample.group is not None or groups:
            groups += ids[len(groups) : -1]
            # A group may have the name of a sample that has none: no id begins with this sign.
            groups.append(sample.id if sample.group is None else f"\n{sample.group}")
    if any(one >= other for one, other in pairwise(ids)):
        raise ValueError("is not sorted by ids that differ")
    return SampleScores(
        ids=tuple(ids), groups=tuple(groups), values=np.array(values),
        weights=np.ones(len(ids)),
    )  # fmt: skip


@once_per_board
def scores_by_task(board: PublicBoard) -> Mapping[str, TaskScores]:
    """What is known of each task, by its slug: in the column that ranks, or else in another.

    The first row says which samples count. Another row takes part if it has the same, in all
    repeats, and if its value is their mean. If repeats are folds, all their samples count.
    """
    if not board.benchmark.of_plugins.get("samples"):
        return {}  # records of boards with pages alone are not read
    column = board.benchmark.leaderboard.ranked_by or board.benchmark.leaderboard.primary
    if board.benchmark.leaderboard.hidden or column.hidden or board.phase.shows == "status":
        return {}
    files = attachments(board, SUFFIX)
    by_task: dict[str, TaskScores] = {}
    for task in board.tasks if files else ():
        for one in (column, *(other for other in board.columns if other != column)):
            if scores := _scores(board, task, one, files):
                by_task[task.slug] = scores
                break
    return by_task


def _scores(
    board: PublicBoard, task: Task, column: Column, files: Mapping[CellId, bytes]
) -> TaskScores | None:
    join = _folds if board.benchmark.repeat_data_of(task) else _mean
    first: SampleScores | None = None
    values: list[Floats] = []
    passed: dict[int, int] = {}
    for place, row in enumerate(board.ranked):
        cells = [record.cell for record in row.tasks[task.slug].records]
        try:
            repeats = [read_scores(files[cell], column.key) for cell in cells]
        except (KeyError, ValueError):
            repeats = []
        scores = join(repeats) if repeats else None
        value = row.tasks[task.slug].values.get(column.key, np.nan)
        if scores and not _is_close((scores.values * scores.weights).mean(), value):
            scores = None
        first = first or scores
        if first is None:
            return None
        if scores and (scores.ids, scores.groups) == (first.ids, first.groups):
            values.append(scores.values)
            are_tries = join is _mean and len(repeats) > 1
            if are_tries and all(are_outcomes(one.values) for one in repeats):
                passed[place] = len(repeats)
        else:
            values.append(np.full(len(first.ids), np.nan))
    if first is None or len(values) - sum(np.isnan(one).all() for one in values) < 2:
        return None
    return TaskScores(
        column=column, ids=first.ids, groups=first.groups, values=np.stack(values, axis=1),
        weights=first.weights, passed=passed,
    )  # fmt: skip


def _mean(repeats: Sequence[SampleScores]) -> SampleScores | None:
    """The mean over repeats on the same samples; None if they have others."""
    kinds = ((one.ids, one.groups) for one in repeats)
    if any(kind != (repeats[0].ids, repeats[0].groups) for kind in kinds):
        return None
    return replace(repeats[0], values=np.mean([one.values for one in repeats], axis=0))


def _folds(repeats: Sequence[SampleScores]) -> SampleScores:
    """The samples of all folds, each named after its fold."""
    sizes = np.array([len(one.ids) for one in repeats])
    return SampleScores(
        ids=tuple(f"{fold}/{name}" for fold, one in enumerate(repeats) for name in one.ids),
        # A group goes over folds; a sample without one is its own in each.
        groups=tuple(
            name if name.startswith("\n") else f"{fold}/{name}"
            for fold, one in enumerate(repeats) for name in one.groups or one.ids
        ) if any(one.groups for one in repeats) else (),
        values=np.concatenate([one.values for one in repeats]),
        weights=np.repeat(sizes.mean() / sizes, sizes),
    )  # fmt: skip


def _is_close(mean: Floats | np.floating[Any], value: Floats | float) -> Any:
    return np.abs(mean - value) <= _CLOSE * np.maximum(1.0, np.abs(value))


def are_outcomes(values: Floats) -> bool:
    return bool(np.isin(values, (0, 1)).all())


def board_samples(board: PublicBoard) -> BoardSamples | None:
    """The samples of all tasks, if the board ranks by the mean over tasks."""
    rules = board.benchmark.leaderboard
    if rules.ranked_by is not None or rules.primary.ranks is not None:
        return None
    by_task = scores_by_task(board)
    parts = [by_task[task.slug] for task in board.tasks if task.slug in by_task]
    if len(parts) < len(board.tasks) or any(one.column != rules.primary for one in parts):
        return None
    weights = np.array([task.extension.weight for task in board.tasks], np.float64)
    shares = np.concatenate([
        part.weights * (weight / len(part.ids))
        for part, weight in zip(parts, weights / weights.sum(), strict=True)
    ])  # fmt: skip
    values = np.concatenate([part.values for part in parts])
    of_board = np.array([row.overall.get(rules.primary.key) for row in board.ranked], np.float64)
    values[:, ~_is_close(shares @ values, of_board)] = np.nan
    if len(of_board) - np.isnan(values).any(axis=0).sum() < 2:
        return None
    group_of = np.zeros(0, np.intp)
    for part in parts:
        group_of = np.append(group_of, part.group_of + group_of.max(initial=-1) + 1)
    return BoardSamples(
        values=(-1 if rules.primary.sorting == "asc" else 1) * values,
        shares=shares,
        task_of=np.repeat(np.arange(len(parts)), [len(part.ids) for part in parts]),
        group_of=group_of,
        noun="groups of samples" if any(part.groups for part in parts) else "samples",
    )
