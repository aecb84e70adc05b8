"""What happens between two boards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.ci.steps.board_changes import BoardChange, RowChange, compare_boards
from evaluator.core.leaderboard.published import PublicBoard
from tests.core.leaderboard.boards import FAILED, ONE_COLUMN, Entries, hide_primary, make_benchmark

SEALED = """\
      - {title: A, key: a, index: 1, precision: 2, hidden: %s}
      - {title: B, key: b, index: 0, precision: 2, hidden: %s}
"""


def board(*entries: tuple[str, object], rule: str = "Force_Latest_Multiple") -> PublicBoard:
    """Participants with their values of the column ``a``."""
    made = Entries(make_benchmark(rule=rule))
    for who, value in entries:
        made.enter(who, "entry", FAILED if value is FAILED else {"a": value})  # type: ignore[dict-item]
    return made.board()


def moves(change: BoardChange) -> list[tuple[str, int | None, int | None, int | None]]:
    return [
        (row.row.submission.participant, row.rank_before, row.rank, row.moved)
        for row in change.rows
    ]


def one(change: BoardChange, who: str) -> RowChange:
    return next(row for row in change.rows if row.row.submission.participant == who)


def test_a_newcomer_pushes_others_down() -> None:
    before = board(("ada", 3.0), ("bob", 2.0))
    change = compare_boards(before, board(("ada", 3.0), ("bob", 2.0), ("cy", 2.5)))
    assert moves(change) == [("ada", 1, 1, 0), ("cy", None, 2, None), ("bob", 2, 3, -1)]
    assert [row.new for row in change.rows] == [False, True, False]
    assert not any(row.changes for row in change.rows)
    assert change.changed


def test_a_newcomer_ties() -> None:
    before = board(("ada", 3.0), ("bob", 2.0), ("cy", 1.0))
    change = compare_boards(before, board(("ada", 3.0), ("bob", 2.0), ("cy", 1.0), ("dan", 3.0)))
    assert one(change, "dan").tied_with == ("bench/ada/entry",)
    assert one(change, "ada").tied_with == ("bench/dan/entry",)
    assert one(change, "bob").tied_with == ()
    assert moves(change) == [
        ("ada", 1, 1, 0), ("dan", None, 1, None), ("bob", 2, 3, -1), ("cy", 3, 4, -1),
    ]  # fmt: skip


def test_without_an_earlier_board_all_is_new() -> None:
    change = compare_boards(None, board(("ada", 1.0)))
    assert [row.new for row in change.rows] == [True]
    assert change.dropped == ()


def test_nothing_changes() -> None:
    same = board(("ada", 1.0), ("bob", FAILED))
    assert not compare_boards(same, board(("ada", 1.0), ("bob", FAILED))).changed


def test_another_scorer_changes_values() -> None:
    before = board(("ada", 3.0), ("bob", 2.0), ("cy", 1.0))
    change = compare_boards(before, board(("ada", 1.5), ("bob", 2.0), ("cy", FAILED)))
    rescored = [row for row in change.rows if row.changes]
    assert [(row.row.submission.participant, row.moved) for row in rescored] == [
        ("ada", -1), ("cy", None),
    ]  # fmt: skip
    assert [row.changes for row in rescored] == [{"a": (3.0, 1.5)}, {"a": (1.0, None)}]
    assert (one(change, "cy").state_before, one(change, "cy").row.state) == ("finished", FAILED)


def test_who_drops_off_and_who_never_gets_on() -> None:
    def entries(*names: str) -> PublicBoard:
        made = Entries(make_benchmark(rule="Force_Best"))
        for position, name in enumerate(names):
            made.enter("ada", name, {"a": float(position)})
        return made.board()

    change = compare_boards(entries("one"), entries("one", "two"))
    assert [(item.row.submission.name, item.why) for item in change.dropped] == [("one", "rule")]
    change = compare_boards(board(("ada", 1.0), ("bob", 2.0)), board(("ada", 1.0)))
    assert [(item.row.submission.participant, item.why) for item in change.dropped] == [
        ("bob", "gone")
    ]
    worse = Entries(make_benchmark(rule="Force_Best"))
    worse.enter("ada", "one", {"a": 2.0}).enter("ada", "two", {"a": 1.0})
    better = Entries(make_benchmark(rule="Force_Best")).enter("ada", "one", {"a": 2.0})
    change = compare_boards(better.board(), worse.board())
    assert [row.submission.name for row in change.set_aside] == ["two"]
    assert change.dropped == ()


@pytest.mark.parametrize("first", ["true", "false"])
def test_a_column_hidden_on_either_side_is_not_told(first: str) -> None:
    second = {"true": "false", "false": "true"}[first]
    made = [
        Entries(make_benchmark(SEALED % (hidden, "false"))).enter("ada", "x", {"a": a, "b": a})
        for hidden, a in ((first, 1.0), (second, 2.0))
    ]
    change = compare_boards(made[0].board(), made[1].board())
    assert [column.key for column in change.columns] == ["b"]
    assert [*change.rows[0].changes] == ["b"]
    assert change.primary is not None
    hidden = hide_primary(made[1].board())
    assert compare_boards(made[0].board(), hidden).primary is None


@pytest.mark.parametrize("hidden", ["before", "after"])
def test_a_leaderboard_hidden_on_either_side_is_hidden(hidden: str) -> None:
    def made(sealed: bool) -> PublicBoard:
        columns = ONE_COLUMN + ("    hidden: true\n" if sealed else "")
        return Entries(make_benchmark(columns)).enter("ada", "x", {"a": 1.0}).board()

    change = compare_boards(made(hidden == "before"), made(hidden == "after"))
    assert change.hidden
    assert not compare_boards(made(sealed=False), made(sealed=False)).hidden


VALUES = st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=0, max_size=6)


@given(before=VALUES, after=VALUES)
def test_every_row_is_accounted_for(before: list[float], after: list[float]) -> None:
    def made(values: list[float]) -> PublicBoard:
        return board(*((f"p{place}", value) for place, value in enumerate(values)))

    change = compare_boards(made(before), made(after))
    assert len(change.rows) == len(after)
    assert sum(row.new for row in change.rows) == max(0, len(after) - len(before))
    assert len(change.dropped) == max(0, len(before) - len(after))
    kept = min(len(before), len(after))
    assert sum(bool(row.changes) for row in change.rows) == sum(
        before[i] != after[i] for i in range(kept)
    )
    for row in change.rows:
        ties = [other for other in change.rows if other.rank == row.rank]
        assert len(row.tied_with) == len(ties) - 1


def test_rows_of_one_rank_share_the_list_of_them() -> None:
    """Ten thousand with the same score once cost a hundred million comparisons."""
    change = compare_boards(None, board(*((f"p{place}", 1.0) for place in range(9))))
    assert len({id(row.same_rank) for row in change.rows}) == 1
    assert all(len(row.tied_with) == 8 for row in change.rows)


def test_a_withdrawn_task_moves_rows() -> None:
    boards = []
    for why in ("", "withdrawn: {date: 2026-05-01, reason: wrong labels}"):
        made = Entries(
            make_benchmark(tasks="0, 1", extra=f"pullbench:\n  tasks: {{1: {{{why}}}}}\n")
        )
        made.enter("ada", "entry", {"a": 0.9}, {"a": 0.1})
        boards.append(made.enter("bob", "entry", {"a": 0.6}, {"a": 0.6}).board())
    change = compare_boards(*boards)
    assert moves(change) == [("ada", 2, 1, 1), ("bob", 1, 2, -1)]
