"""The page of samples: what is hard, where rows differ, and which labels may be wrong."""

import csv

import numpy as np
import pytest

from evaluator.plugins.samples import page as page_module
from evaluator.plugins.samples.page import samples_page
from tests.plugins.samples.boards import make_board
from tests.repository import Repository


def test_it_shows_what_is_hard_and_where_rows_differ(protocol: Repository) -> None:
    board = make_board(
        protocol, {"ann": [1, 1, 0, 1], "bob": [1, 1, 0, 0], "cy": [1, 0, 0, 0]}, text="<b>1"
    )
    page = samples_page([board])
    assert page is not None
    hardest, labels, differ = page.tables
    assert hardest.sentences == [
        "4 samples and 3 rows.",
        "Everybody solves 1, nobody 1. Two rows agree on 67% of the samples, on average.",
    ]
    assert [line[0] for line in hardest.lines] == ["00002", "00003", "00001", "00000"]
    assert list(map(list, labels.lines)) == [["00002", "prediction: <b>1"]]
    assert list(map(list, differ.lines)) == [
        ["00001", "1", "1", "0"], ["00003", "1", "0", "0"],
    ]  # fmt: skip
    (content,) = page.files.values()
    head, *lines = csv.reader(content.decode().splitlines())
    assert head == ["sample", "ann/one", "bob/one", "cy/one"]
    assert sorted(lines)[1] == ["00001", "1.0", "1.0", "0.0"]


def test_many_samples_make_no_large_page(
    protocol: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MAX_VALUES", 1000)
    source = np.random.default_rng(1)
    rows = {name: source.random(3000).round(3).tolist() for name in ("ann", "bob")}
    page = samples_page([make_board(protocol, rows)])
    assert page is not None
    assert [len(table.lines) for table in page.tables] == [20, 200]
    (content,) = page.files.values()
    assert len(content.splitlines()) == 501


def test_there_is_none_without_samples(protocol: Repository) -> None:
    assert samples_page([make_board(protocol, {"ann": [1], "bob": [0]}, value=0.75)]) is None
