"""What is said above a board: who leads, and whether the lead is real."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from evaluator.core.formats.datasets import Datasets
from evaluator.core.formats.kinds.kind import Reported
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.insight.statistics import conclusions as sentences
from evaluator.plugins.insight.statistics.conclusions import conclusions, evidence, headline
from evaluator.plugins.insight.statistics.intervals import Intervals, intervals, rank_spans
from tests.core.leaderboard.boards import with_submission
from tests.core.leaderboard.tables import LOWER, Cell, table_board

Table = Mapping[str, Sequence[Cell]]
SURE = {"a/best": [3.0] * 6, "b/next": [2.0] * 6, "c/last": [1.0] * 6}
LUCK = {
    "a/best": [3.0, 1.0, 3.0, 1.0, 3.0, 1.5, 3.0, 1.0],
    "b/next": [1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0],
    "c/last": [0.0] * 8,
}


def said(table: Table, extra: str = "") -> str:
    return conclusions(table_board(table, extra=extra)).replace("\u2068", "").replace("\u2069", "")


def changed(board: PublicBoard, **changes: object) -> str:
    return conclusions(replace(board, **changes)).replace("\u2068", "").replace("\u2069", "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "extra", "expected"),
    [
        (
            SURE, "",
            "Best leads, and is significantly better than all others over 6 tasks.",
        ),
        (
            {"a/best": [3.0] * 6, "b/next": [2.0] * 6}, "",
            "Best leads, and is significantly better than Next over 6 tasks.",
        ),
        (
            {"a/best": [3.0] * 4, "b/next": [2.0] * 4}, "",
            "Best leads, but 4 tasks are too few for any difference to be significant.",
        ),
        (
            {"a/best": [[3.0, 4.0, 5.0]], "b/next": [[2.0, 3.0, 4.5]]},
            "pullbench: {repeats: 3}\n",
            "Best leads, but 3 repeats of one task are too few for any difference to be "
            "significant. This is about other runs on this task; for other tasks, one is too few "
            "to tell.",
        ),
        (
            {"a/best": [2.0], "b/next": [1.0]}, "",
            "Best leads. With one task that was run once, nothing can be concluded about which is "
            "better in general.",
        ),
        (
            {"a/best": [2.0, 1.0], "b/next": [1.0, 1.0]}, "pullbench: {aggregate: none}\n",
            "Best leads. With one task that was run once, nothing can be concluded about which is "
            "better in general.",
        ),
        (
            {"a/one": [2.0], "b/two": [2.0], "c/three": [2.0], "d/four": [2.0], "e/five": [2.0]},
            "",
            "One, Two, Three and 2 more share the first place. With one task that was run once, "
            "nothing can be concluded about which is better in general.",
        ),
        (
            {"a/one": [2.0] * 6, "b/two": [2.0] * 6}, "",
            "All 2 ranked share the first place.",
        ),
        (
            {"a/one": [2.0] * 6, "b/two": [2.0] * 6, "c/three": [1.0] * 6}, "",
            "One and Two share the first place, and are significantly better than Three over 6 "
            "tasks.",
        ),
        ({"a/one": [2.0]}, "", "One alone has a rank: there is nothing to compare it with."),
        ({"a/one": [None]}, "", "No submission has a rank yet, so nothing can be concluded."),
        (
            SURE, "pullbench: {phases: {0: {shows: status}}}\n",
            "This phase shows only whether a submission ran, not which is better.",
        ),
    ],
)  # fmt: skip
def test_sentences(table: Table, extra: str, expected: str) -> None:
    assert said(table, extra) == expected


SHOWS = "A gap of 3.559 would show. The gap of 0.062 would need about 26,000 tasks."


def test_a_lead_that_is_luck() -> None:
    said_of = said(LUCK)
    assert said_of == f"Best leads, but is not significantly better than Next over 8 tasks. {SHOWS}"
    more = said({**LUCK, "d/also": [2.0] * 7 + [1.9]})
    assert "Best leads, but is not significantly better than Next and Also over 8 tasks." in more
    all_of_them = said({name: own for name, own in {**LUCK, "d/also": [2.0] * 7 + [1.9]}.items()
                        if name != "c/last"})  # fmt: skip
    assert "Best leads, but is not significantly better than any other over 8 tasks." in all_of_them


def test_two_questions_have_two_answers() -> None:
    table: dict[str, list[Cell]] = {
        "a/best": [*[[3.0, 3.1, 3.2]] * 5, [1.0, 1.1, 1.2]], "b/next": [[2.0, 2.1, 2.2]] * 6,
    }  # fmt: skip
    assert said(table, "pullbench: {repeats: 3}\n").endswith(
        "For other runs on these 6 tasks (18 repeats), it is significantly better than Next."
    )
    luck: dict[str, list[Cell]] = {
        "a/best": [[3.0, 0.5]] * 6, "b/next": [*[[1.0, 2.0]] * 5, [1.0, 2.9]],
    }  # fmt: skip
    assert re.search(
        r"For other runs on these 6 tasks \(12 repeats\), it is not significantly better than Next "
        r"\(a gap of \d\.\d+ would show\)\.$",
        said(luck, "pullbench: {repeats: 2}\n"),
    )
    few: dict[str, list[Cell]] = {name: own[:5] for name, own in table.items()}
    assert said(few, "pullbench: {repeats: 3}\n") == (
        "Best leads, and is significantly better than Next over 15 repeats of 5 tasks. This is "
        "about other runs on these 5 tasks; for other tasks, 5 are too few to tell."
    )


def test_rows_that_share_nothing_with_the_first_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    certain = intervals(table_board(SURE))
    assert isinstance(certain, Intervals)
    lacking = replace(certain, behind=np.array([0, 1, np.nan]))
    monkeypatch.setattr(sentences, "intervals", lambda board: lacking)
    assert said(SURE).endswith(
        "1 row without tasks in common with the first could not be compared."
    )


def test_who_is_not_told_apart_may_stand_further_down() -> None:
    # The second always loses a little; the third wins and loses by far.
    table: dict[str, list[Cell]] = {
        "a/best": [5.0] * 8, "b/second": [4.9] * 8, "c/wild": [0.5, 9.0] * 4,
    }  # fmt: skip
    assert "Best leads, but is not significantly better than Wild over 8 tasks." in said(table)


def test_who_shares_the_first_place_has_to_be_better_too() -> None:
    """Both have the same mean; one has it on each task, the other by luck."""
    luck = [0.4, -0.4, 0.3, -0.3, 0.2, -0.2, 0.35, -0.35]
    steady: Table = {"a/even": [0.6] * 8, "c/next": [0.5, 0.48] * 4, "d/last": [0.3] * 8}
    assert "is significantly better than all others" in said(steady)
    for name in ("0/wild", "b/wild"):
        board = table_board({**steady, name: [0.6 + one for one in luck]},
                            extra="pullbench: {ranking: {decimals: 6}}\n")  # fmt: skip
        text = conclusions(board).replace("\u2068", "").replace("\u2069", "")
        assert "share the first place, but are not significantly better than any other" in text
        assert "no significant difference from 2 others" in headline(board)[1]
        assert "Wild\u2069 against \u2068Next\u2069" in evidence(board)
        assert "chance alone explains this gap" in evidence(board)


def test_who_leads_in_the_mean_of_times_may_be_slower_by_ratio() -> None:
    """One is twice as fast on nine of ten tasks, and the other on the one that takes longest."""
    board = table_board(
        {"a/heavy": [2.0] * 9 + [100.0], "b/light": [1.0] * 9 + [200.0]},
        columns=LOWER, extra="pullbench: {columns: {a: {ratio: true}}}\n",
    )  # fmt: skip
    assert conclusions(board).replace("\u2068", "").replace("\u2069", "") == (
        "Heavy leads, but is not significantly better than Light over 10 tasks. "
        "A gap of 41% would show. By ratio, Light is significantly better."
    )
    assert headline(board)[1].startswith("leads; not significantly better than 1 other")


def test_a_gap_within_the_tolerance_never_shows() -> None:
    table: Table = {"a/a": [0.5, 0.51] * 4, "b/b": [0.494, 0.5041] * 4, "c/c": [0.3] * 8}
    extra = "pullbench: {tolerance: {a: {absolute: %s, why: Seeds differ.}}}\n"
    assert "significantly better than all others" in said(table)
    assert said(table, extra % 0.01) == (
        "A leads, but is not significantly better than B over 8 tasks. A gap of 0.014 would show."
    )
    assert "and it may be within the tolerance." in evidence(table_board(table, extra=extra % 0.01))
    # Above the tolerance more tasks would tell.
    assert "The gap of 0.006 would need about" in said(table, extra % 0.00594)


def test_on_a_large_board_all_rows_are_compared_with_the_first() -> None:
    values = np.random.default_rng(7).random((150, 8)).tolist()
    board = table_board({f"p/e{place}": row for place, row in enumerate(values)})
    last_alike = rank_spans(board)[board.ranked[0].submission.id][1]
    assert last_alike > 100
    said_shortly = headline(board)[1]
    assert f"leads; no significant difference from {last_alike - 1} others (a gap" in said_shortly


def test_what_conclusions_rest_on() -> None:
    def rests(table: Table, extra: str = "") -> str:
        return evidence(table_board(table, extra=extra)).replace("\u2068", "").replace("\u2069", "")

    condition = "if a difference of x on a task is as likely as one of -x between equal programs"
    sure = rests(SURE)
    assert sure.startswith("Best against Next, p = 0.031: chance makes such a gap on 3% of boards.")
    assert condition in sure
    assert "Best against Next, p = 1: chance alone explains this gap." in rests(LUCK)
    failed: dict[str, list[Cell]] = {"a/best": [3.0] * 8, "b/next": [2.0] * 7 + [None]}
    ranks = "pullbench: {aggregate: mean_rank}\n"
    assert rests(failed, ranks).endswith("1 result of these rows failed.")
    assert rests({"a/best": [3.0] * 4, "b/next": [2.0] * 4}) == (
        "By chance, one of two that are equally good is better on all of 4 tasks in 1 of 8 cases. "
        "A difference is significant if chance makes it in at most 1 of 20."
    )
    assert rests({"a/best": [2.0], "b/next": [1.0]}) == ""


def test_reported_scores() -> None:
    board = table_board(SURE)
    stated = Reported(source="x", url="", scores={})

    def reported(*names: str) -> PublicBoard:
        return replace(
            board,
            rows=tuple(
                with_submission(row, reported=stated)
                if row.submission.name in names else row
                for row in board.rows
            ),
        )  # fmt: skip

    assert changed(reported("next")).endswith(
        "1 of the 3 submissions is reported, and can be compared only as stated."
    )
    assert changed(reported("next", "last")).endswith(
        "2 of the 3 submissions are reported, and can be compared only as stated."
    )
    assert changed(reported("best", "next", "last")).endswith(
        "All scores are reported, and can be compared only as they are stated."
    )


def test_hidden_boards() -> None:
    board = table_board(SURE)
    rules = replace(board.benchmark.leaderboard, hidden=True)
    assert changed(board, benchmark=replace(board.benchmark, leaderboard=rules)) == (
        "The organiser hides this leaderboard, so nothing can be concluded from it."
    )
    primary = replace(rules.primary, hidden=True)
    shown = replace(rules, hidden=False, primary=primary)
    assert changed(board, benchmark=replace(board.benchmark, leaderboard=shown)) == (
        "Best leads. The column by which this board ranks is not public. Nothing can be concluded "
        "about which is better in general."
    )


def test_boards_of_data_sets() -> None:
    board = table_board(SURE)
    transposed = replace(board.benchmark, datasets=Datasets(become="rows"))
    assert changed(board, benchmark=transposed).endswith(
        "significantly better than all others over 6 methods."
    )
    empty = changed(board, benchmark=transposed, rows=())
    assert empty == "No data set has a rank yet, so nothing can be concluded."


def test_names_of_strangers() -> None:
    board = table_board(SURE)
    hostile = "<b>x</b>\u202e"
    rows = [with_submission(row, title=hostile) for row in board.rows[:2]]
    text = conclusions(replace(board, rows=(*rows, board.rows[2])))
    assert "\u2068<b>x</b>\\u202e\u2069 by a leads" in text
    alike = replace(board, rows=(*rows, board.rows[2]))
    assert "against \u2068<b>x</b>\\u202e\u2069 by b, p =" in evidence(alike)
    assert conclusions(board, name=lambda row: row.submission.name).startswith("best leads")
