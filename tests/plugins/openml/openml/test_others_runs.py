"""Issue 20, 3.2: others' runs on a suite are listed and become reported rows with their folds."""

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


def test_3_2_runs_of_others_become_reported_rows(fetched: Fetched, repository: Repository) -> None:
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
    assert board.rows[0].submission.title == f"{FOREST} setup 8"


def test_3_2_of_a_suite_only_one_flow(fetched: Fetched, repository: Repository) -> None:
    server = fetched.give(repository)
    upload(server)
    code, said = pullbench(
        repository.path, "suite", "runs", "t/72", "--flow", "1", "--server", server.api
    )
    assert (code, "1 run" in said) == (0, True), said
    code, said = pullbench(repository.path, "suite", "runs", "two-tasks", "--server", server.api)
    assert (code, "r/15" in said) == (0, True), said
