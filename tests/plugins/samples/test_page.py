"""The page of samples: what is hard, where rows differ, and which labels may be wrong."""

import csv
import gzip
import re
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import bootstrap

from evaluator.core.formats.columns import Column
from evaluator.plugins.samples import page as page_module
from evaluator.plugins.samples.blocks import TaskScores
from evaluator.plugins.samples.format import pack_samples
from evaluator.plugins.samples.page import pass_text, samples_page
from tests.plugins.samples import boards
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


@pytest.mark.parametrize(
    ("nonsense", "lines"), [(b"5", [2, 0, 0]), (b"[" * 30_000 + b"]" * 30_000, None)]
)
def test_a_file_with_texts_that_cannot_be_read_ends_no_page(
    protocol: Repository, monkeypatch: pytest.MonkeyPatch, nonsense: bytes, lines: list[int] | None
) -> None:
    """A kept file is a stranger's. Its scores count if they can be read."""
    old, new = b'"texts":{"prediction":"<b>1"}', b'"texts":' + nonsense
    monkeypatch.setattr(
        boards, "pack_samples",
        lambda *one: gzip.compress(gzip.decompress(pack_samples(*one)).replace(old, new)),
    )  # fmt: skip
    page = samples_page(
        [make_board(protocol, {key: [1, 0] for key in ("ann", "bob", "cy")}, text="<b>1")]
    )
    assert (page and [len(table.lines) for table in page.tables]) == lines


@pytest.mark.parametrize("grouped", [False, True])
def test_passes_of_repeats_are_estimated_without_bias(grouped: bool) -> None:
    """Against all choices of k of n runs, and the bootstrap over samples or groups."""
    source = np.random.default_rng(4)
    n, count = 5, 300
    group_of = np.repeat(np.arange(60), 5) if grouped else np.arange(count)
    level = source.beta(0.5, 0.7, group_of.max() + 1)[group_of]
    runs = source.random((n, count)) < level
    column = Column(
        key="passed", title="Passed", sorting="desc", precision=2, hidden=False, computation=None,
        operands=(),
    )  # fmt: skip
    scores = TaskScores(
        column=column, ids=[f"{one:03}" for one in range(count)], weights=np.ones(count),
        values=np.zeros((count, 1)), passed={},
        groups=[f"{one:02}" for one in group_of] if grouped else [],
    )  # fmt: skip
    for k, every in ((1, False), (3, False), (2, True)):
        chosen = [runs[list(some)] for some in combinations(range(n), k)]
        way = np.all if every else np.any
        rates = np.mean([way(some, axis=0) for some in chosen], axis=0)
        said = pass_text(runs.sum(axis=0) * 1.0, k, scores, n=n, sign=1, every=every)
        value, low, high = map(float, re.findall(r"[0-9.]+", said))
        assert value == pytest.approx(rates.mean(), abs=6e-4)
        sums = np.bincount(group_of, rates)
        drawn = bootstrap((sums,), np.sum, n_resamples=4000, rng=source, method="percentile")
        ends = drawn.confidence_interval
        # For k of several runs it is no narrower than of samples that pass or not.
        assert 0.9 < (high - low) * count / (ends.high - ends.low) < (1.15 if k == 1 else 1.5)
        fails = n - runs.sum(axis=0) * 1.0
        assert pass_text(fails, k, scores, n=n, sign=-1, every=every) == said


def test_if_nobody_passes_the_interval_says_how_many_might() -> None:
    column = Column(
        key="passed", title="Passed", sorting="desc", precision=2, hidden=False, computation=None,
        operands=(),
    )  # fmt: skip
    scores = TaskScores(
        column=column, ids=[f"{one:02}" for one in range(20)], weights=np.ones(20),
        values=np.zeros((20, 1)), passed={}, groups=[],
    )  # fmt: skip
    said = pass_text(np.zeros(20), 1, scores, n=4, sign=1, every=False)
    assert said == "0.000 (0.000 to 0.168)"


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
