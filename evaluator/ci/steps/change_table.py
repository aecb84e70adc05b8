"""A changed board as Markdown: who enters, who moves, ties, and the rows around them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from evaluator.ci.forge.inert_markdown import name, number, prose, quoted
from evaluator.ci.steps.board_changes import BoardChange, RowChange
from evaluator.core.errors import counted, some_of
from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.tables import value_text
from evaluator.core.plugins import Contract

TOP = 10
"""Rows that a long board always keeps, where half of its rows are as many."""
NEAR = 2
"""Rows shown above and below one that is new or has another value."""
_NAMED = 5
"""Submissions that a sentence names."""


class Concludes(Protocol):
    """Says who leads a board, and whether the lead is real."""

    def conclusions(self, board: PublicBoard, name: Callable[[Row], str] | None = None) -> str:
        """Call rows by their ``name``."""


CONCLUDES = Contract[Concludes]("insights")


def board_section(change: BoardChange, *, rows: int, columns: int) -> list[str]:
    title, phase = name(change.after.benchmark.title), name(change.after.phase.name)
    lines = [f"#### {title}, phase {phase}: the board as it would be", ""]
    if change.hidden:
        hides = "The organiser hides this leaderboard."
        return [*lines, f"{hides} The submission ran; its scores are shown later."]
    if not change.changed:
        return [*lines, "Nothing on it changes."]
    sentences = list(_sentences(change))
    lines += [f"- {sentence}" for sentence in sentences[:rows]]
    if len(sentences) > rows:
        lines.append(f"- and {counted(len(sentences) - rows, 'more changes')}.")
    return [*lines, "", *_table(change, rows, columns)] if change.rows else lines


def _sentences(change: BoardChange) -> Iterator[str]:
    ranked = sum(row.rank is not None for row in change.rows)
    status = change.after.phase.shows == "status"
    for row in change.rows:
        if not (row.new or row.changes or row.rank is None or status):
            continue
        name = quoted(_id(row.row.submission.id))
        if status:
            if row.new or row.state_before != row.row.state:
                yield f"{name}: {row.row.state}. This phase shows only whether a submission ran."
        elif row.new and row.rank is None:
            yield f"{name} is not ranked: {prose(row.row.why_unranked, 300)}."
        elif row.new:
            yield f"{name} enters at rank {row.rank} of {ranked}{_tied(row)}."
        elif row.rank is None and row.rank_before is not None:
            yield f"{name} loses rank {row.rank_before}: {prose(row.row.why_unranked, 300)}."
        elif row.changes:
            yield f"{name} has other values{_rank_change(row)}{_tied(row)}."
    for departure in change.dropped:
        why = "it is cancelled or removed"
        if departure.why == "rule":
            why = "the benchmark lists another submission of this participant"
        yield f"{quoted(_id(departure.row.submission.id))} drops off: {why}."
    for entry in change.set_aside:
        yield (
            f"{quoted(_id(entry.submission.id))} is not listed: the benchmark's rule is "
            f"{quoted(change.after.benchmark.leaderboard.submission_rule)}."
        )
    if ranked > 1 and any(row.new or row.changes for row in change.rows if row.rank is not None):
        for insight in CONCLUDES.values():
            yield insight.conclusions(change.after, name=lambda row: quoted(_id(row.submission.id)))


def _id(submission: str) -> str:
    """Without the benchmark, which stands above it."""
    return submission.partition("/")[2]


def _rank_change(row: RowChange) -> str:
    if row.moved is None:
        return ""
    if not row.moved:
        return f" and stays at rank {row.rank}"
    return f" and moves from rank {row.rank_before} to {row.rank}"


def _tied(row: RowChange) -> str:
    others = row.tied_with
    first = [*(quoted(_id(other)) for other in others[:_NAMED]), *others[_NAMED:]]
    return f", tied with {some_of(first, _NAMED)}" if others else ""


def _table(change: BoardChange, rows: int, limit: int) -> Iterator[str]:
    columns = _columns(change, limit)
    left_out = len(change.columns) - len(columns)
    heads = ["Rank", "Move", "Participant", "Submission", *(name(c.title) for c in columns)]
    yield _line(heads)
    yield _line(["--:", ":--", ":--", ":--", *["--:"] * len(columns)])
    previous = -1
    shown = _shown_rows(change.rows, rows)
    for index in [*shown, len(change.rows)]:
        if index > previous + 1:
            gap = counted(index - previous - 1, "rows")
            yield _line(["…", "", f"{gap} left out", "", *[""] * len(columns)])
        if index < len(change.rows):
            yield _line(_cells(change.rows[index], columns))
        previous = index
    if left_out:
        yield ""
        yield f"{counted(left_out, 'columns')} left out."


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _columns(change: BoardChange, limit: int) -> Sequence[Column]:
    columns = list(change.columns[:limit])
    if change.primary is not None and columns and change.primary not in columns:
        columns[-1] = change.primary
    return columns


def _cells(row: RowChange, columns: Sequence[Column]) -> Iterator[str]:
    yield "" if row.rank is None else f"{row.rank}{'=' if len(row.same_rank) > 1 else ''}"
    yield _move(row)
    submission = row.row.submission
    title = quoted(submission.title, 80)
    yield quoted(submission.participant, 80)
    yield f"**{title}**" if row.new or row.changes else title
    for column in columns:
        values = row.changes.get(column.key)
        yield _changed(column, *values) if values else _value(row, column)


def _move(row: RowChange) -> str:
    if row.new:
        return "new"
    if row.moved:
        return f"▲ {row.moved}" if row.moved > 0 else f"▼ {-row.moved}"
    if row.rank != row.rank_before:
        return "unranked" if row.rank is None else "ranked"
    return ""


def _value(row: RowChange, column: Column) -> str:
    value = row.row.overall.get(column.key)
    return value_text(row.row, column) if value is None else number(value, column.precision)


def _changed(column: Column, before: float | None, after: float | None) -> str:
    if before is None or after is None:
        shown = "none" if after is None else number(after, column.precision)
        return f"{shown} (was {'none' if before is None else number(before, 6)})"
    digits = column.precision
    while digits < 17 and number(before, digits) == number(after, digits):
        digits += 1
    if number(before, digits) == number(after, digits):
        return f"{after!r} (was {before!r})"
    return f"{number(after, digits)} (was {number(before, digits)})"


def _shown_rows(rows: Sequence[RowChange], limit: int) -> list[int]:
    if len(rows) <= limit:
        return list(range(len(rows)))
    indices = dict.fromkeys(range(min(TOP, limit // 2)))
    for index in _wanted(rows):
        if len(indices) >= limit:
            break
        indices[index] = None
    return sorted(indices)


def _wanted(rows: Sequence[RowChange]) -> Iterator[int]:
    changed = [index for index, row in enumerate(rows) if row.new or row.changes]
    yield from changed
    for distance in range(1, NEAR + 1):
        for index in changed:
            yield from (p for p in (index - distance, index + distance) if 0 <= p < len(rows))
    moved = [index for index, row in enumerate(rows) if row.moved]
    yield from sorted(moved, key=lambda index: -abs(rows[index].moved or 0))
