"""Results both ways by the command line: AMLB's tables and predictions, runs of OpenML."""

import csv
import io
import json
import math
import shutil
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluator.core.cli import cli
from evaluator.core.compute.store import PredictionStore
from evaluator.core.errors import Actor, InvalidInputError, UsageError
from evaluator.core.formats.record import Reason, Step
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from tests.plugins.openml.exchange.test_amlb_table import AMLB
from tests.records import failed, record_of
from tests.repository import Repository

BUNDLE = """\
version: 2
title: Both ways
image: logo.png
terms: terms.md
pages: []
tasks:
  - {index: 0, name: kc2, scoring_program: scoring, ingestion_program: ingestion,
     input_data: in/kc2}
  - {index: 1, name: iris, scoring_program: scoring, ingestion_program: ingestion}
phases:
  - {index: 0, name: Final, start: 2020-01-01, tasks: [0, 1]}
leaderboards:
  - title: Results
    key: results
    submission_rule: Force_Latest_Multiple
    columns:
      - {title: Result, key: result, index: 0, sorting: desc}
      - {title: AUC, key: auc, index: 1, sorting: desc}
      - {title: Log loss, key: logloss, index: 2, sorting: asc}
pullbench:
  repeats: 2
  reported: true
  columns: {auc: {optional: true}, logloss: {optional: true}}
  tasks: {0: {metrics: [auc, logloss]}, 1: {metrics: [neg_logloss]}}
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo")
    base = "benchmarks/both"
    made.write(f"{base}/competition.yaml", BUNDLE)
    made.write(f"{base}/logo.png", "x")
    made.write(f"{base}/terms.md", "x")
    for step in ("scoring", "ingestion"):
        made.write(f"{base}/{step}/metadata.yaml", "command: python x.py\n")
    meta = {
        "name": "kc2",
        "type": "binary",
        "metrics": ["auc", "logloss"],
        "id": "openml.org/t/3913",
        "constraint": "1h8c",
    }
    for fold in range(2):
        text = json.dumps({**meta, "fold": fold, "seed": 7 + fold})
        made.write(f"{base}/in/kc2/{fold}/dataset.json", text)
    made.commit("Bundle")
    assert [p for p in made.problems() if p.severity == "error"] == []
    return made


def run(repo: Repository, *arguments: str) -> str:
    result = CliRunner().invoke(cli, ["-C", str(repo.path), *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def board(repo: Repository) -> dict[str, dict[str, object]]:
    repo.commit("Results")
    assert [p for p in repo.problems() if p.severity == "error"] == []
    found = leaderboard_at(repo.path, "both", phase=None, task=None, at=None)
    return {
        row.submission.title: {
            task: result.error.message if result.error else dict(result.values)
            for task, result in row.tasks.items()
        }
        for row in found.rows
    }


def put(text: str, folder: Path) -> None:
    (folder / "predictions.csv").write_text(text)


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_amlbs_results_become_reported_ones_with_means_and_failures(
    repo: Repository, tmp_path: Path
) -> None:
    file = tmp_path / "results.csv"
    more = [  # kc2 has two folds, and iris has its first one; the table is appended to for ever
        "openml.org/t/3913,kc2,RandomForest,test,1,binary,0.8,auc,local,,,,,,,,,,,,0.8,,,",
        "openml.org/t/59,iris,RandomForest,test,0,multiclass,-0.5,neg_logloss,local,,,,,,,,,,,,,,0.5,",
        "openml.org/t/1,other,RandomForest,test,0,binary,0.8,auc,local,,,,,,,,,,,,0.8,,,",
    ]
    file.write_text(AMLB + "\n".join(more) + "\n")
    run(repo, "import", "amlb-results", str(file), "--benchmark", "both", "--url", "https://x.org")
    found = board(repo)
    assert found["RandomForest"] == {
        "kc2": pytest.approx({"result": (0.865801 + 0.8) / 2, "auc": (0.865801 + 0.8) / 2}),
        "iris": pytest.approx({"result": -0.26532285, "logloss": 0.26532285}),
    }
    said = str(found["Endless"]["iris"])
    assert said.startswith("2 of 2 folds failed; fold 0: NoResultError: Interrupting thread")
    kept = (repo.path / "submissions/both/amlb/randomforest/results.csv").read_text()
    assert [(row["task"], row["fold"]) for row in table(kept)] == [
        ("kc2", "0"), ("iris", "1"), ("kc2", "1"), ("iris", "0"),
    ]  # fmt: skip
    endless = (repo.path / "submissions/both/amlb/endless/results.csv").read_text()
    assert "after 10s timeout." in endless


def test_one_budget_at_a_time(repo: Repository, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    rows = "kc2,A,1h8c,0,0.5,auc\nKC2,A,4h8c,0,0.75,auc\n"
    file.write_text(f"task,framework,constraint,fold,result,metric\n{rows}")
    with pytest.raises(UsageError, match="2 constraints: 1h8c, 4h8c"):
        run(repo, "import", "amlb-results", str(file), "--benchmark", "both")
    run(repo, "import", "amlb-results", str(file), "--benchmark", "both", "--constraint", "4H8C")
    assert board(repo)["A"]["kc2"] == {"result": 0.75, "auc": 0.75}


UNITS = """\
task,framework,fold,result,metric,acc,logloss
kc2,A,0,0.9,acc,0.9,0.4
iris,A,0,0.9,acc,0.9,0.4
kc2,B,0,0.8,auc,,
iris,B,0,-0.25,neg_logloss,,
kc2,C,0,0.7,,,
iris,C,0,0.7,acc,,
"""


def test_a_result_of_another_metric_is_none_and_counted(repo: Repository, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(UNITS)
    said = run(repo, "import", "amlb-results", str(file), "--benchmark", "both")
    for line in ("1 row of acc have no Result: on their tasks it is auc",
                 "1 row of no metric have no Result: on their tasks it is auc",
                 "1 row of acc have no Result: on their tasks it is neg_logloss",
                 "left out, with no value of any column: C"):  # fmt: skip
        assert line in said
    assert board(repo) == {
        # The loss of iris is known, and its negation is what ranks there.
        "A": {"kc2": {"logloss": 0.4}, "iris": {"result": -0.4, "logloss": 0.4}},
        "B": {"kc2": {"result": 0.8, "auc": 0.8}, "iris": {"result": -0.25, "logloss": 0.25}},
    }
    rows = table(run(repo, "results", "both", "--format", "amlb"))
    assert {(r["framework"], r["task"], r["metric"], r["result"]) for r in rows} == {
        ("A", "kc2", "acc", ""), ("A", "iris", "neg_logloss", "-0.4"),
        ("B", "kc2", "auc", "0.8"), ("B", "iris", "neg_logloss", "-0.25"),
    }  # fmt: skip


def test_a_benchmark_that_names_no_metric_takes_no_result(repo: Repository, tmp_path: Path) -> None:
    repo.replace("benchmarks/both/competition.yaml", "0: {metrics: [auc, logloss]}, ", "")
    file = tmp_path / "results.csv"
    file.write_text(UNITS)
    said = run(repo, "import", "amlb-results", str(file), "--benchmark", "both")
    assert "1 row of auc have no Result: competition.yaml names no metric of their tasks" in said
    assert "tasks: {0: {metrics: [neg_logloss, acc]}}" in said
    assert board(repo)["B"]["kc2"] == {"auc": 0.8}


@pytest.mark.parametrize("verb", ["openml-run", "openml-runs"])
def test_an_unknown_metric_is_refused_with_those_that_there_are(
    repo: Repository, tmp_path: Path, verb: str
) -> None:
    source = tmp_path / "run.xml"
    source.write_text("x")
    words = ("import", verb, str(source), "--benchmark", "both", "--metric", "predictive_accuracy")
    result = CliRunner().invoke(cli, ["-C", str(repo.path), *words])
    assert result.exit_code == 2
    assert "'predictive_accuracy' is not one of 'acc', 'auc', 'auc_ovo'" in result.output


def test_records_become_amlbs_table_and_come_back(repo: Repository, tmp_path: Path) -> None:
    repo.write("submissions/both/ada/forest/submission.yaml", "kind: code\n")
    repo.write("submissions/both/ada/forest/model.py", "")
    repo.commit("Forest")
    store = PredictionStore(repo.path / repo.snapshot().settings.predictions, "docker")
    predictions = "no,yes,predictions\n0.25,0.75,yes\n"
    for item in repo.plan().missing:
        fold = item.cell.id.repeat or 0
        if item.cell.id.task == "kc2":
            scores = {"result": 0.75 + fold / 8, "auc": 0.75 + fold / 8, "logloss": 0.5}
            made = record_of(item.cell, scores=scores)
            store.put(item.cell.keys.prediction,
                      partial(put, predictions),
                      Step(step="ingestion", wall_seconds=1),
                  started="2026-01-02T00:00:00+00:00", record="")  # fmt: skip
        elif fold == 0:
            made = record_of(item.cell, scores={"result": -0.25, "logloss": 0.25})
        else:
            made = failed(record_of(item.cell), Actor.PARTICIPANT, Reason.TIMED_OUT)
        repo.put(made)
    repo.commit("Records")
    folder = tmp_path / "predictions"
    reports = tmp_path / "reports"
    text = run(repo, "results", "both", "--format", "amlb", "--predictions", str(folder),
               "--reports", str(reports))  # fmt: skip
    rows = table(text)
    ranks = (reports / "folds_leaderboard.csv").read_text().splitlines()
    assert ranks[:2] == ["type,task,fold,forest", ",iris,0,1.0"]
    assert [(r["task"], r["fold"], r["result"], r["metric"], r["type"]) for r in rows] == [
        ("kc2", "0", "0.75", "auc", "binary"), ("kc2", "1", "0.875", "auc", "binary"),
        ("iris", "0", "-0.25", "neg_logloss", ""), ("iris", "1", "", "", ""),
    ]  # fmt: skip
    assert rows[0]["id"] == "openml.org/t/3913"
    assert rows[0]["framework"] == "forest"
    assert rows[3]["info"] == "TimeoutError: timed out: it broke"
    assert list(rows[0])[19:] == ["auc", "logloss"]
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.csv"))
    assert files == [f"forest/predictions/kc2/{fold}/predictions.csv" for fold in range(2)]
    assert (folder / files[0]).read_text() == predictions
    described = json.loads((folder / files[1]).with_name("metadata.json").read_text())
    assert (described["framework"], described["metrics"], described["fold"], described["seed"]) == (
        "forest", ["auc", "logloss"], 1, 8,
    )  # fmt: skip
    again = tmp_path / "results.csv"
    again.write_text(text)
    shutil.rmtree(repo.path / "submissions/both/ada")
    run(repo, "import", "amlb-results", str(again), "--benchmark", "both", "--constraint", "1h8c")
    found = board(repo)["forest"]
    assert found["kc2"] == {"result": 0.8125, "auc": 0.8125, "logloss": 0.5}
    assert "1 of 2 folds failed; fold 1" in str(found["iris"])


def test_what_a_framework_is_stands_in_amlbs_table(repo: Repository) -> None:
    """2.2: framework, version, params, seed, and the exception that ended a fold."""
    about = {"name": "RandomForest", "version": "1.2.2", "params": {"n_estimators": 20}}
    for who in ("ada", "bob"):
        repo.write(f"submissions/both/{who}/mine/submission.yaml", "kind: code\n")
        repo.write(f"submissions/both/{who}/mine/__init__.py", f"# of {who}\n")
        repo.write(f"submissions/both/{who}/mine/framework.json", json.dumps(about))
    repo.commit("Two forests")
    for item in repo.plan().missing:
        if item.cell.id.task == "kc2":
            broken = failed(record_of(item.cell), Actor.PARTICIPANT, Reason.EXITED)
            log = "Traceback (most recent call last):\nsklearn.exceptions.NotFittedError: no fit\n"
            assert broken.error is not None
            error = broken.error.replace(step="ingestion")
            steps = [Step(step="ingestion", wall_seconds=1, exit_code=1, log=log)]
            repo.put(broken.replace(steps=steps, error=error))
    repo.commit("Records")
    rows = table(run(repo, "results", "both", "--format", "amlb"))
    assert {row["framework"] for row in rows} == {"RandomForest_ada", "RandomForest_bob"}
    assert {(row["version"], row["params"]) for row in rows} == {("1.2.2", "{'n_estimators': 20}")}
    assert {(row["fold"], row["seed"]) for row in rows} == {("0", "7"), ("1", "8")}
    assert {row["constraint"] for row in rows} == {"1h8c"}
    assert {row["info"] for row in rows} == {"NotFittedError: no fit"}


def test_what_amlb_measured_comes_back_as_it_was(repo: Repository, tmp_path: Path) -> None:
    """2.2: rows of AMLB's go in and out again with everything that they say."""
    source = tmp_path / "results.csv"
    source.write_text(AMLB)
    run(repo, "import", "amlb-results", str(source), "--benchmark", "both")
    repo.commit("Reported")
    by_place = partial(sorted, key=lambda row: (row["framework"], row["task"], row["fold"]))
    again = [row for row in table(run(repo, "results", "both", "--format", "amlb"))
             if row["info"] != "no result"]  # fmt: skip
    for before, after in zip(by_place(table(AMLB)), by_place(again), strict=True):
        different = {key for key, text in before.items() if text != after.get(key, "")}
        # acc and balacc are no columns of this board.
        assert different <= {"mode", "acc", "balacc", "app_version"}
    # Whoever edits what is stated loses what the row says beside it.
    path = "submissions/both/amlb/randomforest/submission.yaml"
    repo.replace(path, "0.865801", "0.965801")
    row = next(row for row in table(run(repo, "results", "both", "--format", "amlb"))
               if row["task"] == "kc2" and row["result"] == "0.965801")  # fmt: skip
    assert (row["version"], row["seed"]) == ("", "")


def test_a_fold_that_failed_has_its_metric(repo: Repository) -> None:
    """AMLB's reports end with an AttributeError where a row of them has none."""
    repo.write("submissions/both/ada/forest/submission.yaml", "kind: code\n")
    repo.write("submissions/both/ada/forest/model.py", "")
    repo.commit("Forest")
    for item in repo.plan().missing:
        repo.put(failed(record_of(item.cell), Actor.PARTICIPANT, Reason.TIMED_OUT))
    repo.commit("Records")
    rows = table(run(repo, "results", "both", "--format", "amlb"))
    assert {(row["result"], row["metric"]) for row in rows if row["task"] == "kc2"} == {("", "auc")}


def test_tables_have_the_columns_of_the_phase(repo: Repository, tmp_path: Path) -> None:
    repo.replace(
        "benchmarks/both/competition.yaml", "  repeats: 2",
        "  phases: {0: {columns: [result, auc]}}\n  repeats: 2",
    )  # fmt: skip
    source = tmp_path / "results.csv"
    source.write_text(AMLB)
    run(repo, "import", "amlb-results", str(source), "--benchmark", "both")
    stated = (repo.path / "submissions/both/amlb/randomforest/submission.yaml").read_text()
    assert "auc: " in stated
    assert "logloss" not in stated
    repo.commit("Reported")
    assert [p for p in repo.problems() if p.severity == "error"] == []
    rows = [row for row in table(run(repo, "results", "both", "--format", "amlb"))
            if row["framework"] == "RandomForest" and row["result"]]  # fmt: skip
    assert rows
    for row in rows:
        # What the row says beside its columns is there: it is known as what was brought in.
        assert row["version"]
        assert not row.get("logloss")


def test_the_truth_is_added_where_it_is_public(repo: Repository, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    repo.replace("benchmarks/both/competition.yaml", "input_data: in/kc2}",
                 "input_data: in/kc2, reference_data: ref/kc2}")  # fmt: skip
    for fold in range(2):
        place = repo.write(f"benchmarks/both/ref/kc2/{fold}/truth.parquet", "")
        pq.write_table(pa.table({"truth": ["no", "yes"]}), place)
    repo.replace("benchmarks/both/competition.yaml", "  repeats: 2",
                 "  repeats: 2\n  repeat_data: false")  # fmt: skip
    repo.write("submissions/both/ada/forest/submission.yaml", "kind: code\n")
    repo.write("submissions/both/ada/forest/model.py", "")
    repo.commit("Forest")
    store = PredictionStore(repo.path / repo.snapshot().settings.predictions, "docker")
    text = "no,yes,predictions\n0.75,0.25,no\n0.5,0.5,no\n"
    for item in repo.plan().missing:
        if item.cell.id.task == "iris":
            continue
        store.put(item.cell.keys.prediction,
                  partial(put, text),
                  Step(step="ingestion", wall_seconds=1),
                  started="2026-01-02T00:00:00+00:00", record="")  # fmt: skip
        repo.put(record_of(item.cell, scores={"result": 0.5}))  # fmt: skip
    repo.commit("Records")
    folder = tmp_path / "out"
    run(repo, "results", "both", "--format", "amlb", "--predictions", str(folder))
    own = (folder / "forest/predictions/kc2/1/predictions.csv").read_text()
    assert own == "no,yes,predictions,truth\n0.75,0.25,no,no\n0.5,0.5,no,yes\n"
    # AMLB's own layout is scored anew: 0.5 of the area is a tie, and of the loss the mean.
    shutil.rmtree(repo.path / "submissions/both/ada")
    run(repo, "import", "amlb-results", str(folder / "forest"), "--benchmark", "both")
    found = board(repo)["forest"]["kc2"]
    loss = -(math.log(0.75) + math.log(0.5)) / 2
    assert found == pytest.approx({"result": 1.0, "auc": 1.0, "logloss": loss})


RUN = """\
<oml:run xmlns:oml="http://openml.org/openml">
  <oml:run_id>77</oml:run_id><oml:task_id>31</oml:task_id><oml:flow_name>sklearn.tree(1)</oml:flow_name>
  <oml:output_data>
    <oml:evaluation><oml:name>area_under_roc_curve</oml:name><oml:value>0.75</oml:value></oml:evaluation>
    <oml:evaluation repeat="0" fold="0"><oml:name>area_under_roc_curve</oml:name><oml:value>0.5</oml:value></oml:evaluation>
    <oml:evaluation repeat="0" fold="1"><oml:name>area_under_roc_curve</oml:name><oml:value>1.0</oml:value></oml:evaluation>
    <oml:evaluation><oml:name>confusion_matrix</oml:name><oml:value>[[1]]</oml:value></oml:evaluation>
  </oml:output_data>
</oml:run>
"""  # noqa: E501
ARFF = """\
@RELATION openml_task_31_predictions
@ATTRIBUTE repeat NUMERIC
@ATTRIBUTE fold NUMERIC
@ATTRIBUTE sample NUMERIC
@ATTRIBUTE row_id NUMERIC
@ATTRIBUTE prediction {good,bad}
@ATTRIBUTE correct {good,bad}
@ATTRIBUTE confidence.good NUMERIC
@ATTRIBUTE confidence.bad NUMERIC
@DATA
0,0,0,0,good,good,0.75,0.25
0,0,0,1,good,bad,0.75,0.25
0,1,0,2,good,bad,0.5,0.5
0,1,0,3,good,good,1.0,0.0
"""


@pytest.mark.parametrize("again", [False, True])
def test_a_run_of_openml(repo: Repository, tmp_path: Path, again: bool) -> None:
    repo.replace("benchmarks/both/competition.yaml", "name: kc2,", "name: t/31,")
    (tmp_path / "run.xml").write_text(RUN)
    (tmp_path / "predictions.arff").write_text(ARFF)
    more = [str(tmp_path / "predictions.arff")] if again else ["--metric", "auc"]
    run(repo, "import", "openml-run", str(tmp_path / "run.xml"), *more, "--benchmark", "both")
    (found,) = board(repo).values()
    task = found["t-31"]
    if again:  # labels are in lexicographic order, so that "good" is the second
        loss = -(math.log(0.75) + math.log(0.25) + math.log(0.5)) / 4
        assert task == pytest.approx({"result": 0.75, "auc": 0.75, "logloss": loss}, abs=1e-9)
    else:
        assert task == {"result": 0.75, "auc": 0.75}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!DOCTYPE x [<!ENTITY a 'aa'>]><x>&a;</x>", "document type"),
        ("<run/>", "not the description of a run"),
        ("<oml:run", "not XML"),
        (RUN.replace("<oml:task_id>31</oml:task_id>", ""), "names no task"),
    ],
)
def test_what_is_no_run_is_refused(
    repo: Repository, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "run.xml").write_text(text)
    with pytest.raises(InvalidInputError) as caught:
        run(repo, "import", "openml-run", str(tmp_path / "run.xml"), "--benchmark", "both")
    assert message in str(caught.value)
