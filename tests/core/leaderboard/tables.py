"""Boards of any number of tasks, made from tables of numbers."""

import re
from collections.abc import Mapping, Sequence

from evaluator.core.formats.bundle import Benchmark, parse_bundle
from evaluator.core.leaderboard.published import PublicBoard
from tests.core.leaderboard.boards import FAILED, FILES, HEAD, ONE_COLUMN, Entries

LOWER = ONE_COLUMN.replace("desc", "asc")


def tasks_benchmark(
    tasks: int, *, columns: str = ONE_COLUMN, rule: str = "Force_Latest_Multiple", extra: str = ""
) -> Benchmark:
    lines = "".join(
        f"  - {{index: {index}, name: Task {index}, scoring_program: scoring}}\n"
        for index in range(tasks)
    )
    head = re.sub(r"(tasks:\n)(  - .*\n)+(?=phases)", lambda found: found[1] + lines, HEAD)
    text = head % (", ".join(map(str, range(tasks))), rule, columns) + extra
    benchmark, problems = parse_bundle("bench", text.encode(), FILES)
    assert benchmark is not None, problems
    return benchmark


Cell = float | None | Sequence[float]
"""A value, a failure, or one value for each repeat."""


def table_board(
    table: Mapping[str, Sequence[Cell]],
    *,
    columns: str = ONE_COLUMN,
    rule: str = "Force_Latest_Multiple",
    extra: str = "",
) -> PublicBoard:
    """Return the board of ``participant/name`` -> what it reached on each task."""
    tasks = len(next(iter(table.values())))
    entries = Entries(tasks_benchmark(tasks, columns=columns, rule=rule, extra=extra))
    for name, cells in table.items():
        participant, _, own = name.rpartition("/")
        given = [
            FAILED
            if cell is None
            else {"a": cell}
            if isinstance(cell, (int, float))
            else [{"a": value} for value in cell]
            for cell in cells
        ]
        entries.enter(participant or own, own, *given)
    return entries.board()
