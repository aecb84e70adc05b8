"""The scoring program: metrics, signs, and what it refuses."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as known

from tests.plugins.openml.tabular.programs import Try

HEAD = "Yes,no,predictions\n"


@pytest.fixture
def fold(tmp_path: Path) -> Try:
    return Try(tmp_path, metrics=["logloss", "auc", "acc", "balacc"])


def rows(fold: Try, line: str = "0.25,0.75,no") -> list[str]:
    return [line] * len(fold.truth)


def test_metrics_are_those_of_scikit_learn(fold: Try) -> None:
    p = np.random.default_rng(1).uniform(0.05, 0.95, len(fold.truth))
    said = np.where(p > 0.5, "Yes", "no")
    lines = [f"{v!r},{1 - v!r},{w}" for v, w in zip(p.tolist(), said, strict=True)]
    scores = fold.write(HEAD + "\n".join(lines) + "\n")
    assert isinstance(scores, dict)
    truth = fold.truth.astype(str)
    both = np.column_stack([p, 1 - p])
    loss = known.log_loss(truth, both, labels=["Yes", "no"])
    assert scores["logloss"] == pytest.approx(loss)
    assert scores["result"] == -scores["logloss"], "higher is always better"
    assert scores["auc"] == pytest.approx(known.roc_auc_score(truth, 1 - p))
    assert scores["acc"] == pytest.approx(known.accuracy_score(truth, said))
    assert scores["balacc"] == pytest.approx(known.balanced_accuracy_score(truth, said))


def test_labels_as_encoded_frameworks_write_them(fold: Try) -> None:
    text = "no,yes,predictions\n" + "\n".join(rows(fold, "0.75,0.25, YES ")) + "\n"
    scores = fold.write(text)
    assert isinstance(scores, dict)
    assert scores["acc"] == pytest.approx((fold.truth.astype(str) == "Yes").mean())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no,predictions\n" + "0.5,no\n" * 20, "no probabilities of class 'Yes'"),
        (HEAD + "0.5,0.5,no\n" * 19, "19 rows for 20 test rows"),
        (HEAD + "0.5,0.5,no\n" * 21, "more than the 20 test rows"),
        (HEAD + "0.5,0.5,no\n" * 19 + "0.5,0.5\n", "predictions.csv: row 20 has 2 values"),
        (HEAD + "0.5,0.5,no\n" * 19 + "0.5,0.5,maybe\n", "row 20: 'maybe' is none of the classes"),
        (HEAD + "0.5,nan,no\n" * 20, "row 1, column 'no': 'nan' is no finite number"),
        (HEAD + "1.5,-0.5,no\n" * 20, "below 0 or above 1"),
        (HEAD + "0,0,no\n" * 20, "probabilities are all 0"),
        ("Yes,no\n" + "0.5,0.5\n" * 20, "no column 'predictions'"),
        ("no,no,predictions\n" + "0.5,0.5,no\n" * 20, "two columns have the same name"),
        ("predictions\n" + "no\n" * 20, "there are no probabilities"),
        ("", "0 rows"),
    ],
)
def test_what_is_refused(text: str, reason: str, fold: Try) -> None:
    said = fold.write(text)
    assert isinstance(said, str), said
    assert reason in said


def test_a_file_that_is_none(fold: Try) -> None:
    assert fold.score() == "the file predictions.csv is missing"
    (fold.folder / "scores/rejected.txt").unlink()
    (fold.folder / "res/predictions.csv").symlink_to("/etc/hostname")
    assert fold.score() == "the file predictions.csv is missing"


def test_forecasts(tmp_path: Path) -> None:
    fold = Try(
        tmp_path, target="number", type="regression", metrics=["mase", "wql", "smape", "rmse"],
        quantile_levels=[0.1, 0.9],
    )  # fmt: skip
    about = (fold.folder / "ref/dataset.json").read_text()
    (fold.folder / "ref/dataset.json").write_text(about.replace('"regression"', '"timeseries"'))
    truth = pd.DataFrame({"truth": [1.0, 2, 3, 4]})
    truth["repeated_item_id"] = [0, 0, 1, 1]
    truth["repeated_abs_seasonal_error"] = [1.0, 1, 2, 2]
    truth.to_parquet(fold.folder / "ref/truth.parquet")
    scores = fold.write("predictions,0.1,0.9\n1,0,2\n3,2,4\n3,2,4\n6,5,7\n")
    assert isinstance(scores, dict)
    assert scores["mase"] == pytest.approx((0.5 + 1 / 2) / 2)
    assert scores["result"] == -scores["mase"]
    assert scores["rmse"] == pytest.approx((5 / 4) ** 0.5)
    assert scores["smape"] == pytest.approx(np.mean([0, 1 / 2.5, 0, 2 / 5]))
    quantiles, y = np.array([[0, 2], [2, 4], [2, 4], [5, 7]]), truth["truth"].to_numpy()
    pinball = sum(
        known.mean_pinball_loss(y, quantiles[:, i], alpha=level)
        for i, level in ((0, 0.1), (1, 0.9))
    )
    assert scores["wql"] == pytest.approx(2 * pinball / 2 * 4 / y.sum())
