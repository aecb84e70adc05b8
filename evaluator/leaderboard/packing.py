"""Rows as they go from process to process, and are kept for the next build."""

import msgspec

from evaluator.exports.board_json import tasks_json
from evaluator.formats.submission import Submission
from evaluator.leaderboard.packed_tasks import PackedResults, PackedTasks, pack_results
from evaluator.leaderboard.published import Publisher
from evaluator.leaderboard.rows import Row, Standing
from evaluator.leaderboard.summaries import Summary


class PackedRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A row without its rank and its submission."""

    submitted: str
    overall: dict[str, float]
    uncounted: list[str]
    """Slugs of the tasks that do not count."""
    standing: Standing | None
    summary: Summary
    tasks: memoryview
    """Like the following a view of what this was read from, so that most of it is never read."""
    data: memoryview
    variants: tuple[list[str], memoryview]
    """Slugs and results."""


def pack_row(row: Row, publish: Publisher) -> PackedRow:
    """Pack a row. Raises UnicodeEncodeError for text that no file can hold."""
    is_public = publish.row(row) is row
    return PackedRow(
        submitted=row.submitted,
        overall=dict(row.overall),
        uncounted=[slug for slug in row.tasks if slug not in row.counted],
        standing=row.standing,
        summary=row.summary,
        tasks=memoryview(pack_results(row.tasks)),
        data=memoryview(tasks_json(row) if is_public else b""),
        variants=(list(row.variants), memoryview(pack_results(row.variants))),
    )


def unpack_row(
    packed: PackedRow, submission: Submission, slugs: tuple[str, ...], counted: frozenset[str]
) -> Row:
    """Invert ``pack_row``; ``slugs`` are those of the board's tasks, ``counted`` the same as set.

    Results are unpacked when somebody asks for them.
    """
    cell = submission.cell("")
    own, results = packed.variants
    return Row(
        rank=None,
        submission=submission,
        submitted=packed.submitted,
        tasks=PackedTasks(packed.tasks, slugs, cell, summary=packed.summary, data=packed.data),
        overall=packed.overall,
        counted=counted.difference(packed.uncounted) if packed.uncounted else counted,
        standing=packed.standing,
        variants=PackedResults(results, own, cell) if own else {},
    )
