"""Pull requests of submissions, from real histories."""

from pathlib import Path

import pytest

from evaluator.ci.scores import status
from evaluator.ci.scores.status import pull_requests
from evaluator.core.git.tree import open_repository
from tests.repository import BRANCH, Repository

MINE = "submissions/adding/alice/mine"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "repo")
    repository.commit("Begin (#1)")
    return repository


def numbers(repository: Repository, revision: str = "HEAD") -> dict[str, list[int]]:
    found = pull_requests(open_repository(repository.path), repository.git("rev-parse", revision))
    return {name: [one.number for one in several] for name, several in found.items()}


def test_a_merge_brings_what_its_branch_changed(repository: Repository) -> None:
    repository.git("switch", "--quiet", "--create", "entry")
    repository.write(f"{MINE}/submission.yaml", "kind: code\n")
    repository.commit("My entry (#99)")  # said by its author, and not on the branch's own history
    repository.git("switch", "--quiet", BRANCH)
    repository.git("merge", "--quiet", "--no-ff", "entry", "--message",
                   "Merge pull request #12 from alice/entry\n\nMine (#98)")  # fmt: skip
    found = pull_requests(open_repository(repository.path), repository.git("rev-parse", "HEAD"))
    (merged,) = found["adding/alice/mine"]
    assert merged.number == 12
    assert merged.commit == repository.git("rev-parse", "HEAD")
    assert merged.at.timestamp() == int(repository.git("show", "-s", "--format=%ct"))
    assert list(found) == ["adding/alice/mine"]


def test_later_ones_follow_and_others_are_none(repository: Repository) -> None:
    repository.write(f"{MINE}/submission.yaml", "kind: code\n")
    repository.write("submissions/adding/bob/his/submission.yaml", "kind: code\n")
    repository.commit("Two entries (#3)")
    repository.write(f'{MINE}/a "name" with\tsigns \u00e9.py', "")
    repository.commit("Change mine (#5)")
    repository.write(f"{MINE}/scores/main/one.json", "{}\n")
    repository.commit("Record 1 cell of adding (#6)")
    repository.write(f"{MINE}/main.py", "")
    repository.commit("By hand, see (#7), pushed")
    assert numbers(repository) == {"adding/alice/mine": [3, 5], "adding/bob/his": [3]}
    assert numbers(repository, "HEAD~3") == {"adding/alice/mine": [3], "adding/bob/his": [3]}


def test_what_was_taken_away_is_no_change(repository: Repository) -> None:
    repository.write(f"{MINE}/submission.yaml", "kind: code\n")
    repository.commit("Add (#3)")
    repository.git("rm", "-r", "--quiet", MINE)
    repository.commit("Take it away (#4)")
    assert numbers(repository) == {"adding/alice/mine": [3]}


def test_only_the_latest_are_kept(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "MAX_PULL_REQUESTS", 2)
    for number in (3, 4, 5):
        repository.write(f"{MINE}/main.py", f"{number}\n")
        repository.commit(f"Change (#{number})")
    assert numbers(repository) == {"adding/alice/mine": [4, 5]}


def test_a_shallow_clone_gives_nobody_what_all_have(repository: Repository, tmp_path: Path) -> None:
    repository.write(f"{MINE}/submission.yaml", "kind: code\n")
    repository.commit("Add (#3)")
    repository.write("submissions/adding/bob/his/submission.yaml", "kind: code\n")
    repository.commit("Add another (#4)")
    clone = Repository.__new__(Repository)
    clone.path = tmp_path / "clone"
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.path}", str(clone.path))
    assert numbers(clone) == {}
    repository.git("-C", str(clone.path), "fetch", "--quiet", "--unshallow")
    assert numbers(clone) == {"adding/alice/mine": [3], "adding/bob/his": [4]}


def test_a_repository_without_commits_has_none(tmp_path: Path) -> None:
    empty = Repository(tmp_path / "empty")
    assert pull_requests(open_repository(empty.path), None) == {}
