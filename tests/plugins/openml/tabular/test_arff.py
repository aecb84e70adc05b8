"""ARFF files, dense and sparse."""

import pytest

from evaluator.plugins.openml.tabular import arff
from evaluator.plugins.openml.tabular.arff import TooLargeError, read_arff

HEAD = "@RELATION s\n@ATTRIBUTE a REAL\n@ATTRIBUTE b {x,y}\n@ATTRIBUTE c STRING\n@DATA\n"


def test_zeros_are_filled_in() -> None:
    table, sparse = read_arff(HEAD + "% a remark\n{0 1.5, 2 word}\n{1 y}\n{ }\n{0 ?}\n")
    assert sparse
    assert table["a"].isna().tolist() == [False, False, False, True]
    assert table["a"].tolist()[:3] == [1.5, 0.0, 0.0]
    assert table["b"].tolist() == ["x", "y", "x", "x"]


def test_dense_rows() -> None:
    table, sparse = read_arff(HEAD.replace("@DATA", "@data") + "1,y,'{0 1}'\n")
    assert not sparse
    assert table.iloc[0].tolist() == [1.0, "y", "{0 1}"]


def test_what_would_not_fit_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arff, "MAX_CELLS", 5)
    with pytest.raises(TooLargeError, match="6 values"):
        read_arff(HEAD + "{0 1}\n{0 2}\n")
    with pytest.raises(ValueError, match="Bad @DATA"):
        read_arff(HEAD + "1,y\n")
