"""Names and scores on one line."""

from evaluator.core.formats.plain_text import MAX_LINE, one_line, value_line
from evaluator.core.leaderboard.tables import scored
from evaluator.site.boards.wording import entered, named
from tests.core.leaderboard.boards import FAILED, Entries, hide_primary, make_benchmark


def test_a_row_is_named_with_its_score() -> None:
    entries = Entries(make_benchmark()).enter("ada", "one", {"a": 0.5})
    board = entries.board()
    assert named(board.rows[0]) == "One (ada)"
    assert scored(board.rows[0], board) == "A 0.500"
    assert entered(board) == "1 submission on 1 task"
    entries.enter("eve", "three", FAILED)
    board = entries.board()
    assert scored(board.rows[1], board) == ""
    assert entered(board) == "2 submissions on 1 task"


def test_a_hidden_column_tells_no_value() -> None:
    board = hide_primary(Entries(make_benchmark()).enter("ada", "one", {"a": 7}).board())
    assert scored(board.rows[0], board) == ""


def test_text_for_one_line() -> None:
    assert one_line("a \t\n b\u202e\u200b\x00\ud800") == "a b"
    assert len(one_line("y" * 10_000)) == MAX_LINE
    assert one_line("Z\u0323\u0323\u0323\u0323\u0323") == "\u1e92\u0323\u0323"
    assert one_line("שלום 中文") == "שלום 中文"


def test_a_value_never_fills_a_line() -> None:
    column = make_benchmark().leaderboard.primary
    assert value_line(0.5, column) == "0.500"
    assert value_line(-1e308, column) == "-1e+308"
