"""What can be concluded from a board, and what cannot, in one or two plain sentences."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from evaluator.core.errors import counted, printable
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.ranking.comparison import ALPHA, least_detectable, units_needed
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals
from evaluator.site.boards.wording import percent
from evaluator.site.content.insight import Missing

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
        yield _why_not(board, certain.reason)
    yield from _reported(ranked, noun)


def _first(leaders: Sequence[Row], name: Name) -> str:
    if len(leaders) == 1:
        return f"{name(leaders[0])} leads"
    return f"{_listed(leaders, name)} share the first place"


def _why_not(board: PublicBoard, reason: str) -> str:
    if len(board.tasks) == 1 or board.benchmark.leaderboard.rule.of_first_task:
        all_reported = all(row.submission.reported is not None for row in board.leaders)
        once = "is reported" if all_reported else "was run"
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
    verb = "is" if len(board.leaders) == 1 else "are"
    if not certain.can_separate:
        yield f"{lead}, but {over} are too few for any difference to be significant."
    else:
        but = "but" if certain.same else "and"
        yield f"{lead}, {but} {verb} {_better(certain, others, name)} over {over}."
    if certain.can_separate and certain.same:
        yield from _seen(certain, board)
        yield from _reversed(certain, name)
    if about := _about(certain, board):
        few = "one is" if certain.tasks == 1 else f"{certain.tasks} are"
        noun = board.benchmark.task_noun
        yield f"This is about {about}; for other {noun}s, {few} too few to tell."
    for one in certain.beside:
        units = f"{one.units:,} {one.noun}"
        answer = _better(one, others, name) + _would_show(one, board)
        yield f"For {_about(one, board)} ({units}), it {verb} {answer}."
    if unknown := int(np.isnan(certain.behind).sum()):
        rows = counted(unknown, "rows")
        yield f"{rows} without {certain.noun} in common with the first could not be compared."


def _better(certain: Intervals, others: Sequence[Row], name: Name) -> str:
    same = [certain.rows[place] for place in certain.same]
    if not same:
        return f"significantly better than {'all others' if len(others) > 1 else name(others[0])}"
    rest = "any other" if len(same) == len(others) > 1 else _listed(same, name)
    return f"not significantly better than {rest}"


def _about(certain: Intervals, board: PublicBoard) -> str:
    """Say what an answer is about, if not about tasks like these."""
    if certain.about == "tasks":
        return ""
    noun, count = board.benchmark.task_noun, certain.tasks
    those = f"this {noun}" if count == 1 else f"these {count} {noun}s"
    return f"other {'runs on' if certain.about == 'runs' else 'samples of'} {those}"


def _seen(certain: Intervals, board: PublicBoard) -> Iterator[str]:
    """Say what gap would have been seen, and what the gap that there is needs."""
    gap, least, needed = _detectable(certain)
    if not np.isfinite(least):
        return
    yield f"A gap of {_gap(least, certain, board)} would show."
    if np.isfinite(needed):
        count = f"{float(f'{needed:.2g}'):,.0f} {certain.noun}"
        yield f"The gap of {_gap(gap, certain, board)} would need about {count}."


def _reversed(certain: Intervals, name: Name) -> Iterator[str]:
    """Say who is behind in the mean that ranks, and ahead in what is compared."""
    if ahead := certain.ahead:
        way = "By ratio" if certain.is_by_ratio else f"On the {certain.noun} that both have"
        yield (
            f"{way}, {_listed([certain.rows[place] for place in ahead], name)} "
            f"{'is' if len(ahead) == 1 else 'are'} significantly better."
        )


def _would_show(certain: Intervals, board: PublicBoard) -> str:
    least = _detectable(certain)[1] if certain.same else np.inf
    return f" (a gap of {_gap(least, certain, board)} would show)" if np.isfinite(least) else ""


def _detectable(certain: Intervals) -> tuple[float, float, float]:
    """The gap to the next row, which would have been seen, and the units that it needs.

    No number of units shows a gap within the tolerance.
    """
    place = certain.same[0]
    leader = certain.leader_against(place)
    _, gap, low, high = (float(one[place]) for one in certain.pairs.against(leader))
    by = certain.tolerated
    needed = units_needed(certain.units, gap - by, low, high) if gap > by else np.inf
    return gap, by + least_detectable(low, high), needed


def _gap(gap: float, certain: Intervals, board: PublicBoard) -> str:
    if certain.is_by_ratio:
        return f"{np.expm1(abs(gap)):.0%}"
    decimals = board.benchmark.leaderboard.primary.precision
    return f"{gap:.{decimals}f}" if abs(gap) >= 10.0**-decimals else f"{gap:.1g}"


def _over(certain: Intervals, board: PublicBoard) -> str:
    noun = board.benchmark.task_noun
    units = f"{certain.units:,} {certain.noun}"
    if certain.tasks == 1:
        return f"{units} of one {noun}"
    return units if certain.noun == f"{noun}s" else f"{units} of {certain.tasks} {noun}s"


def _listed(rows: Sequence[Row], name: Name) -> str:
    return enumerated([name(row) for row in rows[:MAX_NAMED]], len(rows))


def enumerated(first: Sequence[str], count: int) -> str:
    """Such as "a, b and 2 more", of the first of so many names."""
    parts = list(first)
    if count > len(first):
        parts.append(f"{count - len(first):,} more")
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def verdict(board: PublicBoard) -> str:
    """The answer to "is the lead real?"; empty where a board shows no lead at all."""
    ranked = board.ranked
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status" or not ranked:
        return ""
    if len(ranked) == 1:
        return "nobody to compare with yet"
    unit = board.benchmark.task_noun
    certain = intervals(board)
    if isinstance(certain, Missing):
        return f"one {unit}, run once: cannot tell" if len(board.tasks) == 1 else "cannot tell"
    units = f"{certain.units:,} {certain.noun}"
    if not certain.can_separate:
        return f"{units} are too few to tell"
    return f"not significant over {units}" if certain.same else f"significant over {units}"


def headline(board: PublicBoard) -> tuple[str, str]:
    """Who leads and how certain that is, in few words; all that is known if nobody does."""
    said, certain = verdict(board), intervals(board)
    if len(board.ranked) < 2 or not said:
        return "", conclusions(board)
    if isinstance(certain, Intervals) and certain.can_separate and certain.same:
        kind = (
            "not significantly better than" if certain.ahead else "no significant difference from"
        )
        said = f"{kind} {counted(len(certain.same), 'others')}"
        said += _would_show(certain, board)
    verb = "leads" if len(board.leaders) == 1 else "share the first place"
    return _listed(board.leaders, _namer(board)), f"{verb}; {said}."


def evidence(board: PublicBoard) -> str:
    """Say on what the conclusions about a published board rest; empty where nothing is tested."""
    certain = intervals(board)
    return " ".join(_evidence(certain, board)) if isinstance(certain, Intervals) else ""


def _evidence(certain: Intervals, board: PublicBoard) -> Iterator[str]:
    others = [place for place, row in enumerate(certain.rows) if row.rank != 1]
    if not certain.can_separate:
        yield (
            f"By chance, one of two that are equally good is better on all of "
            f"{_over(certain, board)} in 1 of {2 ** (certain.units - 1)} cases. A difference is "
            "significant if chance makes it in at most 1 of 20."
        )
        return
    if not others:
        return
    name, rival = _namer(board), (certain.same or others)[0]
    leader = certain.leader_against(rival)
    p = float(certain.pairs.against(leader)[0][rival])
    means = (
        "chance alone explains this gap" if p > ALPHA
        else f"chance makes such a gap on {percent(p)} of boards"
    )  # fmt: skip
    if p <= ALPHA and rival in certain.same and rival not in certain.ahead:
        means += ", and it may be within the tolerance"
    yield f"{name(certain.rows[leader])} against {name(certain.rows[rival])}, p = {p:.2g}: {means}."
    unit = "family" if certain.noun == "families" else certain.noun.split(" ")[0].rstrip("s")
    yield (
        f"The test holds if a difference of x on a {unit} is as likely as one of -x between equal "
        "programs. Rare failures of one of them break that."
    )
    if certain.failed:
        yield f"{counted(certain.failed, 'results')} of these rows failed."


def _reported(ranked: Sequence[Row], noun: str) -> Iterator[str]:
    count = sum(row.submission.reported is not None for row in ranked)
    if count == len(ranked):
        yield "All scores are reported, and can be compared only as they are stated."
    elif count:
        yield (
            f"{count} of the {len(ranked)} {noun}s {'is' if count == 1 else 'are'} reported, and "
            "can be compared only as stated."
        )


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
