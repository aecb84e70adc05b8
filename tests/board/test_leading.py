"""Who leads, in one sentence."""

from dataclasses import replace

from evaluator.board.leading import entered, leading
from evaluator.board.plain_text import MAX_LINE, one_line, value_line
from evaluator.formats.reported import Reported
from tests.board.boards import FAILED, Entries, make_benchmark


def test_one_leads_or_several_share_the_first_rank() -> None:
    entries = Entries(make_benchmark())
    assert leading(entries.board()) == "Nobody has a rank yet."
    entries.enter("ada", "one", {"a": 0.5})
    assert leading(entries.board()) == "One (ada) leads with A 0.500."
    assert entered(entries.board()) == "1 submission on 1 task"
    entries.enter("bob", "two", {"a": 0.5}).enter("eve", "three", FAILED)
    assert leading(entries.board()) == "2 submissions share the first rank with A 0.500."


def test_what_is_reported_is_said_to_be() -> None:
    entries = Entries(make_benchmark("      - {title: A, key: a, index: 0, precision: 1}\n"))
    entries.enter("ada", "one", {"a": 0.5})
    reported = Reported(source="a paper", url="", scores={"one": {"a": 0.5}}, failures={})
    entries.submissions[0] = replace(entries.submissions[0], reported=reported)
    assert leading(entries.board()) == (
        "One (ada) leads with A 0.5, as reported, not reproduced here."
    )


def test_a_hidden_column_tells_no_value() -> None:
    columns = (
        "      - {title: Sealed, key: sealed, index: 0, hidden: true}\n"
        "      - {title: A, key: a, index: 1}\n"
    )
    board = Entries(make_benchmark(columns)).enter("ada", "one", {"a": 1, "sealed": 7}).board()
    assert leading(board) == "One (ada) leads."


def test_text_for_one_line() -> None:
    assert one_line("a \t\n b\u202e\u200b\x00\ud800") == "a b"
    assert len(one_line("y" * 10_000)) == MAX_LINE
    assert one_line("Z\u0323\u0323\u0323\u0323\u0323") == "\u1e92\u0323\u0323"
    assert one_line("שלום 中文") == "שלום 中文"


def test_a_value_never_fills_a_line() -> None:
    column = make_benchmark().leaderboard.primary
    assert value_line(0.5, column) == "0.500"
    assert value_line(-1e308, column) == "-1e+308"
