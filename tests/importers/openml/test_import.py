"""The unmodified package `openml` on a loopback server: cold, warm, truncated, slow, dead."""

import json
from pathlib import Path

import pandas as pd
import pytest

from evaluator.errors import InvalidInputError, PlatformError
from evaluator.importers.openml.client import Client
from evaluator.importers.openml.fetching import fetch_tasks
from tests.importers.openml.sources import chess, official_folds, small, small_task
from tests.openml_server import (
    Column,
    Fault,
    OpenMLServer,
    ServedDataset,
    ServedSuite,
    ServedTask,
)
from tests.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("README.md", "Benchmarks.\n")
    made.commit()
    return made


def imported(repository: Repository, server: OpenMLServer, *arguments: str) -> tuple[int, str]:
    done = repository.pullbench(
        "import", "openml", *arguments, "--server", server.api, "--timeout", "120"
    )
    return done.returncode, done.stdout + done.stderr


def test_a_task_becomes_a_benchmark_with_official_splits(
    server: OpenMLServer, repository: Repository
) -> None:
    code, said = imported(repository, server, "t/3", "--name", "chess")
    assert code == 0, said
    assert "benchmarks/chess: 1 tasks of 10 folds" in said
    bundle = repository.path / "benchmarks/chess"
    own = chess()
    answers = list(own.columns[-1].values)
    for fold in range(10):
        rows = [row for row, tested in enumerate(official_folds()) if tested == fold]
        train = pd.read_parquet(bundle / f"input_data/kr-vs-kp/{fold}/train.parquet")
        test = pd.read_parquet(bundle / f"input_data/kr-vs-kp/{fold}/test.parquet")
        truth = pd.read_parquet(bundle / f"reference_data/kr-vs-kp/{fold}/truth.parquet")
        assert (len(train), len(test)) == (3196 - len(rows), len(rows))
        assert "class" in train.columns
        assert "class" not in test.columns
        assert truth["truth"].astype(str).tolist() == [answers[row] for row in rows]
    meta = json.loads((bundle / "input_data/kr-vs-kp/0/dataset.json").read_text())
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


def test_all_repeats_of_a_suite_and_its_types(server: OpenMLServer, repository: Repository) -> None:
    server.add(
        small(name="Small.2", number=8), small_task(number=71, dataset=8),
        ServedSuite(id=5, alias="pair", name="A pair", tasks=[70, 71]),
    )  # fmt: skip
    code, said = imported(repository, server, "pair")
    assert code == 0, said
    bundle = repository.path / "benchmarks/a-pair"
    assert sorted(path.name for path in (bundle / "input_data").iterdir()) == ["small", "small-2"]
    folds = sorted(path.name for path in (bundle / "input_data/small").iterdir())
    assert folds == ["0", "1", "2", "3", "4", "5"]
    train = pd.read_parquet(bundle / "input_data/small/4/train.parquet")
    assert "row" not in train.columns
    assert list(train["b"].cat.categories) == ["red", "blue", "1"]
    assert train["a"].dtype == "int64"
    where = json.loads((bundle / "reference_data/small/4/rows.json").read_text())
    assert (where["repeat"], where["fold"]) == (1, 1)
    wanted = [row for row, fold in enumerate(server.tasks[70].folds[1]) if fold == 1]
    assert where["rows"] == wanted
    meta = json.loads((bundle / "input_data/small/4/dataset.json").read_text())
    assert (meta["type"], meta["classes"]) == ("multiclass", ["one", "ten", "two"])


def test_different_numbers_of_folds_need_a_word(
    server: OpenMLServer, repository: Repository
) -> None:
    code, said = imported(repository, server, "s/99")
    assert code == 2
    assert "6 to 10 folds" in said
    code, said = imported(repository, server, "s/99", "--folds", "2", "--private")
    assert code == 2
    assert "data" in said
    repository.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    code, said = imported(repository, server, "openml/s/99", "--folds", "2", "--private")
    assert code == 0, said
    assert not (repository.path / "benchmarks/two-tasks/input_data").exists()
    held = repository.path / "build/data/two-tasks/reference_data/kr-vs-kp"
    assert sorted(path.name for path in held.iterdir()) == ["0", "1"]
    assert repository.problems() == []


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
        78: (r"nothing", Fault(), ""),
    }
    for number, (pattern, fault, _) in faults.items():
        server.add(small(number=number, name=f"set{number}x"))
        server.add(small_task(number=number, dataset=number, repeats=1))
        server.hurt(pattern, fault)
    with pytest.raises(InvalidInputError) as caught:
        fetch_tasks(Client(server=server.api, seconds=12), list(faults), tmp_path)
    lines = str(caught.value).splitlines()
    for number, (_, _, text) in faults.items():
        own = [line for line in lines if f"t/{number}:" in line]
        assert any(text in line for line in own) is bool(text), (number, lines)
    assert {path.parent.name for path in tmp_path.rglob("*.parquet")} == {"t78"}


def test_a_server_that_is_gone_is_the_platforms(tmp_path: Path) -> None:
    client = Client(server="http://127.0.0.1:9/api/v1/xml", seconds=60)
    with pytest.raises(PlatformError, match="cannot be read"):
        fetch_tasks(client, [3], tmp_path)


def test_one_bad_task_keeps_the_good_ones(server: OpenMLServer, tmp_path: Path) -> None:
    client = Client(server=server.api, seconds=90)
    server.hurt(r"api_splits/get/3/", Fault(keep=100_000))
    with pytest.raises(InvalidInputError) as caught:
        fetch_tasks(client, [70, 3, 4], tmp_path)
    said = str(caught.value)
    assert "t/3" in said
    assert "Unknown task" in said
    server.mend()
    server.asked.clear()
    found = fetch_tasks(client, [70, 3], tmp_path)
    assert [task.rows for task in found] == [30, 3196]
    assert not any("task/70" in line for line in server.asked)


def test_nobodys_key_and_cache_are_used(
    server: OpenMLServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    (home / ".config/openml").mkdir(parents=True)
    (home / ".config/openml/config").write_text("apikey = my-secret\n")
    cache = home / "cache"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("OPENML_CACHE_DIR", str(cache))
    fetch_tasks(Client(server=server.api, seconds=90), [70], tmp_path / "kept")
    assert not cache.exists()
    assert not any("my-secret" in line for line in server.asked)
    assert not list((tmp_path / "kept").rglob("*.pkl*"))
    assert [path.name for path in home.iterdir()] == [".config"]


def test_a_kept_file_that_changed_is_fetched_again(server: OpenMLServer, tmp_path: Path) -> None:
    client = Client(server=server.api, seconds=90)
    (task,) = fetch_tasks(client, [70], tmp_path)
    task.data.write_bytes(task.data.read_bytes() + b"x")
    server.asked.clear()
    (again,) = fetch_tasks(client, [70], tmp_path)
    assert server.asked
    assert again.data_sha256 == task.data_sha256


def test_a_word_that_is_no_source_is_said_at_once(repository: Repository) -> None:
    done = repository.pullbench("import", "openml", "271")
    assert done.returncode == 2
    assert "Write s/271" in done.stderr


def test_regression_and_the_spelling_of_levels(
    server: OpenMLServer, repository: Repository
) -> None:
    rows = range(30)
    server.add(
        ServedDataset(
            id=9, name="prices", target="price",
            columns=[
                Column(name="sold", levels=("TRUE", "FALSE"),
                       values=[("TRUE", "FALSE")[row % 2] for row in rows]),
                Column(name="size", values=["?" if row == 3 else str(row) for row in rows]),
                Column(name="code", levels=("1", "02", "3"),
                       values=[("1", "02", "3")[row % 3] for row in rows]),
                Column(name="price", values=[f"{row}.5" for row in rows]),
            ],
        ),
        ServedTask(id=90, dataset=9, regression=True, folds=[[row % 3 for row in rows]]),
    )  # fmt: skip
    code, said = imported(repository, server, "t/90", "--name", "prices")
    assert code == 0, said
    fold = repository.path / "benchmarks/prices/input_data/prices/0"
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
    truth = pd.read_parquet(fold.parents[2] / "reference_data/prices/0/truth.parquet")
    assert truth["truth"].tolist() == [row + 0.5 for row in rows if row % 3 == 0]
    board = (repository.path / "benchmarks/prices/competition.yaml").read_text()
    assert "key: rmse" in board
    assert "key: logloss" not in board
