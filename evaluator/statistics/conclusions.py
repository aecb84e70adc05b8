"""What can be concluded from a board, and what cannot, in one or two plain sentences."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluator.errors import printable
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.per_board import once_per_board
from evaluator.leaderboard.wording import percent
from evaluator.statistics.intervals import Intervals, intervals

MAX_NAMED = 3
NEARLY = 0.9
"""Share of the draws from which on a reader may take a lead for certain that is not."""
Name = Callable[[Row], str]


def conclusions(board: Board, name: Name | None = None) -> str:
    """Say who leads a published board, and whether the lead is real.

    Plain text; ``name`` gives the names of rows in it. Without one they are titles of printable
    characters, each kept apart from the direction of the text around it.
    """
    return " ".join(_sentences(board, name or _namer(board)))


def _sentences(board: Board, name: Name) -> Iterator[str]:
    if board.benchmark.leaderboard.hidden:
        yield "The organiser hides this leaderboard, so nothing can be concluded from it."
        return
    noun = board.benchmark.row_noun
    if board.phase.shows == "status":
        yield f"This phase shows only whether a {noun} ran, not which is better."
        return
    ranked = board.ranked
    if len(ranked) < 2:
        yield (
            f"{name(ranked[0])} alone has a rank: there is nothing to compare it with."
            if ranked
            else f"No {noun} has a rank yet, so nothing can be concluded."
        )
        return
    drawn = intervals(board)
    if isinstance(drawn, Intervals):
        yield from _drawn(drawn, board, name)
    else:
        yield f"{_first(board.leaders, name)}."
        yield _why_not(board, drawn)
    yield from _reported(ranked, noun)


def _first(leaders: Sequence[Row], name: Name) -> str:
    if len(leaders) == 1:
        return f"{name(leaders[0])} leads"
    named = [name(row) for row in leaders[:MAX_NAMED]]
    more = len(leaders) - len(named)
    listed = named if not more else [*named, f"{more} more"]
    return f"{', '.join(listed[:-1])} and {listed[-1]} share the first place"


def _why_not(board: Board, reason: str) -> str:
    if len(board.tasks) == 1 or board.benchmark.leaderboard.rule.of_first_task:
        once = "is reported" if _all_reported(board.leaders) else "was run"
        return (
            f"With one {board.benchmark.task_noun} that {once} once, nothing can be concluded "
            "about which is better in general."
        )
    return f"{reason} Nothing can be concluded about which is better in general."


def _drawn(drawn: Intervals, board: Board, name: Name) -> Iterator[str]:
    unit = board.benchmark.task_noun
    over = f"resampled {unit}s" if drawn.tasks > 1 else f"resampled repeats of the {unit}"
    first, lead = drawn.rows[0], _first(board.leaders, name)
    same = [row for row in drawn.group(1) if row.rank != 1]
    others = [row for row in drawn.rows if row.rank != 1]
    if not others:
        yield f"All {len(drawn.rows)} ranked share the first place."
        return
    rival = (same or others)[0]
    first_beats = float(drawn.first_beats[drawn.rows.index(rival)])
    who = "it" if len(board.leaders) == 1 else name(first)
    rest = "" if same else ", the next," if len(others) > 1 else ", the other,"
    beats = f"over {over} {who} beats {name(rival)}{rest} in {percent(first_beats)} of cases"
    if not drawn.can_separate:
        yield f"{lead}; {beats}."
        yield _too_few(drawn, unit)
    elif not same:
        yield f"{lead}, and the lead is established: {beats}."
    else:
        near = " (97.5 % would be enough)" if first_beats >= NEARLY else ""
        yield f"{lead}; {beats}, so the lead is not established{near}."
        yield from _not_separated(drawn)
    if drawn.tasks == 1:
        yield f"This holds for this {unit} alone: its repeats share its data."


def _too_few(drawn: Intervals, unit: str) -> str:
    count = f"{drawn.units} {unit}s" if drawn.tasks > 1 else f"one {unit} and {drawn.units} repeats"
    return (
        f"With {count} no lead can be established: of two that are equally good, one is better on "
        f"all of them in 1 of {2 ** (drawn.units - 1)} cases. Rank intervals are rough."
    )


def _not_separated(drawn: Intervals) -> Iterator[str]:
    same = drawn.group(1)
    if len(same) < 3:
        return
    if len(same) == len(drawn.rows):
        yield "None of the others is separated from it."
    elif same == drawn.rows[: len(same)]:
        yield f"The first {len(same)} are not separated."
    else:
        yield f"{len(same) - 1} of the {len(drawn.rows) - 1} others are not separated from it."


def _reported(ranked: Sequence[Row], noun: str) -> Iterator[str]:
    count = sum(row.submission.reported is not None for row in ranked)
    if count == len(ranked):
        yield "All scores are reported, and can be compared only as they are stated."
    elif count:
        yield (
            f"{count} of the {len(ranked)} {noun}s {'is' if count == 1 else 'are'} reported, and "
            "can be compared only as stated."
        )


def _all_reported(rows: Sequence[Row]) -> bool:
    return all(row.submission.reported is not None for row in rows)


@once_per_board
def _titles(board: Board) -> Mapping[str, int]:
    """Return how many rows have each title."""
    return Counter(row.submission.title for row in board.rows)


def _namer(board: Board) -> Name:
    titles = _titles(board)

    def name(row: Row) -> str:
        item = row.submission
        shown = f"\u2068{printable(item.title)}\u2069"
        return shown if titles[item.title] == 1 else f"{shown} by {item.participant}"

    return name
