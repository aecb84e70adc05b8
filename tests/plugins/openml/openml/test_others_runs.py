"""Others' runs on a suite are listed and become reported rows with their folds."""

import pytest
import yaml

from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from tests.importing.calling import pullbench
from tests.openml_server import OpenMLServer, ServedRun
from tests.plugins.openml.openml_kept import Fetched
from tests.repository import Repository

TREE, FOREST = "sklearn.tree.DecisionTree(1)", "sklearn.ensemble.Forest(2)"


def upload(server: OpenMLServer) -> None:
    """Two flows, one with two setups, one run that failed, and one on another task."""

    def run(number: int, flow: int, setup: int, *folds: float, error: str = "") -> ServedRun:
        return ServedRun(
            id=number, task=72, flow=flow, name=(TREE, FOREST)[flow - 1], setup=setup, error=error,
            folds={"predictive_accuracy": folds, "usercpu_time_millis": [1.0] * len(folds)},
        )  # fmt: skip

    server.listed_runs[:] = [
        run(11, 1, 5, 0.5, 0.75, 1.0), run(12, 2, 6, 0.25, 0.5, 0.75),
        run(13, 2, 8, 1.0, 1.0, 1.0), run(14, 2, 9, error="no predictions"),
        ServedRun(id=15, task=3, flow=1, name=TREE, setup=5, folds={}),
    ]  # fmt: skip


def test_runs_of_others_become_reported_rows(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    upload(server)
    api = ("--server", server.api)
    code, said = pullbench(repository.path, "import", "openml", "t/72", "--name", "small", *api)
    assert code == 0, said
    file = repository.path / "benchmarks/small/competition.yaml"
    competition = yaml.safe_load(file.read_text())
    assert competition["pullbench"]["reported"] is True
    repository.commit("Benchmark")
    code, said = pullbench(repository.path, "suite", "runs", "t/72", *api)
    assert code == 0, said
    assert "4 runs" in said
    assert "no predictions" in said
    code, said = pullbench(
        repository.path, "import", "openml-runs", "t/72", "--benchmark", "small",
        "--metric", "acc", *api,
    )  # fmt: skip
    assert code == 0, said
    assert said.splitlines()[-1] == "submissions/small/openml: 3 submissions, 9 rows"
    repository.commit("Runs")
    assert repository.problems() == []
    board = leaderboard_at(repository.path, "small", phase=None, task=None, at=None)
    found = {row.submission.title: row.submission.reported for row in board.rows}
    assert set(found) == {TREE, f"{FOREST} setup 6", f"{FOREST} setup 8"}
    tree = found[TREE]
    assert tree is not None
    assert [fold["acc"] for folds in tree.folds.values() for fold in folds
            if not isinstance(fold, str)] == [0.5, 0.75, 1.0]  # fmt: skip
    assert "runs on t/72 of OpenML" in tree.source
    # The result of the task is its log loss, which no run states.
    assert "9 rows of acc have no Result: on their tasks it is neg_logloss" in said
    assert board.rows[0].submission.title == f"{FOREST} setup 8"
    assert not any("result" in row.overall for row in board.rows)


def test_runs_have_a_result_by_the_metric_of_the_task_alone(
    fetched: Fetched, repository: Repository
) -> None:
    server = fetched.give(repository)
    area, accuracy = "area_under_roc_curve", "predictive_accuracy"
    server.listed_runs[:] = [
        ServedRun(id=200, task=72, flow=1, name="good", setup=1, folds={accuracy: [0.9] * 3}),
        ServedRun(id=201, task=72, flow=2, name="poor", setup=2, folds={area: [0.95] * 3}),
        ServedRun(id=202, task=72, flow=3, name="both", setup=3,
                  folds={area: [0.99] * 3, accuracy: [0.5] * 3}),
    ]  # fmt: skip
    api = ("--server", server.api)
    assert pullbench(repository.path, "import", "openml", "t/72", "--name", "small", *api)[0] == 0
    repository.replace("benchmarks/small/competition.yaml", "- neg_logloss", "- auc")
    repository.commit("Ranks by the area")
    code, said = pullbench(repository.path, "import", "openml-runs", "t/72", "--benchmark", "small",
                           *api)  # fmt: skip
    assert code == 0, said
    assert "3 rows of acc have no Result: on their tasks it is auc" in said
    repository.commit("Runs")
    board = leaderboard_at(repository.path, "small", phase=None, task=None, at=None)
    found = [(row.submission.title, row.overall.get("result")) for row in board.rows]
    assert found == [("both", pytest.approx(0.99)), ("poor", pytest.approx(0.95)), ("good", None)]


def test_of_a_suite_only_one_flow(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    upload(server)
    code, said = pullbench(
        repository.path, "suite", "runs", "t/72", "--flow", "1", "--server", server.api
    )
    assert (code, "1 run" in said) == (0, True), said
    code, said = pullbench(repository.path, "suite", "runs", "two-tasks", "--server", server.api)
    assert (code, "r/15" in said) == (0, True), said
