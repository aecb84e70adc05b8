"""A pull request with stages: its parts are evaluated with it, and keep nothing back."""

from pathlib import Path

import pytest

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.scores.collecting import collect
from evaluator.ci.steps.comment import to_markdown
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason
from evaluator.core.planning.cells import cells
from tests.ci.steps.conftest import NOON, ORGANISER, SETTINGS, Files, Forge
from tests.records import failed, record_of, write_records
from tests.repository import Repository
from tests.steps import approve, finish, proposed, receive

FOLDER = "submissions/staged/erin/mine"
MINE: Files = {
    f"{FOLDER}/submission.yaml": "",
    f"{FOLDER}/scale/number.txt": "5\n",
    f"{FOLDER}/cut/number.txt": "1\n",
}
CELLS = [f"staged/erin/mine/main/twenty{part}" for part in ("", "+cut", "+scale")]


@pytest.fixture
def forge(tmp_path: Path, repo: Repository) -> Forge:
    repo.copy_bundle("staged")
    repo.write("pyproject.toml", SETTINGS)
    repo.commit("A benchmark in stages")
    write_records(repo)
    repo.commit("Records")
    origin = tmp_path / "origin.git"
    repo.git("clone", "--quiet", "--bare", str(repo.path), str(origin))
    repo.git("remote", "add", "origin", str(origin))
    repo.git("fetch", "--quiet", "origin")
    theirs = Repository(tmp_path / "theirs")
    theirs.git("remote", "add", "origin", str(origin))
    return Forge(origin=origin, ours=repo, theirs=theirs, folder=tmp_path / "handed-in")


def evaluate(forge: Forge, **spoiled: Actor) -> PullRequestRef:
    """Open, approve, and hand in all records; some are failures, by their part."""
    source = forge.open(1, MINE)
    assert receive(forge.ours.path, source, "erin", NOON).ok
    approved = approve(forge.ours.path, source, "erin", ORGANISER, NOON)
    assert [str(item.cell.id) for item in approved.planned] == CELLS
    for cell in cells(proposed(forge.ours.path, source, NOON), NOON):
        if cell.submission.participant == "erin":
            part = cell.id.task.partition("+")[2] or "all"
            record = record_of(cell)
            if part in spoiled:
                record = failed(record, spoiled[part], Reason.EXITED)
            forge.hand_in(record)
    return source


def test_a_pull_request_lands_with_its_parts(forge: Forge) -> None:
    source = evaluate(forge)
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert (done.ok, done.report.state) == (True, "scored")
    forge.merge(source)
    collected = collect(forge.ours.path, NOON, branch="main", remote="origin")
    assert not collected.missing
    assert collected.committed is not None
    assert collected.committed.paths == (f"{FOLDER}/scores/main.json",)
    assert collected.committed.cells == 3


def test_a_stage_that_cannot_do_without_the_others_keeps_nothing_back(forge: Forge) -> None:
    source = evaluate(forge, cut=Actor.PARTICIPANT)
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert (done.ok, done.report.state) == (True, "scored")
    said = to_markdown(done.report)
    assert "What failed" in said
    assert "twenty+cut" in said


@pytest.mark.parametrize(
    ("part", "actor"),
    [("all", Actor.PARTICIPANT), ("cut", Actor.ORGANISER), ("scale", Actor.PLATFORM)],
)
def test_every_other_failure_does(forge: Forge, part: str, actor: Actor) -> None:
    source = evaluate(forge, **{part: actor})
    done = finish(forge.ours.path, source, forge.folder, NOON)
    assert (done.ok, done.report.state) == (False, "failed")


def test_parts_are_one_attempt_with_the_whole(forge: Forge) -> None:
    source = evaluate(forge, all=Actor.PLATFORM)
    finish(forge.ours.path, source, forge.folder, NOON)
    assert len(forge.ledger.entries.below("attempts/staged/erin")) == 1
