"""Every form in which a definition names data, and the types that come of it."""

import hashlib
import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evaluator.plugins.openml.amlb.locations import DatasetError
from evaluator.plugins.openml.amlb.tables import read_pair, read_series
from tests.plugins.openml.amlb.files import DEFINITION, ROWS, Definitions, arff, csv


@pytest.fixture
def repo(tmp_path: Path) -> Definitions:
    return Definitions(tmp_path)


def meta(repo: Definitions, task: str, fold: int = 0) -> dict[str, Any]:
    file = repo.path / f"benchmarks/mine/input_data/{task}/{fold}/dataset.json"
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_every_local_form_gives_all_of_its_folds(repo: Definitions) -> None:
    """AMLB's own example of them loses 7 of 13 folds without a row, and ends with exit code 0."""
    said = repo.define(DEFINITION)
    assert "'iris_off' is not enabled" in said
    folds = sorted((repo.path / "benchmarks/mine/input_data").glob("*/*"))
    assert len(folds) == 13
    for folder in folds:
        kept = repo.path / "benchmarks/mine/reference_data" / folder.relative_to(folder.parents[1])
        train = pd.read_parquet(folder / "train.parquet")
        test = pd.read_parquet(folder / "test.parquet")
        truth = pd.read_parquet(kept / "truth.parquet")
        about = json.loads((folder / "dataset.json").read_text())
        assert about["type"] == "multiclass"
        assert about["target"] not in test.columns
        assert list(train.drop(columns=about["target"]).columns) == list(test.columns)
        assert len(train) + len(test) == 60
        assert set(truth["truth"]) <= set(about["classes"])
        assert "truth.parquet" not in {file.name for file in folder.iterdir()}
    assert meta(repo, "iris-tgz")["name"] == "iris_tgz"
    repo.git("add", ".")
    assert [p for p in repo.problems() if p.severity == "error"] == []


def test_a_dataset_that_is_a_string(repo: Definitions) -> None:
    """AMLB ends with "'str' object has no attribute 'name'": no row, and exit code 0."""
    repo.define("- {name: s, dataset: '{user}/data/multi', folds: 3}\n")
    assert [meta(repo, "s", fold)["fold"] for fold in range(3)] == [0, 1, 2]


def test_what_cannot_be_set_up_is_said_of_every_task_and_exits_with_1(repo: Definitions) -> None:
    said = repo.define(
        "- {name: gone, dataset: '{user}/data/nowhere'}\n"
        "- {name: odd, dataset: ['{user}/data/Train.csv']}\n"
        "- {name: words, dataset: {train: '{user}/mine.yaml', test: '{user}/mine.yaml'}}\n"
        "- {name: braces, dataset: '{home}/x'}\n"
        "- {name: bucket, dataset: 's3://bucket/x.csv'}\n"
        "- {name: lonely, dataset: '{user}/data/Train.csv'}\n",
        code=1,
    )
    for name, text in {
        "gone": "is not there", "odd": "an even number", "words": "none of .arff, .csv",
        "braces": "'{home}' is no folder", "bucket": "only http and https",
        "lonely": "no test file",
    }.items():  # fmt: skip
        assert f"mine.yaml: {name}: " in said
        assert text in said
    assert not (repo.path / "benchmarks").exists()


def test_csv_types_are_those_of_the_training_rows(tmp_path: Path) -> None:
    train, test = tmp_path / "a.csv", tmp_path / "b.csv"
    train.write_text("n,word,Class\n1,x,0\n2,y,1\n3,x,2\n")
    test.write_text("n,word,Class\n1.5,new,1\n2,y,0\n")
    pair = read_pair(train, test, None, None)
    assert (pair.target, pair.type) == ("Class", "regression")
    assert list(pair.train["word"].cat.categories) == ["x", "y"]
    assert pair.test["word"].isna().tolist() == [True, False]
    assert pair.test["n"].tolist() == [1.5, 2.0]
    assert read_pair(train, test, "word", None).type == "binary"
    assert read_pair(train, test, 1, None).target == "word"
    named = read_pair(train, test, "Class", "multiclass")
    assert isinstance(named.train["Class"].dtype, pd.CategoricalDtype)
    with pytest.raises(DatasetError, match="no column 'colour'"):
        read_pair(train, test, "colour", None)


def test_true_and_false_are_two_classes(repo: Definitions) -> None:
    for name in ("train", "test"):
        rows = "".join(f"{row},{row % 2 == 0}\n" for row in range(20))
        (repo.user / f"{name}.csv").write_text(f"n,churn\n{rows}")
    pair = "{train: '{user}/train.csv', test: '{user}/test.csv', target: churn}"
    repo.define(f"- {{name: b, dataset: {pair}, folds: 1}}\n")
    assert (meta(repo, "b")["type"], meta(repo, "b")["classes"]) == ("binary", ["False", "True"])
    truth = pd.read_parquet(repo.path / "benchmarks/mine/reference_data/b/0/truth.parquet")
    assert list(truth["truth"][:2]) == ["True", "False"]


@pytest.mark.parametrize("target", ["target: y", "type: regression"])
def test_semicolons_of_a_spreadsheet_are_the_cause_that_is_named(
    repo: Definitions, target: str
) -> None:
    for name in ("train", "test"):
        (repo.user / f"{name}.csv").write_text("\ufeffx;y\n0,5;a\n1,5;b\n", encoding="utf-8")
    pair = f"{{train: '{{user}}/train.csv', test: '{{user}}/test.csv', {target}}}"
    said = repo.define(f"- {{name: excel, dataset: {pair}, folds: 1}}\n", code=1)
    assert "excel: 'train.csv' cannot be read: its first line, 'x;y', has ';' or tabs" in said
    assert "save it with commas, and with points in numbers" in said


def test_a_target_that_is_not_there_is_named_with_the_columns(repo: Definitions) -> None:
    (repo.user / "a.csv").write_text("x,y\n1,2\n")
    said = repo.define(
        "- {name: a, dataset: {train: '{user}/a.csv', test: '{user}/a.csv', target: z}}\n", code=1
    )
    assert "no column 'z' to be the target; there are 'x', 'y'" in said


def test_arff_types_are_declared(tmp_path: Path) -> None:
    train, test = tmp_path / "a.arff", tmp_path / "b.arff"
    train.write_text(arff(0, 40))
    test.write_text(arff(40, 60))
    pair = read_pair(train, test, None, None)
    assert (pair.target, pair.type) == ("class", "multiclass")
    assert list(pair.train["colour"].cat.categories) == ["Red", "blue", "green"]
    assert pair.train["length"].dtype == float


def test_sparse_arff(tmp_path: Path) -> None:
    file = tmp_path / "a.arff"
    file.write_text(
        "@RELATION s\n@ATTRIBUTE a REAL\n@ATTRIBUTE b REAL\n@ATTRIBUTE class {no,yes}\n@DATA\n"
        "{0 1.5, 2 yes}\n{1 2}\n{0 3}\n"
    )
    pair = read_pair(file, file, None, None)
    assert pair.train["a"].tolist() == [1.5, 0.0, 3.0]
    assert pair.train["class"].tolist() == ["yes", "no", "no"]


def test_parquet(tmp_path: Path) -> None:
    table = pd.DataFrame({"n": [1, 2, 3], "word": ["x", "y", "x"]})
    for name in ("train", "test"):
        table.to_parquet(tmp_path / f"t_{name}.parquet")
    pair = read_pair(tmp_path / "t_train.parquet", tmp_path / "t_test.parquet", None, None)
    assert (pair.target, pair.type) == ("word", "binary")


def test_the_naming_rule(repo: Definitions) -> None:
    folder = repo.user / "named"
    folder.mkdir()
    text = "- {name: n, dataset: '{user}/named', folds: 5}\n"
    for name in ("x-train-0", "x-test-0", "x-train-1", "x-test-1", "x-train-3", "x-test-3"):
        (folder / f"{name}.csv").write_text(csv(0, 30))
    assert "5 folds are asked for; its data have 2" in repo.define(text)
    for name in ("x_train", "x_test"):  # a pair without numbers wins
        (folder / f"{name}.csv").write_text(csv(0, 30))
    assert "its data have 1" in repo.define(text, "--force")
    (folder / "y_train.csv").write_text(csv(0, 30))
    assert "files of several names: x, y" in repo.define(text, "--force", code=1)


def test_two_archives_of_one_name_are_kept_apart(repo: Definitions) -> None:
    (repo.user / "other").mkdir()
    (repo.user / "other/iris.zip").write_bytes((repo.user / "data/iris.tgz").read_bytes())
    repo.define(
        "- {name: one, dataset: '{user}/data/iris.zip', folds: 1}\n"
        "- {name: two, dataset: '{user}/other/iris.zip', folds: 3}\n"
    )
    assert meta(repo, "two", 2)["fold"] == 2


@pytest.fixture
def server(repo: Definitions) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = partial(Quiet, directory=str(repo.user))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_an_address_needs_its_digest(repo: Definitions, server: str) -> None:
    text = (
        f"- {{name: far, dataset: {{path: '{server}/data/iris.zip', target: species}}, folds: 1}}\n"
    )
    assert "has no digest" in repo.define(text, code=1)
    digests = repo.user / "digests.txt"
    repo.define(text, "--digests", str(digests), "--pin")
    right = hashlib.sha256((repo.user / "data/iris.zip").read_bytes()).hexdigest()
    assert digests.read_text() == f"{right}  {server}/data/iris.zip\n"
    repo.define(text, "--digests", str(digests), "--force")
    own = text.replace("target: species", f"target: species, sha256: {right}")
    repo.define(own, "--force")
    with (repo.user / "data/iris.zip").open("r+b") as file:
        file.truncate(100)  # an answer that was cut short
    said = repo.define(text, "--digests", str(digests), "--force", code=1)
    assert "has the SHA-256" in said
    assert (repo.path / "benchmarks/mine/competition.yaml").exists(), "the old one stays"


def test_an_address_that_fails(repo: Definitions, server: str) -> None:
    text = f"- {{name: far, dataset: ['{server}/a.csv', '{server}/b.csv'], folds: 1}}\n"
    said = repo.define(text, "--digests", str(repo.user / "d"), "--pin", code=3)
    assert "404" in said


def test_missing_targets_and_unknown_types_are_refused(repo: Definitions) -> None:
    (repo.user / "data/gaps.csv").write_text("a,target\n1,x\n2,\n3,y\n")
    pair = "train: '{user}/data/gaps.csv', test: '{user}/data/gaps.csv'"
    said = repo.define(
        f"- {{name: gaps, dataset: {{{pair}}}, folds: 1}}\n"
        f"- {{name: kind, dataset: {{{pair}, type: images}}, folds: 1}}\n",
        code=1,
    )
    assert "fold 0: the target 'target' has missing values" in said
    assert "type 'images' is none of binary" in said


SERIES = {
    "type": "timeseries", "freq": "D", "forecast_horizon_in_steps": 3, "seasonality": 2,
    "target": "y", "id_column": "who", "timestamp_column": "day",
}  # fmt: skip


def long_table(file: Path, steps: int = 20) -> None:
    days = pd.date_range("2026-01-01", periods=steps).strftime("%Y-%m-%d")
    rows = [f"{who},{day},{i * (1 + who)}" for who in (10, 9) for i, day in enumerate(days)]
    file.write_text("who,day,y\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize(
    ("written", "today"),
    [("H", "h"), ("15T", "15min"), ("M", "ME"), ("Q-DEC", "QE-DEC"), ("A", "YE-DEC"), ("D", "D"),
     ("h", "h"), ("W-SUN", "W-SUN"), ("QS-OCT", "QS-OCT"), ("1H30T", "90min")],
)  # fmt: skip
def test_freq_h_and_other_old_aliases_are_mapped(tmp_path: Path, written: str, today: str) -> None:
    """AMLB's own timeseries.yaml says `freq: H`, which pandas 3 refuses and 2.2 warns of."""
    file = tmp_path / "long.csv"
    long_table(file)
    assert read_series(file, 0, {**SERIES, "freq": written}).meta["freq"] == today


def test_folds_of_time_series_are_those_of_the_code(tmp_path: Path) -> None:
    """Fold k > 0 drops (k+1)·H steps and then tests the last H, as AMLB's code does."""
    file = tmp_path / "long.csv"
    long_table(file)
    tested = {}
    for fold in (0, 1):
        made = read_series(file, fold, SERIES)
        last = made.test[made.test["who"] == "9"]["y"] // 10
        tested[fold] = last.tolist()
        assert made.train["day"].max() < made.test["day"].min()
    assert tested == {0: [17, 18, 19], 1: [11, 12, 13]}
    made = read_series(file, 0, SERIES)
    assert made.meta["abs_seasonal_error"] == [22.0, 20.0], "items are sorted as text: 10, 9"
    assert made.truth["repeated_abs_seasonal_error"].tolist() == [22.0] * 3 + [20.0] * 3
    with pytest.raises(DatasetError, match="the shortest has 20"):
        read_series(file, 6, SERIES)
    with pytest.raises(DatasetError, match="needs `freq`"):
        read_series(file, 0, {**SERIES, "freq": None})


def test_a_time_series_becomes_a_task(repo: Definitions) -> None:
    long_table(repo.user / "long.csv")
    entry = {"name": "s", "dataset": {**SERIES, "path": "{user}/long.csv"}, "folds": 9}
    said = repo.define(json.dumps([entry]))
    assert "9 folds are asked for; its data have 5" in said
    about = meta(repo, "s", 1)
    assert about["metrics"][0] == "mase"
    assert about["quantile_levels"] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    truth = pd.read_parquet(repo.path / "benchmarks/mine/reference_data/s/1/truth.parquet")
    assert list(truth.columns) == ["truth", "repeated_item_id", "repeated_abs_seasonal_error"]
    assert truth["repeated_item_id"].tolist() == [0, 0, 0, 1, 1, 1]


def test_changed_data_make_stale_records(repo: Definitions) -> None:
    """AMLB records the commit of its own code, and nothing of the data."""
    repo.define("- {name: s, dataset: '{user}/data/multi', folds: 3}\n")
    repo.write("submissions/mine/alice/one/submission.yaml", "kind: code\n")
    repo.write("submissions/mine/alice/one/model.py", "class Model:\n    pass\n")
    repo.commit()

    def keys() -> dict[str, str]:
        return {str(item.cell.id): item.cell.keys.prediction for item in repo.plan().missing}

    before = keys()
    (repo.user / "data/multi/iris_train_1.csv").write_text(csv(0, 30))
    repo.define("- {name: s, dataset: '{user}/data/multi', folds: 3}\n", "--force")
    repo.commit()
    after = keys()
    changed = {cell for cell in after if after[cell] != before[cell]}
    assert changed == {"mine/alice/one/final/s.1"}


def test_rows_are_what_the_forms_were_made_of() -> None:
    assert len(set(ROWS)) > 50
