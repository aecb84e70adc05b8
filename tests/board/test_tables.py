"""A board as frame, CSV, JSON and text."""

import io
import json

import pandas as pd

from evaluator.board import tables
from evaluator.board.leaderboard import Board
from tests.board.boards import FAILED, Entries, make_benchmark


def make() -> Board:
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


def test_json_is_canonical_and_says_why_a_cell_failed() -> None:
    text = tables.to_json(make())
    data = json.loads(text)
    assert text == json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert data["commit"] == "c" * 40
    assert data["rows"][1]["tasks"]["two"]["error"]["reason"] == "timed out"
    assert data["rows"][0]["rank"] == 1


def test_hidden_columns_are_in_none_of_the_forms() -> None:
    columns = (
        "      - {title: A, key: a, index: 0}\n"
        "      - {title: Sealed, key: sealed, index: 1, hidden: true}\n"
    )
    board = Entries(make_benchmark(columns)).enter("ada", "one", {"a": 1, "sealed": 2}).board()
    for form in (tables.to_csv, tables.to_json, tables.to_text):
        assert "sealed" not in form(board).lower()


def test_text_is_rounded_and_aligned() -> None:
    lines = tables.to_text(make()).splitlines()
    assert lines[2].startswith("1  ada")
    assert lines[2].endswith("0.667")
    assert lines[3].endswith("failed")
