"""What can be concluded from a board, and what cannot, in one or two plain sentences."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from evaluator.core.errors import counted, printable
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals
from evaluator.site.leaderboard.wording import percent

MAX_NAMED = 3
Name = Callable[[Row], str]


def conclusions(board: PublicBoard, name: Name | None = None) -> str:
    """Say who leads and whether that is real, in plain text with each ``name`` kept apart."""
    return " ".join(_sentences(board, name or _namer(board)))


def _sentences(board: PublicBoard, name: Name) -> Iterator[str]:
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
    certain = intervals(board)
    if isinstance(certain, Intervals):
        yield from _compared(certain, board, name)
    else:
        yield f"{_first(board.leaders, name)}."
        yield _why_not(board, certain)
    yield from _reported(ranked, noun)


def _first(leaders: Sequence[Row], name: Name) -> str:
    if len(leaders) == 1:
        return f"{name(leaders[0])} leads"
    return f"{_listed(leaders, name)} share the first place"


def _why_not(board: PublicBoard, reason: str) -> str:
    if len(board.tasks) == 1 or board.benchmark.leaderboard.rule.of_first_task:
        once = "is reported" if _all_reported(board.leaders) else "was run"
        return (
            f"With one {board.benchmark.task_noun} that {once} once, nothing can be concluded "
            "about which is better in general."
        )
    return f"{reason} Nothing can be concluded about which is better in general."


def _compared(certain: Intervals, board: PublicBoard, name: Name) -> Iterator[str]:
    lead = _first(board.leaders, name)
    others = [row for row in certain.rows if row.rank != 1]
    if not others:
        yield f"All {len(certain.rows)} ranked share the first place."
        return
    over = _over(certain, board)
    same = _as_good_as_first(certain)
    verb = "is" if len(board.leaders) == 1 else "are"
    if not certain.can_separate:
        yield f"{lead}, but {over} are too few for any difference to be significant."
    elif not same:
        rest = "all others" if len(others) > 1 else name(others[0])
        yield f"{lead}, and {verb} significantly better than {rest} over {over}."
    else:
        rest = "any other" if len(same) == len(others) > 1 else _listed(same, name)
        yield f"{lead}, but {verb} not significantly better than {rest} over {over}."
    unit = board.benchmark.task_noun
    if certain.blocks:
        those = f"this {unit}" if certain.tasks == 1 else f"these {certain.tasks} {unit}s"
        yield f"This holds for other samples of {those}, and not for other {unit}s."
        if unknown := int(np.isnan(certain.behind).sum()):
            yield f"{counted(unknown, 'rows')} without such samples could not be compared."
    elif certain.tasks == 1:
        yield f"This holds for this {unit} alone: its repeats share its data."


def _over(certain: Intervals, board: PublicBoard) -> str:
    unit = board.benchmark.task_noun
    units = f"{certain.units:,} {certain.noun(unit)}"
    if certain.tasks == 1:
        return f"{units} of one {unit}"
    return f"{units} of {certain.tasks} {unit}s" if certain.blocks else units


def _as_good_as_first(certain: Intervals) -> list[Row]:
    """Return the rows that may be as good as the first, without those that share its rank."""
    worse = certain.better[0].tolist()
    return [row for row, is_worse in zip(certain.rows, worse, strict=True)
            if row.rank != 1 and not is_worse]  # fmt: skip


def _listed(rows: Sequence[Row], name: Name) -> str:
    return enumerated([name(row) for row in rows[:MAX_NAMED]], len(rows))


def enumerated(first: Sequence[str], count: int) -> str:
    """Return "a, b and 2 more" of the first of so many names."""
    parts = list(first)
    if count > len(first):
        parts.append(f"{count - len(first):,} more")
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def verdict(board: PublicBoard) -> str:
    """Return the answer to "is the lead real?"; empty where a board shows no lead at all."""
    ranked = board.ranked
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status" or not ranked:
        return ""
    if len(ranked) == 1:
        return "nobody to compare with yet"
    unit = board.benchmark.task_noun
    certain = intervals(board)
    if isinstance(certain, str):
        return f"one {unit}, run once: cannot tell" if len(board.tasks) == 1 else "cannot tell"
    units = f"{certain.units:,} {certain.noun(unit)}"
    if not certain.can_separate:
        return f"{units} are too few to tell"
    if _as_good_as_first(certain):
        return f"not significant over {units}"
    return f"significant over {units}"


def headline(board: PublicBoard) -> tuple[str, str]:
    """Return who leads and how certain that is, in few words; all that is known if nobody does."""
    said, certain = verdict(board), intervals(board)
    if len(board.ranked) < 2 or not said:
        return "", conclusions(board)
    if isinstance(certain, Intervals) and certain.can_separate and _as_good_as_first(certain):
        count = len(_as_good_as_first(certain))
        said = f"no significant difference from {counted(count, 'others')}"
    verb = "leads" if len(board.leaders) == 1 else "share the first place"
    return _listed(board.leaders, _namer(board)), f"{verb}; {said}."


def evidence(board: PublicBoard) -> str:
    """Say on what the conclusions about a published board rest; empty where nothing is tested."""
    certain = intervals(board)
    if not isinstance(certain, Intervals):
        return ""
    over = _over(certain, board)
    if not certain.can_separate:
        return (
            f"By chance, one of two that are equally good is better on all of {over} in 1 of "
            f"{2 ** (certain.units - 1)} cases. A difference is significant if chance makes it in "
            "at most 1 of 20."
        )
    others = [row for row in certain.rows if row.rank != 1]
    if not others:
        return ""
    rival = (_as_good_as_first(certain) or others)[0]
    name, share = _namer(board), percent(float(certain.p[certain.rows.index(rival)]))
    return (
        f"If all were equally good, a gap as clear as that between {name(certain.rows[0])} and "
        f"{name(rival)} would appear by chance on {share} of boards. At most 5% is significant."
    )


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
def _titles(board: PublicBoard) -> Mapping[str, int]:
    return Counter(row.submission.title for row in board.rows)


def _namer(board: PublicBoard) -> Name:
    titles = _titles(board)

    def name(row: Row) -> str:
        item = row.submission
        shown = f"\u2068{printable(item.title)}\u2069"
        return shown if titles[item.title] == 1 else f"{shown} by {item.participant}"

    return name
