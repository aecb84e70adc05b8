"""Collections in folders, files, packages and wheels."""

import zipfile
from pathlib import Path

import pandas as pd
import pytest

from evaluator.core.errors import InvalidInputError, UsageError
from evaluator.plugins.openml.suites.collections import read_collection
from evaluator.plugins.openml.suites.tables import SourceTable
from evaluator.plugins.openml.tasks.client import OpenmlClient

CSV = "a,Class,b\n1,x,?\n2,y,red\n"
ARFF = "@relation r\n@attribute n numeric\n@attribute kind {u,v}\n@data\n1,u\n2,v\n"
SPARSE = "@relation r\n@attribute n numeric\n@attribute kind {u,v}\n@data\n{0 1}\n{0 2,1 v}\n"


def read(folder: Path, *words: str, target: str | None = None) -> list[SourceTable]:
    return read_collection(words, folder, root=folder, client=OpenmlClient(), target=target)


def test_every_form_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(CSV)
    (tmp_path / "two.arff").write_text(ARFF)
    (tmp_path / "three.arff").write_text(SPARSE)
    pd.DataFrame({"target": [1, 2], "z": [0.5, 1.5]}).to_parquet(tmp_path / "four.parquet")
    (tmp_path / "five.dat").write_text("1, x, yes\n2, y, no\n")
    (tmp_path / "notes.txt").write_text("no data")
    found = {table.name: table for table in read(tmp_path, ".")}
    assert {name: table.target for name, table in found.items()} == {
        "one": "Class", "two": "kind", "three": "kind", "four": "target", "five": "class",
    }  # fmt: skip
    assert found["one"].nominal() == ["b"]
    assert found["one"].frame["b"].isna().tolist() == [True, False]
    assert (found["three"].sparse, found["two"].sparse) == (True, False)
    assert found["five"].nominal() == ["c1"]
    assert found["one"].source == "./one.csv"


def test_a_wheel_and_a_package(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "p.whl", "w") as archive:
        archive.writestr("p/data/one.csv", CSV)
        archive.writestr("p/other/two.csv", CSV)
    (table,) = read(tmp_path, "p.whl!p/data")
    assert (table.name, table.source) == ("one", "p.whl!p/data/one.csv")
    (iris,) = read(tmp_path, "package:sklearn/datasets/data/iris.csv")
    assert (iris.name, len(iris.frame)) == ("iris", 150)


def test_all_faults_are_said_together(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("only\n1\n")
    (tmp_path / "two.arff").write_text("@relation r\n@attribute\n@data\n")
    (tmp_path / "three.csv").write_text(CSV)
    with pytest.raises(InvalidInputError) as caught:
        read(tmp_path, ".", target="Class")
    assert [problem.file for problem in caught.value.problems] == ["./one.csv", "./two.arff"]
    with pytest.raises(UsageError, match="no package"):
        read(tmp_path, "package:nowhere/data")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no data sets"):
        read(tmp_path, "empty")
