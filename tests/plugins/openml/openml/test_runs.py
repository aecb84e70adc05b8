"""A benchmark made from a server is evaluated in containers, which need no server."""

import csv
import io
from collections.abc import Iterable

import pytest

from evaluator.core.formats.record import Record
from evaluator.plugins.openml.exports.amlb_results import stored_predictions
from evaluator.plugins.openml.tabular.bundle import IMAGE
from tests.importing.calling import pullbench
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository

MODEL = """
from pathlib import Path

from sklearn.tree import DecisionTreeClassifier


class Model(DecisionTreeClassifier):
    def __init__(self):
        super().__init__()

    def fit(self, X, y):
        seen = sorted(path.name for path in Path("/app").rglob("*.[jp]*") if path.suffix != ".py")
        assert seen == ["dataset.json", "test.parquet", "train.parquet"], seen
        return super().fit(X[["a"]], y)

    def predict(self, X):
        return super().predict(X[["a"]])

    def predict_proba(self, X):
        return super().predict_proba(X[["a"]])
"""


def run_as_folders(repository: Repository) -> dict[int | None, dict[str, float]]:
    """Return the scores of what `export` makes of the benchmark, with a folder for each fold."""
    archive = repository.path / "build/small.zip"
    code, said = pullbench(
        repository.path,
        "export",
        "small",
        "--image",
        "python:3.11-slim",
        "--output",
        str(archive),
    )
    assert code == 0, said
    assert "the folds of 'small' are rows of a table: in the zip each has its own files" in said
    code, said = pullbench(repository.path, "import", str(archive), "--name", "folders")
    assert code == 0, said
    folder = repository.path / "benchmarks/folders"
    names = sorted(path.name for path in (folder / "input_data/small/2").iterdir())
    assert names == ["dataset.json", "test.parquet", "train.parquet"]
    assert not list(folder.rglob("table.parquet"))
    repository.replace("benchmarks/folders/competition.yaml", "python:3.11-slim", IMAGE)
    repository.write("submissions/folders/ann/tree/model.py", MODEL)
    repository.write("submissions/folders/ann/tree/submission.yaml", "kind: code\n")
    repository.commit("Folders")
    return scores_by_fold(
        record for record in repository.run().values() if record.cell.benchmark == "folders"
    )


def scores_by_fold(records: Iterable[Record]) -> dict[int | None, dict[str, float]]:
    return {record.cell.repeat: record.scores for record in records}


@pytest.mark.slow
@pytest.mark.docker
def test_a_benchmark_needs_no_server(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    api = ("--server", server.api)
    code, said = pullbench(repository.path, "import", "openml", "t/72", "--name", "small", *api)
    assert code == 0, said
    repository.write("submissions/small/ann/tree/model.py", MODEL)
    repository.write("submissions/small/ann/tree/submission.yaml", "kind: code\nname: A tree\n")
    repository.commit()
    server.url, address = "http://127.0.0.1:9", server.url  # evaluation needs no server
    records = repository.run()
    server.url = address
    assert len(records) == 3
    assert {record.status for record in records.values()} == {"finished"}
    assert run_as_folders(repository) == scores_by_fold(records.values())

    answers = list(server.datasets[7].columns[-1].values)
    exported = dict(stored_predictions(repository.path, "small"))
    for fold in range(3):
        (content,) = [content for path, content in exported.items()
                      if path.endswith(f"/small/{fold}/predictions.csv")]  # fmt: skip
        truth = [row["truth"] for row in csv.DictReader(io.StringIO(content.decode()))]
        assert truth == [answer for row, answer in enumerate(answers) if row // 3 % 3 == fold]
