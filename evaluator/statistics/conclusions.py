"""What can be concluded from a board, and what cannot, in one or two plain sentences."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluator.errors import printable
from evaluator.leaderboard.board import Board, Row
from evaluator.leaderboard.per_board import once_per_board
from evaluator.leaderboard.wording import percent
from evaluator.statistics.intervals import Intervals, intervals

MAX_NAMED = 3
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
    return f"{_listed(leaders, name)} share the first place"


def _why_not(board: Board, reason: str) -> str:
    if len(board.tasks) == 1 or board.benchmark.leaderboard.rule.of_first_task:
        once = "is reported" if _all_reported(board.leaders) else "was run"
        return (
            f"With one {board.benchmark.task_noun} that {once} once, nothing can be concluded "
            "about which is better in general."
        )
    return f"{reason} Nothing can be concluded about which is better in general."


def _drawn(drawn: Intervals, board: Board, name: Name) -> Iterator[str]:
    lead = _first(board.leaders, name)
    others = [row for row in drawn.rows if row.rank != 1]
    if not others:
        yield f"All {len(drawn.rows)} ranked share the first place."
        return
    over = _over(drawn, board)
    same = _not_told_apart(drawn)
    if not drawn.can_separate:
        yield f"{lead}, but {over} are too few to tell any two apart."
    elif not same:
        verb = "is" if len(board.leaders) == 1 else "are"
        rest = "all others" if len(others) > 1 else name(others[0])
        yield f"{lead}, and {verb} told apart from {rest} over {over}."
    else:
        rest = "any other" if len(same) == len(others) > 1 else _listed(same, name)
        yield f"{lead}, but cannot be told apart from {rest} over {over}."
    if drawn.tasks == 1:
        unit = board.benchmark.task_noun
        yield f"This holds for this {unit} alone: its repeats share its data."


def _over(drawn: Intervals, board: Board) -> str:
    unit = board.benchmark.task_noun
    return f"{drawn.units} {unit}s" if drawn.tasks > 1 else f"{drawn.units} repeats of one {unit}"


def _not_told_apart(drawn: Intervals) -> list[Row]:
    """Return the rows that may be as good as the first, without those that share its rank."""
    return [row for row in drawn.group(1) if row.rank != 1]


def _listed(rows: Sequence[Row], name: Name) -> str:
    named = [name(row) for row in rows[:MAX_NAMED]]
    if len(rows) > len(named):
        named.append(f"{len(rows) - len(named)} more")
    return f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]


def evidence(board: Board) -> str:
    """Say on what the conclusions about a published board rest; empty where nothing is drawn."""
    drawn = intervals(board)
    if not isinstance(drawn, Intervals):
        return ""
    name, unit = _namer(board), board.benchmark.task_noun
    others = [row for row in drawn.rows if row.rank != 1]
    sentences = []
    if others:
        rival = (_not_told_apart(drawn) or others)[0]
        share = percent(float(drawn.first_beats[drawn.rows.index(rival)]))
        over = f"resampled {unit}s" if drawn.tasks > 1 else f"resampled repeats of the {unit}"
        sentences.append(
            f"Over {over} {name(drawn.rows[0])} beats {name(rival)} in {share} of cases; it takes "
            "97.5 % to tell two apart."
        )
    if not drawn.can_separate:
        sentences.append(
            f"Of two that are equally good, one is better on all of {_over(drawn, board)} in 1 of "
            f"{2 ** (drawn.units - 1)} cases, so nothing is told apart here, and rank intervals "
            "are rough."
        )
    return " ".join(sentences)


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
