"""Tasks of OpenML in definitions, and suites of OpenML in the place of one."""

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evaluator.core.formats.schema import read_yaml
from evaluator.plugins.openml.exports.amlb_results import amlb_results
from tests.importing.laid_out import fold_folders
from tests.plugins.openml.amlb.files import Definitions
from tests.plugins.openml.openml_kept import Fetched
from tests.plugins.openml.openml_sources import chess, official_folds
from tests.records import write_records

# As AMLB's own definitions have them, with the data set of a file among them.
MIXED = """---
- name: __defaults__
  folds: 2
  cores: 2
  max_runtime_seconds: 60

- name: kr-vs-kp
  openml_task_id: 3
  folds: 3

- name: Prices
  openml_task_id: 90
  metric: [mae, rmse]

- name: three.classes
  openml_task_id: 70
  id: mine

- name: file
  dataset: '{user}/data/multi'
"""


@pytest.fixture
def repo(tmp_path: Path) -> Definitions:
    return Definitions(tmp_path)


def meta(repo: Definitions, task: str, fold: int = 0, name: str = "mine") -> dict[str, Any]:
    inputs, _ = fold_folders(repo.path / "benchmarks" / name, task, fold)
    found: dict[str, Any] = json.loads((inputs / "dataset.json").read_text())
    return found


def competition(repo: Definitions, name: str) -> dict[str, Any]:
    from evaluator.core.errors import Actor

    file = repo.path / f"benchmarks/{name}/competition.yaml"
    found: dict[str, Any] = read_yaml(file.read_bytes(), file.name, Actor.ORGANISER).data
    return found


def test_tasks_of_openml_and_files_make_one_bundle(repo: Definitions, fetched: Fetched) -> None:
    server = fetched.give(repo)
    repo.define(MIXED, "1h8c", "--server", server.api)
    assert server.asked == []
    bundle = repo.path / "benchmarks/mine"
    answers = list(chess().columns[-1].values)
    for fold in range(3):
        rows = [row for row, tested in enumerate(official_folds()) if tested == fold]
        _, reference = fold_folders(bundle, "kr-vs-kp", fold)
        truth = pd.read_parquet(reference / "truth.parquet")
        assert truth["truth"].astype(str).tolist() == [answers[row] for row in rows]
        where = json.loads((reference / "rows.json").read_text())
        assert (where["task"], where["fold"], where["rows"]) == (3, fold, rows)
    assert not (bundle / "reference_data/kr-vs-kp/3").exists()
    about = meta(repo, "kr-vs-kp", 1)
    assert (about["id"], about["openml_task_id"], about["fold"]) == ("openml.org/t/3", 3, 1)
    assert about["budget"]["max_runtime_seconds"] == 60
    assert about["metrics"] == ["auc", "logloss", "acc", "balacc"]
    assert (meta(repo, "prices")["type"], meta(repo, "prices")["metrics"]) == (
        "regression", ["mae", "rmse"],
    )  # fmt: skip
    several = meta(repo, "three-classes")
    assert (several["id"], several["name"]) == ("mine", "three_classes")
    assert several["classes"] == ["one", "ten", "two"]
    folds = sorted(path.parent.name for path in bundle.glob("reference_data/three-classes/*/"
                                                            "rows.json"))  # fmt: skip
    assert folds == ["0", "1"], "the first repeat alone, as AMLB runs it"
    about = json.loads((bundle / "openml.json").read_text())
    assert {name: item["task"] for name, item in about["tasks"].items()} == {
        "kr-vs-kp": 3, "prices": 90, "three-classes": 70,
    }  # fmt: skip
    assert all(len(item["splits_sha256"]) == 64 for item in about["tasks"].values())
    extension = competition(repo, "mine")["pullbench"]
    assert (extension["repeats"], extension["repeat_data"]) == (3, "rows")
    own = [by_task.get("repeat_data") for by_task in extension["tasks"].values()]
    assert own.count(True) == 1, "files of folds stay folders"
    repo.commit()
    assert [p for p in repo.problems() if p.severity == "error"] == []


def test_a_suite_and_a_task_stand_for_a_definition(repo: Definitions, fetched: Fetched) -> None:
    server = fetched.give(repo)
    api = ("--server", server.api)
    said = repo.bring("amlb", "openml/s/99", "test", *api, "-f", "1", "--name", "two")
    assert "small: 2 folds" not in said
    found = competition(repo, "two")
    assert [task["name"] for task in found["tasks"]] == ["kr-vs-kp", "small"]
    assert found["phases"][0]["execution_time_limit"] == 1200
    assert found["pullbench"]["limits"]["cpus"] == 4.0
    assert (meta(repo, "kr-vs-kp", 0, "two")["fold"], meta(repo, "small", 0, "two")["fold"]) == (
        1, 1,
    )  # fmt: skip
    repo.bring("amlb", "openml/t/90", "1h4c", *api, "-f", "0")
    assert meta(repo, "prices", 0, "openml-t-90")["name"] == "prices"
    said = repo.bring("amlb", "openml/t/90", "1h4c", *api, "--force")
    assert "10 folds are asked for; its data have 3" in said
    repo.commit()
    assert [p for p in repo.problems() if p.severity == "error"] == []


def test_data_of_both_kinds_go_below_the_data_folder(repo: Definitions, fetched: Fetched) -> None:
    server = fetched.give(repo)
    repo.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    repo.define(MIXED, "--private", "--server", server.api)
    assert not (repo.path / "benchmarks/mine/input_data").exists()
    held = repo.path / "build/data/mine"
    assert [path.name for path in (held / "input_data").iterdir()] == ["file"]
    assert sorted(path.name for path in (held / "reference_data").iterdir()) == [
        "file", "kr-vs-kp", "prices", "three-classes",
    ]  # fmt: skip
    repo.commit()
    assert [p for p in repo.problems() if p.severity == "error"] == []
    benchmark = repo.snapshot().benchmarks["mine"]
    assert [len(task.private) for task in benchmark.tasks] == [1, 1, 1, 2]


def test_amlbs_table_knows_folds_whose_data_are_not_in_git(
    repo: Definitions, fetched: Fetched
) -> None:
    server = fetched.give(repo)
    repo.write("pyproject.toml", '[tool.pullbench]\ndata = "build/data"\n')
    repo.define(MIXED, "1h4c", "--private", "--seed", "7", "-f", "1", "--server", server.api)
    repo.write("submissions/mine/me/one/submission.yaml", "kind: code\n")
    repo.write("submissions/mine/me/one/model.py", "class Model:\n    pass\n")
    repo.commit()
    write_records(repo)
    shutil.rmtree(repo.path / "build/data")
    rows, _ = amlb_results(repo.path, "mine")
    assert {row.task for row in rows} == {"file", "kr-vs-kp", "Prices", "three_classes"}
    for row in rows:
        assert (row.fold, row.texts["constraint"], row.numbers["seed"]) == (1, "1h4c", 8), row.task
        assert row.texts["type"] in ("binary", "multiclass", "regression")
        assert row.metric


def test_faults_of_the_server_and_of_files_are_told_together(
    repo: Definitions, fetched: Fetched
) -> None:
    server = fetched.give(repo)
    said = repo.define(
        MIXED + "- {name: gone, openml_task_id: 4}\n- {name: nowhere, dataset: '{user}/x'}\n",
        "--server", server.api, code=1,
    )  # fmt: skip
    assert "t/4: " in said
    assert "Unknown task" in said
    assert "mine.yaml: nowhere: '{user}/x' is not there" in said
    assert not (repo.path / "benchmarks").exists()


def test_splits_that_a_server_changed_are_refused(repo: Definitions, fetched: Fetched) -> None:
    server = fetched.give(repo)
    repo.define(MIXED, "--server", server.api)
    file = repo.path / "benchmarks/mine/openml.json"
    about = json.loads(file.read_text())
    about["tasks"]["prices"]["splits_sha256"] = "0" * 64
    file.write_text(json.dumps(about))
    said = repo.define(MIXED, "--server", server.api, "--force", code=1)
    assert "the splits of t/90 are no longer those of benchmarks/mine" in said
