"""The unmodified package `openml` on a loopback server: cold, warm, truncated, slow, dead."""

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from evaluator.core.errors import InvalidInputError, PlatformError
from evaluator.plugins.openml.tasks import child
from evaluator.plugins.openml.tasks.client import OpenmlClient, _read_answer
from evaluator.plugins.openml.tasks.fetching import fetch_tasks
from tests.importing.calling import pullbench
from tests.importing.laid_out import fold_folders
from tests.openml_server import (
    Fault,
    OpenMLServer,
    ServedSuite,
    ServedTask,
)
from tests.plugins.openml.openml_kept import Fetched
from tests.plugins.openml.openml_sources import chess, official_folds, small, small_task, stored
from tests.repository import Repository


def imported(repository: Repository, server: OpenMLServer, *arguments: str) -> tuple[int, str]:
    return pullbench(repository.path, "import", "openml", *arguments, "--server", server.api)


@pytest.mark.slow
def test_a_task_becomes_a_benchmark_with_official_splits(
    server: OpenMLServer, repository: Repository
) -> None:
    code, said = imported(repository, server, "t/3", "--name", "chess")
    assert code == 0, said
    assert "1 tasks of 10 folds" in said
    bundle = repository.path / "benchmarks/chess"
    own = chess()
    answers = list(own.columns[-1].values)
    for fold in range(10):
        rows = [row for row, tested in enumerate(official_folds()) if tested == fold]
        inputs, reference = fold_folders(bundle, "kr-vs-kp", fold)
        train = pd.read_parquet(inputs / "train.parquet")
        test = pd.read_parquet(inputs / "test.parquet")
        truth = pd.read_parquet(reference / "truth.parquet")
        assert (len(train), len(test)) == (3196 - len(rows), len(rows))
        assert "class" in train.columns
        assert "class" not in test.columns
        assert truth["truth"].astype(str).tolist() == [answers[row] for row in rows]
    meta = json.loads((inputs / "dataset.json").read_text())
    assert (meta["type"], meta["classes"], meta["openml_task_id"]) == (
        "binary",
        ["nowin", "won"],
        3,
    )
    asked = [line.partition("?")[0] for line in server.asked]
    assert len(asked) == len(set(asked)) == 6
    repository.commit()
    assert repository.problems() == []

    # Warm: what is kept serves again, and a changed split under the same number is refused.
    server.asked.clear()
    code, said = imported(repository, server, "t/3", "--name", "again", "--folds", "2")
    assert (code, server.asked) == (0, []), said
    moved = list(official_folds())
    moved[0], moved[1] = moved[1], moved[0]
    server.add(small_task(number=3, dataset=3), chess())
    server.tasks[3] = type(server.tasks[3])(id=3, dataset=3, folds=[moved])
    (repository.path / "build/openml").rename(repository.path / "build/aside")
    code, said = imported(repository, server, "t/3", "--name", "chess", "--force")
    assert code == 1
    assert "the splits of t/3 are no longer those of benchmarks/chess" in said


def test_all_repeats_of_a_suite_and_its_types(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    code, said = imported(repository, server, "pair")
    assert code == 0, said
    bundle = repository.path / "benchmarks/a-pair"
    names = sorted(path.name for path in (bundle / "reference_data").iterdir())
    assert names == ["small", "small-2"]
    folds = sorted(path.parent.name for path in bundle.glob("reference_data/small/*/rows.json"))
    assert folds == ["0", "1", "2", "3", "4", "5"]
    inputs, reference = fold_folders(bundle, "small", 4)
    train = pd.read_parquet(inputs / "train.parquet")
    assert "row" not in train.columns
    assert list(train["b"].cat.categories) == ["red", "blue", "1"]
    assert train["a"].dtype == "int64"
    where = json.loads((reference / "rows.json").read_text())
    assert (where["repeat"], where["fold"]) == (1, 1)
    wanted = [row for row, fold in enumerate(server.tasks[70].folds[1]) if fold == 1]
    assert where["rows"] == wanted
    meta = json.loads((inputs / "dataset.json").read_text())
    assert (meta["type"], meta["classes"]) == ("multiclass", ["one", "ten", "two"])


def test_tasks_of_a_suite_have_as_many_folds_as_they_have(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    code, said = imported(repository, server, "s/99", "--name", "all")
    assert code == 0, said
    assert "2 tasks of 6 to 10 folds" in said
    repository.write("submissions/all/ann/one/submission.yaml", "kind: code\n")
    repository.write("submissions/all/ann/one/model.py", "class Model:\n    pass\n")
    repository.commit()
    planned = sorted(repository.reasons())
    assert planned == sorted(
        [f"all/ann/one/final/kr-vs-kp.{fold}" for fold in range(10)]
        + [f"all/ann/one/final/small.{fold}" for fold in range(6)]
    )


def test_data_below_the_data_folder_are_pinned(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    words = ("openml/t/70", "--folds", "2", "--private", "--name", "apart")
    code, said = imported(repository, server, *words)
    assert code == 2
    assert "no data folder" in said
    repository.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    code, said = imported(repository, server, *words)
    assert code == 0, said
    assert not (repository.path / "benchmarks/apart/reference_data").exists()
    held = repository.path / "build/data/apart/reference_data/small"
    names = sorted(path.name for path in held.iterdir())
    assert names == ["0", "1", "dataset.json", "table.parquet"]
    assert repository.problems() == []
    code, said = imported(repository, server, *words)
    assert code == 2
    assert "is there already" in said
    assert server.asked == []


@pytest.mark.slow
def test_what_is_not_whole_is_refused_and_what_is_whole_is_kept(
    server: OpenMLServer, tmp_path: Path
) -> None:
    faults = {
        71: (r"api_splits/get/71/", Fault(lines=60), "the splits have no repeat 0, fold 2"),
        72: (r"api_splits/get/72/", Fault(keep=301), "the splits cannot be read"),
        73: (r"data/v1/download/73/", Fault(keep=100), "Checksum"),
        74: (r"data/v1/download/74/", Fault(cut=1000), "cannot be read"),
        75: (r"/task/75$", Fault(status=503, body="busy"), "cannot be read"),
        76: (r"/task/76$", Fault(body="<html>down</html>"), "cannot be used"),
        77: (r"data/features/77", Fault(seconds=60), "no answer within 12 s"),
        79: (r"nothing", Fault(), "Unknown task"),
        78: (r"nothing", Fault(), ""),
    }
    for number, (pattern, fault, _) in faults.items():
        if number == 79:
            continue
        server.add(small(number=number, name=f"set{number}x"))
        server.add(small_task(number=number, dataset=number, repeats=1))
        server.hurt(pattern, fault)
    with pytest.raises(InvalidInputError) as caught:
        fetch_tasks(OpenmlClient(server=server.api, seconds=12), list(faults), tmp_path)
    lines = str(caught.value).splitlines()
    for number, (_, _, text) in faults.items():
        own = [line for line in lines if f"t/{number}:" in line]
        assert any(text in line for line in own) is bool(text), (number, lines)
    assert {path.parent.name for path in tmp_path.rglob("*.parquet")} == {"t78"}
    server.mend()
    server.asked.clear()
    found = fetch_tasks(OpenmlClient(server=server.api, seconds=90), [78, 72], tmp_path)
    assert [task.rows for task in found] == [30, 30]
    assert not any("task/78" in line for line in server.asked)


def test_a_cause_that_says_nothing_leaves_no_colon_at_the_end() -> None:
    """The package's assertions have no text, and a message ended in ``:.``"""
    error = ValueError(f"the splits cannot be read, or are not whole: {AssertionError()}")
    answer = {"error": child._fault(error)}
    said = str(_read_answer(answer, "https://server.test"))
    assert said.startswith("https://server.test has what cannot be used: ValueError: the splits")
    assert ":." not in said
    assert not child._fault(AssertionError())["message"].endswith(":")


@pytest.mark.slow
def test_a_server_that_is_gone_is_asked_once(tmp_path: Path) -> None:
    """2.3: not once for each task, with all its retries; and somebody sees what is waited for."""
    server = "http://127.0.0.1:9/api/v1/xml"
    lines: list[str] = []
    with pytest.raises(PlatformError) as caught:
        fetch_tasks(OpenmlClient(server=server, seconds=60), [3, 59], tmp_path, tell=lines.append)
    assert str(caught.value).count("cannot be read") == 1
    assert "t/3, t/59: " in str(caught.value)
    assert lines == [f"{server} is asked for 2 tasks"]
    with pytest.raises(PlatformError, match="t/1, t/2, t/3, t/4, t/5 and 67 more: "):
        fetch_tasks(OpenmlClient(server=server, seconds=60), range(1, 73), tmp_path)


def test_nobodys_key_and_cache_are_used(
    server: OpenMLServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".config/openml").mkdir(parents=True)
    (home / ".config/openml/config").write_text("apikey = my-secret\n")
    cache = home / "cache"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("OPENML_CACHE_DIR", str(cache))
    fetch_tasks(OpenmlClient(server=server.api, seconds=90), [70], tmp_path / "kept")
    assert not cache.exists()
    assert not any("my-secret" in line for line in server.asked)
    assert not list((tmp_path / "kept").rglob("*.pkl*"))
    assert [path.name for path in home.iterdir()] == [".config"]


def test_a_kept_file_that_changed_is_fetched_again(
    fetched: Fetched, repository: Repository
) -> None:
    server, kept = fetched.give(repository), repository.path / "build/openml"
    client = OpenmlClient(server=server.api, seconds=90)
    (task,) = fetch_tasks(client, [70], kept)
    assert server.asked == []
    task.data.write_bytes(task.data.read_bytes() + b"x")
    (again,) = fetch_tasks(client, [70], kept)
    assert server.asked
    assert again.data_sha256 == task.data_sha256


def test_a_word_that_is_no_source_is_said_at_once(repository: Repository) -> None:
    code, said = pullbench(repository.path, "import", "openml", "271")
    assert code == 2
    assert "Write s/271" in said


def test_regression_and_the_spelling_of_levels(fetched: Fetched, repository: Repository) -> None:
    rows, server = range(30), fetched.give(repository)
    code, said = imported(repository, server, "t/90", "--name", "prices")
    assert code == 0, said
    fold, reference = fold_folders(repository.path / "benchmarks/prices", "prices", 0)
    meta = json.loads((fold / "dataset.json").read_text())
    assert (meta["type"], meta["classes"], meta["metrics"]) == (
        "regression",
        [],
        ["rmse", "r2", "mae"],
    )
    train = pd.read_parquet(fold / "train.parquet")
    assert train["sold"].tolist()[:2] == ["FALSE", "TRUE"]
    assert list(train["sold"].cat.categories) == ["TRUE", "FALSE"]
    assert set(train["code"]) == {"02", "3"}
    test = pd.read_parquet(fold / "test.parquet")
    assert test["size"].isna().tolist() == [False, True, *[False] * 8]
    truth = pd.read_parquet(reference / "truth.parquet")
    assert truth["truth"].tolist() == [row + 0.5 for row in rows if row % 3 == 0]
    board = (repository.path / "benchmarks/prices/competition.yaml").read_text()
    assert "key: rmse" in board
    assert "key: logloss" not in board


def test_the_starting_kit_tries_all_folds_of_one_table(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    code, said = imported(repository, server, "t/90", "--name", "prices")
    assert code == 0, said
    repository.write(
        "entry/model.py",
        "class Model:\n"
        "    def fit(self, X, y):\n        self.mean = y.mean()\n"
        "    def predict(self, X):\n        return [self.mean] * len(X)\n",
    )
    kit = repository.path / "benchmarks/prices/starting_kit/run_folds.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-B", kit, repository.path / "entry"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *rows, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert last == {"folds": 3, "failed": 0}
    for fold, row in enumerate(rows):
        tested = [number + 0.5 for number in range(30) if number % 3 == fold]
        mean = sum(number + 0.5 for number in range(30) if number % 3 != fold) / 20
        assert row["mae"] == pytest.approx(sum(abs(value - mean) for value in tested) / 10)


def test_sparse_data_are_filled_in(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    code, said = imported(repository, server, "t/100", "--name", "words")
    assert code == 0, said
    fold, reference = fold_folders(repository.path / "benchmarks/words", "words", 1)
    test = pd.read_parquet(fold / "test.parquet")
    truth = pd.read_parquet(reference / "truth.parquet")
    own = [row for row in range(30) if row % 3 == 1]
    assert test["one"].tolist() == [2.0 if row % 5 == 0 else 0.0 for row in own]
    assert test["two"].isna().tolist() == [row == 1 for row in own]
    assert test["shade"].tolist() == ["dark" if row % 7 == 0 else "none" for row in own]
    assert truth["truth"].tolist() == ["yes" if row < 25 and row % 2 else "no" for row in own]


def test_parquet_is_taken_where_there_is_no_arff(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    folders = []
    for number, name in ((70, "small"), (110, "stored")):
        code, said = imported(repository, server, f"t/{number}", "--name", name, "--folds", "3")
        assert code == 0, said
        folders.append((repository.path / "benchmarks" / name, name))
    for fold in range(3):
        beside, alone = (pd.read_parquet(fold_folders(*folder, fold)[0] / "train.parquet")
                         for folder in folders)  # fmt: skip
        pd.testing.assert_frame_equal(beside, alone.astype({"a": "int64"}))
    about = json.loads((repository.path / "benchmarks/stored/openml.json").read_text())
    assert about["tasks"]["stored"]["dataset"]["format"] == "parquet"
    assert len(about["tasks"]["stored"]["data_sha256"]) == 64


@pytest.mark.slow
def test_what_cannot_be_taken_is_named_with_what_to_do(
    server: OpenMLServer, repository: Repository
) -> None:
    gone, cut = stored(number=12, name="gone"), stored(number=13, name="cut")
    server.add(
        ServedTask(id=80, dataset=7, folds=small_task().folds, kind=3),
        ServedTask(id=81, dataset=7, folds=small_task().folds, kind=5),
        ServedTask(id=82, dataset=7, folds=small_task().folds, kind=4),
        gone, small_task(number=120, dataset=12), cut, small_task(number=130, dataset=13),
        ServedSuite(id=6, alias="odd", name="Odd", tasks=[70, 80, 81, 82, 120, 130]),
    )  # fmt: skip
    server.hurt(r"/datasets/12/", Fault(status=404, body="gone"))
    server.hurt(r"/datasets/13/", Fault(keep=200))
    code, said = imported(repository, server, "odd")
    assert code == 1
    for text in (
        "t/80: task 80 on data set 7 is one of learning curve",
        "t/81: task 81 on data set 7 is one of clustering", "t/82: task 82: ", "t/120", "t/130",
        "Leave it out: -t names the tasks to take.",
    ):  # fmt: skip
        assert text in said
    assert not (repository.path / "benchmarks").exists()
    server.asked.clear()
    code, said = imported(repository, server, "odd", "-t", "t/70")
    assert code == 0, said
    assert [line for line in server.asked if "study" not in line] == [], "it was kept"
