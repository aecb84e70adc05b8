"""Large folders of a commit, which git lists and nothing reads one by one."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluator.ci.git.raw_trees import FilesByPath
from evaluator.core.errors import RefusedError
from evaluator.core.git.repository import Git, open_repository
from tests.repository import Repository

MANY = 300


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    repo = Repository(tmp_path)
    for number in range(MANY):
        repo.write(f"notes/large/{number}/a\tb/one.json", str(number))
    repo.commit()
    return repo


def test_git_lists_a_large_folder_once(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    run = Git.run

    def counted(git: Git, *arguments: str, **more: Any) -> bytes:
        asked.append(arguments[0])
        return run(git, *arguments, **more)

    monkeypatch.setattr(Git, "run", counted)
    files = FilesByPath(open_repository(repo.path), repo.git("rev-parse", "HEAD"))
    names = [f"notes/large/{number}/a\tb/one.json" for number in range(MANY)]
    assert files.below("notes/large") == sorted(names)
    assert asked.count("ls-tree") == 1
    assert files[names[7]].blob == repo.git("rev-parse", f"HEAD:{names[7]}")
    assert files.names("notes/large/7") == ["a\tb"]
    assert files.below("") == [".gitignore", *sorted(names)]


def test_a_name_that_is_there_twice_in_a_large_folder_is_refused(repo: Repository) -> None:
    def write(kind: str, content: bytes) -> str:
        command = ["git", "hash-object", "--literally", "-w", "--stdin", "-t", kind]
        done = subprocess.run(
            command, cwd=repo.path, input=content, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def tree(entries: list[tuple[str, str, str]]) -> str:
        return write("tree", b"".join(
            f"{mode} {name}\0".encode() + bytes.fromhex(blob) for mode, name, blob in entries
        ))  # fmt: skip

    blob = write("blob", b"1")
    twice = tree([("100644", "one.json", blob), ("100644", "one.json", write("blob", b"2"))])
    once = tree([("100644", "one.json", blob)])
    inner = [("40000", f"{number:03}", once) for number in range(MANY)]
    large = tree([*inner[:-1], ("40000", f"{MANY - 1:03}", twice)])
    commit = repo.git("commit-tree", tree([("40000", "notes", large)]), "-m", "By hand")
    with pytest.raises(RefusedError, match="a name twice"):
        FilesByPath(open_repository(repo.path), commit).below("notes")
