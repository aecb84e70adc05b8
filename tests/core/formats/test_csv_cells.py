"""CSV that a spreadsheet does not act upon."""

import csv
import io
from dataclasses import replace

import pytest

from evaluator.core.formats.plain_text import inert
from evaluator.core.leaderboard import tables
from tests.core.leaderboard.boards import Entries, make_benchmark

FORMULAS = ("=HYPERLINK(A1)", "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\n=1", "\uff1d1")
SHEET = """
fact_sheet:
  =key: {key: "=key", type: text, title: T, is_on_leaderboard: "true"}
"""


@pytest.mark.parametrize("text", [*FORMULAS, "'quoted'"])
def test_a_text_that_could_act_has_an_apostrophe_before_it(text: str) -> None:
    assert inert(text) == f"'{text}"


def test_a_carriage_return_ends_no_line() -> None:
    assert inert("a\r=b\r\nc\0") == "a\n=b\nc"


@pytest.mark.parametrize("value", ["plain", "a=b", "", -0.5, 3, None, True])
def test_other_values_stay_as_they_are(value: object) -> None:
    assert inert(value) == value


def test_no_cell_of_a_board_is_a_formula() -> None:
    entries = Entries(make_benchmark(extra=SHEET))
    for number, text in enumerate(FORMULAS):
        entries.enter("ada", f"s{number}", {"a": -number - 0.5})
        entries.submissions[-1] = replace(
            entries.submissions[-1], title=f"{text}\r=1", fact_sheet={"=key": text}
        )
    lines = list(csv.reader(io.StringIO(tables.to_csv(entries.board()), newline="")))
    head = lines[0]
    assert head[-1] == "fact_sheet:=key"
    assert sorted(line[head.index("title")] for line in lines[1:]) == sorted(
        f"{inert(text)}\n=1" for text in FORMULAS
    )
    for line in lines[1:]:
        assert float(line[head.index("a")]) < 0  # a number is no text
        for cell in line:
            assert not cell.startswith(("=", "+", "@", "\t", "\n"))
    assert {line[-1] for line in lines[1:]} == set(map(inert, FORMULAS))
