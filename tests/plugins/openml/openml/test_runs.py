"""A benchmark made from a server is evaluated in containers, and its runs go back there."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

import arff
import pytest

from evaluator.core.errors import PullbenchError
from evaluator.core.formats.record import Record
from evaluator.plugins.openml.exports.amlb_results import stored_predictions
from evaluator.plugins.openml.suites.publishing import FoldFiles, run_of
from evaluator.plugins.openml.tabular.bundle import IMAGE
from tests.core.importers.calling import pullbench
from tests.openml_server import KEY
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


@pytest.mark.docker
def test_runs_of_whole_tasks_are_uploaded(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    api = ("--server", server.api)
    code, said = pullbench(repository.path, "import", "openml", "t/72", "--name", "small", *api)
    assert code == 0, said
    repository.write("submissions/small/ann/tree/model.py", MODEL)
    repository.write("submissions/small/ann/tree/submission.yaml", "kind: code\nname: A tree\n")
    repository.commit()
    publish = ("suite", "publish-runs", "small/ann/tree", *api)
    code, said = pullbench(repository.path, *publish, key=KEY)
    assert code == 1
    assert "small is not published: fold 0 has no record; fold 1 has no record" in said
    assert "takes none on some of the folds" in said

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

    code, said = pullbench(repository.path, *publish, key=KEY)
    assert code == 0, said
    (form,) = server.runs.values()
    repository.commit()
    repository.take_off(repository.records()["small/ann/tree/final/small.1"].cell)
    code, said = pullbench(repository.path, *publish, key=KEY)
    assert (code, len(server.runs)) == (1, 1)
    assert "small is not published: fold 1 has no record. A server" in said
    read = arff.loads(form["predictions"])
    names = [name for name, _ in read["attributes"]]
    assert names == ["repeat", "fold", "sample", "row_id", "prediction", "correct",
                     "confidence.two", "confidence.one", "confidence.ten"]  # fmt: skip
    assert sorted(int(row[3]) for row in read["data"]) == list(range(30))
    for row in read["data"]:
        assert server.tasks[72].folds[0][int(row[3])] == int(row[1])
        assert row[5] == answers[int(row[3])]
        assert sum(row[6:]) == pytest.approx(1)
    right = sum(row[4] == row[5] for row in read["data"]) / 30
    scores = [record.scores["acc"] for record in records.values()]
    assert sum(scores) / 3 == pytest.approx(right)
    assert "<oml:task_id>72</oml:task_id>" in form["description"]
    assert "pullbench.small.ann.tree" in next(iter(server.flows.values()))


def test_a_run_on_some_of_the_folds_is_not_sent(tmp_path: Path) -> None:
    reference = tmp_path / "ref"
    reference.mkdir()
    (reference / "dataset.json").write_text('{"classes": ["a", "b"]}')
    files = FoldFiles(predictions=tmp_path / "predictions.csv", reference=reference)
    with pytest.raises(PullbenchError, match="which rows"):
        run_of("flow", "1", "text", [files])
    (reference / "rows.json").write_text('{"task": 3, "dataset": 3, "folds": 10}')
    with pytest.raises(PullbenchError, match="1 folds of the task, not all 10"):
        run_of("flow", "1", "text", [files])
