"""Definitions and data sets of the AutoML Benchmark in all their forms, made on the spot."""

import tarfile
import zipfile
from pathlib import Path

from tests.importing.calling import pullbench
from tests.repository import Repository

HEAD = "length,width,colour,species\n"
ROWS = [
    f"{4 + i % 7}.{i % 10},{i % 5},{('Red', 'blue')[i % 2]},Kind-{'abc'[i % 3]}" for i in range(60)
]


def csv(first: int, last: int) -> str:
    """A table of three classes."""
    return HEAD + "\n".join(ROWS[first:last]) + "\n"


def arff(first: int, last: int) -> str:
    """The same rows, with ``class`` as the target's name and one level that does not occur."""
    head = (
        "@RELATION iris\n@ATTRIBUTE length REAL\n@ATTRIBUTE width INTEGER\n"
        "@ATTRIBUTE colour {Red,blue,green}\n@ATTRIBUTE class {Kind-a,Kind-b,Kind-c}\n@DATA\n"
    )
    return head + "\n".join(ROWS[first:last]) + "\n"


def write_data(user: Path) -> None:
    """Write files in every form that AMLB's own filedatasets.yaml names."""
    data = user / "data"
    for name in ("single", "multi"):
        (data / name).mkdir(parents=True)
    (data / "Train.csv").write_text(csv(0, 40))
    (data / "Test.csv").write_text(csv(40, 60))
    (data / "Train.arff").write_text(arff(0, 40))
    (data / "Test.arff").write_text(arff(40, 60))
    (data / "single/iris_train.csv").write_text(csv(20, 60))
    (data / "single/iris_test.csv").write_text(csv(0, 20))
    for fold in range(3):
        test = range(fold * 20, fold * 20 + 20)
        train = [row for i, row in enumerate(ROWS) if i not in test]
        (data / f"multi/iris_train_{fold}.csv").write_text(HEAD + "\n".join(train) + "\n")
        (data / f"multi/iris_test_{fold}.csv").write_text(csv(fold * 20, fold * 20 + 20))
    with zipfile.ZipFile(data / "iris.zip", "w") as archive:
        for file in sorted((data / "single").iterdir()):
            archive.write(file, f"inside/{file.name}")
    with tarfile.open(data / "iris.tgz", "w:gz") as packed:
        packed.add(data / "multi", "multi")


DEFINITION = """---
- name: iris_csv
  dataset:
    train: '{user}/data/Train.csv'
    test: '{user}/data/Test.csv'
    target: species
  folds: 1
- name: iris_arff
  dataset:
    train: '{user}/data/Train.arff'
    test: '{user}/data/Test.arff'
  folds: 1
- name: iris_lists
  dataset:
    train: ['{user}/data/Train.csv', '{user}/data/single/iris_train.csv']
    test: ['{user}/data/Test.csv', '{user}/data/single/iris_test.csv']
    target: species
  folds: 2
- name: iris_dir
  dataset:
    path: '{user}/data/single'
    target: species
  folds: 1
- name: iris_dir_minimal
  dataset: '{user}/data/single'
  folds: 1
- name: iris_dirs
  dataset: '{user}/data/multi'
  folds: 3
- name: iris_zip
  dataset:
    path: '{user}/data/iris.zip'
    target: species
  folds: 1
- name: iris.tgz
  dataset: '{user}/data/iris.tgz'
  folds: 3
- name: iris_off
  enabled: false
  dataset: '{user}/data/nowhere'
"""


class Definitions(Repository):
    """A repository, with a folder of definitions and data beside it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path / "repo")
        self.user = path / "user"
        write_data(self.user)

    def define(self, text: str, *arguments: str, code: int = 0) -> str:
        """Import a definition; returns what is said."""
        file = self.user / "mine.yaml"
        file.write_text(text)
        return self.bring("amlb", str(file), *arguments, "--userdir", str(self.user), code=code)

    def bring(self, *arguments: str, code: int = 0) -> str:
        """Call ``pullbench import``."""
        found, said = pullbench(self.path, "import", *arguments)
        assert found == code, said
        return said
