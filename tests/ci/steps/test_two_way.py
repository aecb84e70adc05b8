"""A data set and a program meet that two pull requests bring at the same time: real containers."""

from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.comment import to_markdown
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.snapshot import load_snapshot
from tests.ci.steps.conftest import (
    ORGANISER,
    TODAY,
    Files,
    Forge,
    evaluated_bundle,
    forge_of,
)
from tests.repository import BRANCH, Repository
from tests.steps import approve, finish, receive

pytestmark = [pytest.mark.docker, pytest.mark.slow]
FOLDER = "submissions/growing"
DATA: Files = {
    f"{FOLDER}/dora/more/submission.yaml": "kind: dataset\nfact_sheet: {source: dice}\n",
    f"{FOLDER}/dora/more/input_data/numbers.txt": "4 5 6\n",
    f"{FOLDER}/dora/more/reference_data/sum.txt": "15\n",
}
PROGRAM: Files = {
    f"{FOLDER}/erin/last/submission.yaml": "kind: code\n",
    f"{FOLDER}/erin/last/main.py": "def add(numbers):\n    return numbers[-1]\n",
}


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The bundle ``growing``, everything of it evaluated."""
    return evaluated_bundle(tmp_path_factory.mktemp("evaluated"), "growing")


@pytest.fixture
def forge(tmp_path: Path, evaluated: Repository) -> Forge:
    return forge_of(evaluated, tmp_path)


def evaluate(forge: Forge, number: int, files: Files, participant: str) -> str:
    """Bring a pull request from its opening to its scores; returns its last comment."""
    source = forge.open(number, files)
    path = forge.ours.path
    assert receive(path, source, participant, TODAY).ok
    approved = approve(path, source, participant, ORGANISER, TODAY)
    assert approved.ok, approved.report
    folder = forge.folder / str(number)
    done = forge.ours.pullbench(
        "run", "--base", BRANCH, "--head", source.head, "--pull-request", str(number),
        "--output", str(folder), *(str(item.cell.id) for item in approved.planned),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    finished = finish(path, source, folder, TODAY)
    assert (finished.ok, finished.report.state) == (True, "scored"), finished.report
    forge.merge(source)
    return to_markdown(finished.report)


def test_two_pull_requests_at_once_end_in_a_complete_matrix(forge: Forge) -> None:
    before = leaderboard(forge.ours.snapshot(), "growing", phase=None, task=None, now=TODAY)
    assert {row.state for row in before.rows} == {"finished"}
    assert [task.slug for task in before.tasks] == ["first", "bob~ones"]
    # Both begin at the same commit, and neither knows of the other.
    said = evaluate(forge, 1, DATA, "dora")
    assert "growing/dora/more/main/dataset-check" in said
    evaluate(forge, 2, PROGRAM, "erin")

    collected = collect(forge.ours.path, TODAY, branch=BRANCH, remote="origin")
    forge.ours.git("fetch", "--quiet", "origin")
    forge.ours.git("reset", "--quiet", "--hard", f"origin/{BRANCH}")
    # What the pull requests gave is there; the column of the one, and where they cross, is not.
    assert sorted(str(item.cell.id) for item in collected.missing) == [
        "growing/alice/right/main/dora~more",
        "growing/bob/first/main/dora~more",
        "growing/erin/last/main/dora~more",
    ]
    done = forge.ours.pullbench("run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 finished, 0 failed" in done.stdout + done.stderr
    forge.ours.commit("Records")
    board = leaderboard(forge.ours.snapshot(), "growing", phase=None, task=None, now=TODAY)
    assert [task.slug for task in board.tasks] == ["first", "bob~ones", "dora~more"]
    assert [
        (
            row.submission.participant,
            {slug: one.values["distance"] for slug, one in row.tasks.items()},
        )
        for row in board.rows
    ] == [
        ("alice", {"first": 0, "bob~ones": 0, "dora~more": 0}),
        ("erin", {"first": 3, "bob~ones": 3, "dora~more": 9}),
        ("bob", {"first": 5, "bob~ones": 3, "dora~more": 11}),
    ]
    assert {row.overall["coverage"] for row in board.rows} == {1.0}
    assert not forge.ours.reasons()


def test_a_refused_data_set_says_why(forge: Forge) -> None:
    bad = {**DATA, f"{FOLDER}/dora/more/reference_data/sum.txt": "16\n"}
    source = forge.open(1, bad)
    path = forge.ours.path
    receive(path, source, "dora", TODAY)
    approve(path, source, "dora", ORGANISER, TODAY)
    forge.ours.pullbench(
        "run", "--base", BRANCH, "--head", source.head, "--pull-request", "1",
        "--output", str(forge.folder),
    )  # fmt: skip
    finished = finish(path, source, forge.folder, TODAY)
    assert (finished.ok, finished.report.state) == (False, "failed")
    assert "the sum is wrong" in to_markdown(finished.report)
    forge.merge(source)
    collected = collect(path, TODAY, branch=BRANCH, remote="origin")
    assert not collected.missing
    taken = load_snapshot(path, collected.tip)
    assert taken.datasets["growing/dora/more"].reason == "the sum is wrong"
    assert [task.slug for task in taken.benchmarks["growing"].tasks] == ["first", "bob~ones"]
