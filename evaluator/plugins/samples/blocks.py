"""Samples of a board's one task -> blocks by which its rows are compared.

Samples of one group depend on each other, so that a block holds whole groups. There are at most
``MAX_BLOCKS``: signs of whole blocks are flipped, which is a test as exact as one by samples, and
hardly weaker.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from itertools import pairwise

import msgspec
import numpy as np
import numpy.typing as npt

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.columns import Column
from evaluator.core.formats.record import Score
from evaluator.core.leaderboard.published import PublicBoard, attachments, once_per_board
from evaluator.core.leaderboard.table import Floats
from evaluator.plugins.samples.format import MAX_SAMPLES, unpack
from evaluator.site.insight import Blocks

SUFFIX = "samples.jsonl.gz"
MAX_BLOCKS = 1000
_LINES = 50_000
"""Samples that are objects at once: a million of them would fill the memory."""
_CLOSE = 1e-9


class _Scored(msgspec.Struct, frozen=True, gc=False):
    """What statistics need of a sample."""

    id: str
    scores: dict[str, Score]
    group: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Scores:
    """What one cell reached on its samples; they are sorted by id."""

    ids: tuple[str, ...]
    groups: tuple[str, ...]
    """By sample; empty if no sample has a group. A sample without one is its own group."""
    values: Floats
    """In one column; NaN for none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardScores:
    """What the ranked rows of a board reached on the same samples of its task."""

    ids: Sequence[str]
    groups: Sequence[str]
    values: Floats
    """By sample and ranked row, as they were written; NaN for none."""


def read_scores(content: bytes, column: str) -> Scores:
    """Read what is kept of samples. Raises ValueError if it is not in order, or holds too many."""
    plain = unpack(content)
    if plain.count(b"\n") > MAX_SAMPLES:
        raise ValueError(f"has more than {MAX_SAMPLES:,} lines")
    decoder = msgspec.json.Decoder(_Scored)
    ids: list[str] = []
    groups: list[str] = []
    values: list[float] = []
    has_groups = False
    lines = plain.splitlines()
    for start in range(0, len(lines), _LINES):
        samples = [decoder.decode(line) for line in lines[start : start + _LINES]]
        ids += [sample.id for sample in samples]
        values += [sample.scores.get(column, np.nan) for sample in samples]
        has_groups = has_groups or any(sample.group is not None for sample in samples)
        if has_groups:
            groups += ids[len(groups) : start]
            # A group may have the name of a sample that has none: no id begins with this sign.
            groups += [
                sample.id if sample.group is None else f"\n{sample.group}" for sample in samples
            ]
    if any(one >= other for one, other in pairwise(ids)):
        raise ValueError("is not sorted by ids that differ")
    return Scores(ids=tuple(ids), groups=tuple(groups), values=np.array(values))


@once_per_board
def board_scores(board: PublicBoard) -> BoardScores | str:
    """Return what is known of the samples of a board with one task, or why there is nothing."""
    rules = board.benchmark.leaderboard
    if rules.ranked_by is not None or rules.primary.ranks is not None or len(board.tasks) != 1:
        return "This board does not rank by a mean over the samples of one task."
    return task_scores(board, board.tasks[0].slug, rules.primary, attachments(board, SUFFIX))


def task_scores(
    board: PublicBoard, task: str, column: Column, files: Mapping[CellId, bytes]
) -> BoardScores | str:
    """Return the same of one task and column; ``files`` are what is kept of samples.

    The first row says which samples count. Another row takes part if it has the same, and if its
    value is their mean.
    """
    if board.benchmark.leaderboard.hidden or column.hidden or board.phase.shows == "status":
        return "The results of this board are not public."
    first: Scores | None = None
    values: list[Floats] = []
    for row in board.ranked:
        one, value = None, row.tasks[task].values.get(column.key)
        cells = [record.cell for record in row.tasks[task].records]
        if len(cells) == 1 and cells[0] in files and value is not None:
            one = _means_to(files[cells[0]], column.key, value)
        if first is None:
            if one is None:
                return (
                    f"The first row has no samples of which its {column.title} is the mean, so "
                    "nothing can be compared by samples."
                )
            first = one
        same = one is not None and (one.ids, one.groups) == (first.ids, first.groups)
        values.append(one.values if one and same else np.full(len(first.ids), np.nan))
    if first is None or len(values) - sum(np.isnan(one).all() for one in values) < 2:
        return "Fewer than two rows have the same samples."
    return BoardScores(ids=first.ids, groups=first.groups, values=np.stack(values, axis=1))


def _means_to(content: bytes, column: str, value: float) -> Scores | None:
    """Return samples whose mean is a value; what cannot be read has none."""
    try:
        scores = read_scores(content, column)
    except (ValueError, msgspec.MsgspecError):
        return None
    return scores if abs(scores.values.mean() - value) <= _CLOSE * max(1.0, abs(value)) else None


def sample_blocks(board: PublicBoard) -> Blocks | None:
    scores = board_scores(board)
    if isinstance(scores, str):
        return None
    group_of = np.arange(len(scores.ids))
    if scores.groups:
        group_of = np.unique(np.array(scores.groups), return_inverse=True)[1]
    sign = -1 if board.benchmark.leaderboard.primary.sorting == "asc" else 1
    return Blocks(
        values=sign * in_blocks(scores.values, group_of),
        count=int(group_of.max()) + 1,
        noun="groups of samples" if scores.groups else "samples",
    )


def in_blocks(values: Floats, group_of: npt.NDArray[np.intp]) -> Floats:
    """Join samples to blocks of whole groups; the mean of the blocks is that of the samples."""
    sizes = np.bincount(group_of)
    count = min(len(sizes), MAX_BLOCKS)
    places = np.arange(len(sizes))
    if len(sizes) > count:
        # Large groups first, each to the smallest block; those of one size in random order, for
        # neighbours may be alike.
        order = np.random.RandomState(8).permutation(len(sizes))
        order = order[np.argsort(-sizes[order], kind="stable")]
        if sizes.max() == sizes.min():
            places[order] = np.arange(len(sizes)) % count
        else:
            blocks = [(0, place) for place in range(count)]
            heapify(blocks)
            for group, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
                filled, places[group] = blocks[0]
                heapreplace(blocks, (filled + size, int(places[group])))
    block_of = places[group_of]
    sums = [np.bincount(block_of, column, minlength=count) for column in values.T]
    return np.asarray(np.stack(sums, axis=1) * (count / len(values)))
