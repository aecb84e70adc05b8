"""A data set that is a row: checked, then tried with every method, in one job: real containers."""

from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.comment import to_markdown
from evaluator.ci.steps.reports import StepResult
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.site.boards.exports.board_json import to_data
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

pytestmark = pytest.mark.docker
FOLDER = "submissions/transposed/dora/more"
DATA: Files = {
    f"{FOLDER}/submission.yaml": "kind: dataset\nname: More\nfact_sheet: {source: dice}\n",
    f"{FOLDER}/numbers.txt": "4 5 6\n",
    f"{FOLDER}/sum.txt": "16\n",
}
CELLS = ["dataset-check", "first-number", "sum"]


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The bundle ``transposed``, everything of it evaluated."""
    return evaluated_bundle(tmp_path_factory.mktemp("evaluated"), "transposed")


@pytest.fixture
def forge(tmp_path: Path, evaluated: Repository) -> Forge:
    return forge_of(evaluated, tmp_path)


def evaluate(forge: Forge, number: int, files: Files) -> StepResult:
    """Bring a pull request of dora's from its opening to its scores, and merge it."""
    source = forge.open(number, files)
    path = forge.ours.path
    received = receive(path, source, "dora", TODAY)
    assert received.ok, received.report
    approved = approve(path, source, "dora", ORGANISER, TODAY)
    assert [item.cell.id.task for item in approved.planned] == ["dataset-check"]
    folder = forge.folder / str(number)
    done = forge.ours.pullbench(
        "run", "--base", BRANCH, "--head", source.head, "--pull-request", str(number),
        "--output", str(folder), *(str(item.cell.id) for item in approved.planned),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    finished = finish(path, source, folder, TODAY)
    forge.merge(source)
    return finished


def collected(forge: Forge) -> list[str]:
    """Collect what pull requests gave; returns what is still missing."""
    done = collect(forge.ours.path, TODAY, branch=BRANCH, remote="origin")
    forge.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)
    # Records come onto the branch without a working tree.
    forge.ours.git("reset", "--quiet", "--hard", BRANCH)
    return [str(item.cell.id) for item in done.missing]


@pytest.mark.slow
def test_a_data_set_is_checked_and_tried_in_one_job(forge: Forge) -> None:
    finished = evaluate(forge, 1, DATA)
    assert (finished.ok, finished.report.state) == (True, "scored"), finished.report
    assert [line.cell.task for line in finished.report.cells] == CELLS
    said = to_markdown(finished.report)
    for task in CELLS:
        assert f"transposed/dora/more/main/{task}" in said
    assert "Distance" in said
    assert "6.50" in said  # (1 + 12) / 2
    assert collected(forge) == []
    assert not forge.ours.reasons()
    board = leaderboard(forge.ours.snapshot(), "transposed", phase=None, task=None, now=TODAY)
    rows = {row.submission.id: row for row in board.rows}
    assert "transposed/bob/words" not in rows
    assert rows["transposed/alice/ones"].overall == {"distance": 1.0}
    assert rows["transposed/dora/more"].overall == {"distance": 6.5}
    assert [row.rank for row in board.rows] == [1, 2, None, None]


def test_a_refused_data_set_says_why_and_is_no_row(forge: Forge) -> None:
    finished = evaluate(forge, 1, {**DATA, f"{FOLDER}/numbers.txt": "4 five\n"})
    assert (finished.ok, finished.report.state) == (False, "failed")
    said = to_markdown(finished.report)
    assert "'five' is no whole number" in said
    assert "Correct the data set and submit it again." in said
    assert collected(forge) == []
    taken = forge.ours.snapshot()
    assert taken.datasets["transposed/dora/more"].state == "refused"
    board = leaderboard(taken, "transposed", phase=None, task=None, now=TODAY)
    assert "transposed/dora/more" not in {row.submission.id for row in board.rows}


@pytest.mark.slow
def test_a_new_version_takes_the_place_of_the_old(forge: Forge) -> None:
    evaluate(forge, 1, DATA)
    assert collected(forge) == []
    newer = {path.replace("/more/", "/more-2/"): text for path, text in DATA.items()}
    folder = FOLDER.replace("more", "more-2")
    text = str(newer[f"{folder}/submission.yaml"]) + "replaces: dora/more\n"
    newer |= {f"{folder}/submission.yaml": text, f"{folder}/sum.txt": "15\n"}
    assert evaluate(forge, 2, newer).ok
    assert collected(forge) == []
    assert not forge.ours.reasons()
    board = leaderboard(forge.ours.snapshot(), "transposed", phase=None, task=None, now=TODAY)
    rows = {row["submission"]: row for row in to_data(publish(board))["rows"]}
    assert (rows["more-2"]["rank"], rows["more-2"]["retired"]) == (2, "")
    assert (rows["more"]["rank"], rows["more"]["retired"]) == (None, "replaced by dora/more-2")
    # Its results stay, and count for nothing.
    assert rows["more"]["tasks"]["sum"]["scores"] == {"distance": 1.0}
    assert rows["more"]["tasks"]["sum"]["counts"] is False
    assert rows["more"]["overall"] == {}


def test_nothing_in_a_data_set_runs_and_methods_are_the_organisers(forge: Forge) -> None:
    board = leaderboard(forge.ours.snapshot(), "transposed", phase=None, task=None, now=TODAY)
    rows = {row.submission.id: row for row in board.rows}
    # alice's metadata.yaml names a command; it is a file like any other.
    plain = rows["transposed/alice/ones"].tasks["first-number"]
    assert [step.step for record in plain.records for step in record.steps] == ["scoring"]
    for name, reason in (("thirteen", "exited with an error"), ("many", "predictions refused")):
        error = rows[f"transposed/carol/{name}"].tasks["sum"].error
        assert error is not None
        assert (error.reason, error.actor) == (reason, "organiser")
        assert rows[f"transposed/carol/{name}"].rank is None
