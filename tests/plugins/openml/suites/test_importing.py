"""A suite in suites/ becomes a benchmark, wherever its repository lies."""

import json
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest
import yaml

from evaluator.plugins.openml.suites.importing import deal
from tests.importing.calling import pullbench
from tests.importing.laid_out import fold_folders
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository

WHEEL = "some_tables-1.2-py3-none-any.whl"


def lines(rows: int) -> str:
    body = [f"{row // 6 % 5},{'xyz'[row // 6 % 3]},c{row % 3}" for row in range(rows)]
    return "\n".join(["a,b,class", *body]) + "\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.write("README.md", "Benchmarks.\n")
    made.write("data/good.csv", lines(600))
    made.write(".gitignore", "build/\n")
    packages = made.path / "build" / "packages"
    packages.mkdir(parents=True)
    with zipfile.ZipFile(packages / WHEEL, "w") as archive:
        archive.writestr("some_tables/raw/packed.csv", lines(660))
    made.commit()
    return made


def call(repository: Repository, *arguments: str, code: int = 0) -> str:
    found, text = pullbench(repository.path, *arguments)
    assert found == code, text
    return text


def sources(repository: Repository) -> dict[str, str]:
    suite = yaml.safe_load((repository.path / "suites/mine.yaml").read_text())
    return {member["name"]: member["source"] for member in suite["members"]}


def test_a_suite_becomes_a_benchmark_in_another_clone(
    repository: Repository, tmp_path: Path
) -> None:
    wheel = repository.path / "build/packages" / WHEEL
    call(repository, "suite", "create", "mine", str(repository.path / "data"),
         f"{wheel}!some_tables/raw")  # fmt: skip
    assert sources(repository) == {
        "good": "data/good.csv", "packed": "pypi:some-tables==1.2!some_tables/raw/packed.csv",
    }  # fmt: skip
    repository.commit("Suite")
    assert repository.problems() == []
    other = Repository(tmp_path / "other")
    shutil.copytree(repository.path, other.path, dirs_exist_ok=True)
    text = call(other, "import", "suite", "mine", "--folds", "3", "--in-git")
    assert "packed: 3 folds written" in text
    other.commit("Benchmark")
    assert other.problems() == []
    folder = other.path / "benchmarks/mine"
    for name, rows in (("good", 600), ("packed", 660)):
        tested = 0
        for fold in range(3):
            inputs, reference = fold_folders(folder, name, fold)
            test = pd.read_parquet(inputs / "test.parquet")
            truth = pd.read_parquet(reference / "truth.parquet")
            assert list(test.columns) == ["a", "b"]
            counts = truth["truth"].value_counts()
            assert counts.max() - counts.min() <= 1
            tested += len(test)
        assert tested == rows
        about = json.loads((inputs / "dataset.json").read_text())
        assert about["type"] == "multiclass"
    assert "`pypi:some-tables==1.2!some_tables/raw/packed.csv`" in (
        folder / "overview.md"
    ).read_text()  # fmt: skip
    assert (folder / "suite.yaml").read_bytes() == (other.path / "suites/mine.yaml").read_bytes()


def test_what_is_no_longer_the_same_is_refused_by_name(repository: Repository) -> None:
    call(repository, "suite", "create", "mine", "data")
    repository.write("data/good.csv", lines(606))
    text = call(repository, "import", "suite", "mine", code=1)
    assert "members.good: 'good' is not what it was: data/good.csv has other values" in text
    assert not (repository.path / "benchmarks/mine").exists()


def test_sources_of_one_machine_are_named(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.csv").write_text(lines(600))
    call(repository, "suite", "create", "mine", str(tmp_path / "elsewhere.csv"))
    repository.commit("Suite")
    (problem,) = repository.problems()
    assert problem.severity == "warning"
    assert "has sources of one machine alone" in problem.message


def test_tasks_of_a_server_have_its_official_splits(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    text = call(repository, "suite", "create", "mine", "t/3", "--server", server.api)
    assert "version 1, 1 data set" in text
    text = call(repository, "import", "suite", "mine", "--folds", "2", "--server", server.api)
    folder = repository.path / "benchmarks/mine"
    (about,) = folder.glob("**/reference_data/*/dataset.json")
    assert json.loads(about.read_text())["openml_task_id"] == 3


def test_folds_are_dealt_class_by_class() -> None:
    target = pd.Series(["x"] * 10 + ["y"] * 5)
    folds = deal("name", target, 5, classes=True)
    assert [len(fold.test) for fold in folds] == [3] * 5
    assert all((target[fold.test] == "y").sum() == 1 for fold in folds)
    assert [fold.test.tolist() for fold in folds] == [
        fold.test.tolist() for fold in deal("name", target, 5, classes=True)
    ]
