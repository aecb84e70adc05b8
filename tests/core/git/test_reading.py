"""What is read of a repository without a process of git, against what git says."""

import pytest

from evaluator.ci.git.history import tree_id
from evaluator.ci.git.partial_clone import promisor
from evaluator.core.git.commands import sizes
from evaluator.core.git.repository import open_repository
from tests.repository import Repository


@pytest.mark.parametrize("packed", [False, True])
def test_sizes_and_trees_are_those_of_git(repo: Repository, packed: bool) -> None:
    repo.write("a.txt", "one\n")
    repo.write("folder/b.bin", "two" * 5000)
    commit = repo.commit("Files")
    if packed:
        repo.git("gc", "--quiet")
    clone = open_repository(repo.path)
    assert tree_id(clone, commit) == repo.git("rev-parse", f"{commit}^{{tree}}")
    blobs = [repo.git("rev-parse", f"{commit}:{path}") for path in ("a.txt", "folder/b.bin")]
    folder, absent = repo.git("rev-parse", f"{commit}:folder"), "1" * 40
    assert sizes(clone, [*blobs, folder, commit, absent]) == dict(
        zip(blobs, (4, 15_000), strict=True)
    )
    of_folder = int(repo.git("cat-file", "-s", folder))
    assert sizes(clone, [*blobs, folder], "tree") == {folder: of_folder}


@pytest.mark.parametrize(
    ("value", "remote"), [("true", "up.stream"), ("Yes", "up.stream"), (None, ""), ("false", "")]
)
def test_the_remote_that_has_what_is_missing(
    repo: Repository, value: str | None, remote: str
) -> None:
    repo.git("config", "remote.up.stream.url", "file:///nowhere")
    if value is not None:
        repo.git("config", "remote.up.stream.promisor", value)
    clone = open_repository(repo.path)
    assert promisor(clone) == remote
    assert clone.config["remote.up.stream.url"] == "file:///nowhere"
