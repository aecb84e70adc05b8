"""Splits are whole and sound, or every fault is said."""

import numpy as np
import pandas as pd
import pytest

from evaluator.plugins.openml.tasks.fetching import read_folds, split_digest

PARAMETERS = {"number_repeats": "2", "number_folds": "3"}


def table() -> pd.DataFrame:
    """Two repeats of three folds over nine rows."""
    return pd.DataFrame(
        [
            (repeat, fold, (row + repeat * (row // 3)) % 3 == fold, row)
            for repeat in range(2)
            for fold in range(3)
            for row in range(9)
        ],
        columns=["repeat", "fold", "tested", "row"],
    )


def faults(changed: pd.DataFrame, procedure: str = "crossvalidation") -> list[str]:
    return read_folds(changed, rows=9, procedure=procedure, parameters=PARAMETERS)[1]


def test_all_repeats_become_folds_in_order() -> None:
    folds, found = read_folds(table(), rows=9, procedure="crossvalidation", parameters=PARAMETERS)
    assert found == []
    assert [(f.number, f.repeat, f.fold) for f in folds] == [
        (0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 1, 0), (4, 1, 1), (5, 1, 2),
    ]  # fmt: skip
    assert folds[0].test.tolist() == [0, 3, 6]
    assert sorted([*folds[4].train, *folds[4].test]) == list(range(9))


@pytest.mark.parametrize("kept", [1, 20, 40, 53])
def test_truncated_splits_are_never_taken(kept: int) -> None:
    assert faults(table().iloc[:kept])


def test_each_fault_is_named() -> None:
    whole = table()
    assert faults(whole.iloc[:0]) == ["are empty"]
    assert "have no repeat 1, fold 0" in faults(whole[whole["repeat"] == 0])
    more = whole.assign(row=whole["row"] + 1)
    assert "repeat 0, fold 2: test row 9 of a data set with 9 rows" in faults(more)
    twice = pd.concat([whole, whole.iloc[:1]])
    assert "repeat 0, fold 0: 1 test rows are there twice" in faults(twice)
    leaked = pd.concat([whole, whole.iloc[:1].assign(tested=False)])
    assert "repeat 0, fold 0: 1 rows are trained on and tested" in faults(leaked)
    swapped = whole.copy()
    swapped["tested"] = np.where(swapped.index == 1, True, swapped["tested"])
    assert "repeat 0: 0 rows are never tested, 1 more than once" in faults(swapped)
    other = whole.assign(fold=np.where(whole["fold"] == 2, 5, whole["fold"]))
    assert "have a repeat 0, fold 5, and the estimation procedure has 2 x 3" in faults(other)


def test_rows_of_a_larger_data_set_are_missed() -> None:
    _, found = read_folds(table(), rows=12, procedure="crossvalidation", parameters=PARAMETERS)
    assert "repeat 0, fold 0: 3 of the data set's 12 rows are missing" in found
    assert "repeat 0: 3 rows are never tested, 0 more than once" in found


def test_a_holdout_need_not_test_every_row() -> None:
    one = pd.DataFrame(
        [(0, 0, row < 3, row) for row in range(9)], columns=["repeat", "fold", "tested", "row"]
    )
    folds, found = read_folds(one, rows=9, procedure="holdout", parameters={"percentage": "33"})
    assert found == []
    assert folds[0].test.tolist() == [0, 1, 2]


def test_the_digest_knows_content_and_not_order() -> None:
    whole = table()
    assert split_digest(whole) == split_digest(whole.sample(frac=1, random_state=1))
    assert split_digest(whole) != split_digest(whole.assign(row=8 - whole["row"]))
