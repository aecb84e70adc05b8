"""A board as CSV, JSON and text."""

import io
import json
from dataclasses import replace
from functools import partial

import pandas as pd
import pytest

from evaluator.core.formats.plain_text import inert
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.boards.exports import board_json
from tests.core.leaderboard.boards import FAILED, Entries, make_benchmark


def make() -> PublicBoard:
    entries = Entries(make_benchmark(tasks="0, 1"))
    entries.enter("ada", "one", {"a": 1 / 3}, {"a": 1}).enter("bob", "two", {"a": 1}, FAILED)
    return entries.board(commit="c" * 40)


def test_csv_reads_back_to_the_same_numbers() -> None:
    frame = pd.read_csv(io.StringIO(tables.to_csv(make())))
    assert list(frame["submission"]) == ["one", "two"]
    assert frame["one:a"][0] == 1 / 3
    assert frame["a"][0] == (1 / 3 + 1) / 2
    assert pd.isna(frame["rank"][1])
    assert pd.isna(frame["two:a"][1])
    assert frame["status"][1] == "failed"


def test_csv_is_what_pandas_writes_of_the_frame() -> None:
    entries = Entries(make_benchmark(tasks="0, 1", extra=SHEET))
    entries.enter("ada", "one", {"a": 1e-05}, {"a": 1e22}).enter("bob", "two", {"a": -0.0}, FAILED)
    entries.enter("eve", "three", {"a": 1e308}, {"a": 3.0})
    answers: dict[str, str | bool] = {"method": '=cmd|" /C calc"\r\n,x', "deep": True}
    entries.submissions[0] = replace(
        entries.submissions[0], fact_sheet=answers, title='a "quoted", title\nof two lines'
    )
    board = entries.board()
    frame = pd.DataFrame(tables.columns_of_board(board))
    frame["rank"] = frame["rank"].astype("Int64")
    for name in frame.select_dtypes(exclude="number").columns:
        frame[name] = frame[name].map(inert)
    assert tables.to_csv(board) == frame.to_csv(index=False, lineterminator="\n")


def test_a_column_called_rank_takes_no_rank_away() -> None:
    columns = (
        "      - {title: Rank, key: rank, index: 0, sorting: asc}\n"
        "      - {title: Status, key: status, index: 1}\n"
    )
    entries = Entries(make_benchmark(columns)).enter("ada", "one", {"rank": 7, "status": 2})
    frame = pd.read_csv(io.StringIO(tables.to_csv(entries.board())))
    assert list(frame.columns[:5]) == ["rank", "participant", "submission", "title", "status"]
    assert (frame["rank"][0], frame["status"][0]) == (1, "finished")
    assert (frame["column:rank"][0], frame["column:status"][0]) == (7, 2)


def test_json_is_canonical_and_says_why_a_cell_failed() -> None:
    text = board_json.to_json(make())
    data = json.loads(text)
    rows = data["rows"]
    encode = partial(json.dumps, sort_keys=True, ensure_ascii=False)
    lines = ",\n    ".join(encode(row, separators=(",", ":")) for row in rows)
    assert lines.count("\n") == 1
    assert text == encode({**data, "rows": ["*"]}, indent=2).replace('"*"', lines) + "\n"
    assert data["commit"] == "c" * 40
    assert data["rows"][1]["tasks"]["two"]["error"]["reason"] == "timed out"
    assert data["rows"][0]["rank"] == 1


SHEET = """
fact_sheet:
  method: {key: method, type: text, title: Method, is_on_leaderboard: "true"}
  deep: {key: deep, type: checkbox, title: Deep, is_on_leaderboard: true}
  aside: {key: aside, type: text, title: Aside}
"""


def test_answers_that_stand_on_the_board() -> None:
    entries = Entries(make_benchmark(extra=SHEET)).enter("ada", "one", {"a": 1})
    entries.enter("bob", "two", {"a": 2})
    answers: dict[str, str | bool] = {
        "method": "x" * 50 + "\x1b[31m",
        "deep": False,
        "aside": "unseen",
    }
    entries.submissions[0] = replace(entries.submissions[0], fact_sheet=answers)
    board = entries.board()
    frame = pd.read_csv(io.StringIO(tables.to_csv(board)))
    assert list(frame.columns[-2:]) == ["fact_sheet:method", "fact_sheet:deep"]
    assert pd.isna(frame["fact_sheet:deep"][0])
    assert not frame["fact_sheet:deep"][1]
    lines = tables.to_text(board).splitlines()
    assert lines[1].endswith("Deep")
    assert lines[3].endswith("x" * 40 + "  no")
    assert "unseen" not in tables.to_text(board) + tables.to_csv(board)
    data = board_json.to_data(board)
    assert [question["title"] for question in data["fact_sheet"]] == ["Method", "Deep"]


def test_hidden_columns_are_in_none_of_the_forms() -> None:
    columns = (
        "      - {title: A, key: a, index: 0}\n"
        "      - {title: Sealed, key: sealed, index: 1, hidden: true}\n"
    )
    board = Entries(make_benchmark(columns)).enter("ada", "one", {"a": 1, "sealed": 2}).board()
    for form in (tables.to_csv, board_json.to_json, tables.to_text):
        assert "sealed" not in form(board).lower()


def test_text_is_rounded_and_aligned() -> None:
    lines = tables.to_text(make()).splitlines()
    assert lines[2].startswith("1  ada")
    assert lines[2].endswith("0.667")
    assert lines[3].endswith("failed")


def test_groups_of_columns_have_their_names() -> None:
    columns = "".join(
        f"      - {{title: {title}, key: {key}, index: {index}}}\n"
        for index, (key, title) in enumerate({"a": "AUC", "b": "F1", "c": "AUC"}.items())
    )
    groups = """
pullbench:
  columns:
    a: {group: Utility}
    b: {group: Utility}
    c: {group: Anonymity of the data}
"""
    entries = Entries(make_benchmark(columns, extra=groups))
    board = entries.enter("ada", "one", {"a": 1, "b": 2, "c": 3}).board()
    names, heads, row = tables.to_text(board).splitlines()[1:4]
    assert names.split("  ")[-1] == "Anonymity of the data"
    assert len(names) == len(heads) == len(row)
    assert heads.index("AUC") <= names.index("Utility") < heads.index("F1") + 2


def test_deviations_stand_in_csv_and_terminal() -> None:
    """Ten seeds make a value and its deviation, and what a paper states with ± has both, too."""
    entries = Entries(make_benchmark(extra="pullbench: {repeats: 2, reported: true}\n"))
    entries.enter("ada", "one", [{"a": 0.5}, {"a": 0.7}]).enter("bob", "two", {"a": 0.1})
    board = entries.board()
    frame = pd.read_csv(io.StringIO(tables.to_csv(board)))
    assert frame["a:deviation"][0] == pytest.approx(0.02**0.5, abs=1e-15)
    assert pd.isna(frame["a:deviation"][1])
    assert "0.600 ± 0.141" in tables.to_text(board)
