"""Columns as CSV: what Python's own writer would write."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.core.formats.plain_text import inert
from evaluator.core.leaderboard import tables
from evaluator.core.leaderboard.tables import csv_parts

FLOATS = st.one_of(st.floats(), st.floats(min_value=1e-5, max_value=1e17), st.integers().map(float))


def written(columns: dict[str, list[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


@given(st.lists(st.tuples(FLOATS, FLOATS), min_size=1))
def test_numbers_are_as_python_writes_them(pairs: list[tuple[float, float]]) -> None:
    columns = {name: list(own) for name, own in zip("ab", zip(*pairs, strict=True), strict=True)}
    found = "".join(csv_parts(list(columns), [np.array(own) for own in columns.values()]))
    none: dict[str, list[object]] = {
        name: [None if value != value else value for value in own] for name, own in columns.items()
    }
    assert found == written(none)


@given(st.lists(st.text(st.characters(exclude_characters="\r\0=+-@\t\n'\uff1d\uff0b\uff0d\uff20"))))
def test_text_is_as_python_writes_it(texts: list[str]) -> None:
    columns: dict[str, list[object]] = {"a": list(texts), "b": [1] * len(texts)}
    assert "".join(csv_parts(list(columns), list(columns.values()))) == written(columns)


@given(st.lists(st.tuples(st.text("ab,\"\r\n\0='\t"), st.sampled_from(["", "x", None]))))
def test_cells_do_not_act_whatever_stands_beside_them(pairs: list[tuple[str, str | None]]) -> None:
    texts, others = [text for text, _ in pairs], [other for _, other in pairs]
    columns: dict[str, list[object]] = {"a": list(texts), "b": list(others)}
    safe: dict[str, list[object]] = {name: list(map(inert, own)) for name, own in columns.items()}
    assert "".join(csv_parts(list(columns), list(columns.values()))) == written(safe)


def test_an_empty_cell_that_stands_alone_is_no_empty_line() -> None:
    assert list(csv_parts(["a"], [["", "b"]])) == ['a\n""\nb\n']


def test_lines_end_and_quotes_stand_where_a_text_has_several_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables, "CSV_LINES", 2)
    numbers = np.array([0.5, np.nan, -0.0])
    texts = ["x\ny", None, True]
    parts = list(csv_parts(["a,", "n", "n", "z"], [texts, numbers, numbers, [1, 2, 3]]))
    assert parts == [
        '"a,",n,n,z\n"x\ny",0.5,0.5,1\n,,,2\n',
        "True,-0.0,-0.0,3\n",
    ]


def test_a_table_without_rows_has_a_head() -> None:
    assert list(csv_parts(["a", "b"], [[], np.array([])])) == ["a,b\n"]


class Word(str):
    """Text of a class of its own."""


def test_text_of_any_class_does_not_act() -> None:
    words = [Word("=1+1"), None]
    assert "".join(csv_parts(["a", "b"], [words, [1, 2]])) == "a,b\n'=1+1,1\n,2\n"
