"""28, 1.2: what a job hands in stops nobody: it is put aside with a reason, and the rest lands."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.ci.git.inbox import INBOX, QUARANTINE
from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.encryption import close
from evaluator.ci.steps.overdue import find_overdue
from evaluator.core.formats.record_lines import to_json
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.importing.private_parts import make_keys
from tests.ci.steps.conftest import NOON, Forge, forge
from tests.records import cells_of, record_of
from tests.repository import BRANCH

HONEST = "adding/alice/right/main/one"
BESIDE = "submissions/adding/bob/wrong/scores"
RUBBISH = b"age-encryption.org/v1\n-> X25519 rubbish\n"
__all__ = ["forge"]


def honest(forge: Forge) -> tuple[str, bytes]:
    record = record_of(cells_of(forge.ours)[HONEST])
    return record.cell.scores_path, to_json(record)


def landed(forge: Forge) -> bool:
    forge.ours.git("fetch", "--quiet", "origin", BRANCH)
    names = forge.ours.git("ls-tree", "-r", "--name-only", "FETCH_HEAD").splitlines()
    return honest(forge)[0] in names


def blob(forge: Forge, content: bytes = b"no commit\n") -> str:
    path = forge.ours.path / ".git/content"
    path.write_bytes(content)
    return forge.ours.git("hash-object", "-w", str(path))


def tree(forge: Forge, path: str, content: bytes) -> str:
    """Write a tree with one file, whose name git's own commands would not all take."""
    made, kind = blob(forge, content), "100644 blob"
    for part in reversed(path.split("/")):
        done = subprocess.run(
            ["git", "mktree", "-z"], cwd=forge.ours.path, check=True, capture_output=True,
            input=f"{kind} {made}\t{part}\0".encode(),
        )  # fmt: skip
        made = done.stdout.decode().strip()
        kind = "040000 tree"
    return made


def commit(forge: Forge, path: str, content: bytes) -> str:
    return forge.ours.git("commit-tree", "-m", "Records", tree(forge, path, content))


def tag(forge: Forge) -> str:
    forge.ours.git("tag", "--force", "-a", "-m", "A tag of a blob", "aside", blob(forge))
    return forge.ours.git("rev-parse", "aside")


def empty(forge: Forge) -> str:
    nothing = forge.ours.git("hash-object", "-w", "-t", "tree", os.devnull)
    return forge.ours.git("commit-tree", "-m", "Nothing", nothing)


REFERENCES: dict[str, Callable[[Forge], str]] = {
    "blob": blob,
    "tag of a blob": tag,
    "empty commit": empty,
    "tree": lambda forge: tree(forge, "submissions/readme", b"no record\n"),
    "rubbish that is encrypted": lambda forge: commit(forge, f"{BESIDE}/main.json.age", RUBBISH),
    "file in place of a folder": lambda forge: commit(forge, "submissions", b"1"),
    "name of 5,000 digits": lambda forge: commit(
        forge, f"{BESIDE}/main/one.{9:05000}.json", b"{"
    ),
    "name that is no text": lambda forge: commit(forge, f"{BESIDE}/ma\u202ein\x1b.json", b"{"),
    "larger than any record": lambda forge: commit(
        forge, f"{BESIDE}/main.json", b" " * (2**26 + 1)
    ),
}  # fmt: skip


@pytest.mark.slow
def test_bad_references_are_put_aside(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SEAL_IDENTITY, raising=False)
    path, content = honest(forge)
    forge.ours.git("push", "--quiet", "origin", f"{commit(forge, path, content)}:{INBOX}/honest")
    bad = {f"{INBOX}/{number}": make(forge) for number, make in enumerate(REFERENCES.values())}
    forge.ours.git("push", "--quiet", "origin", *(f"{one}:{name}" for name, one in bad.items()))
    done = forge.ours.pullbench("collect", "--inbox")
    assert done.returncode == 1, done.stdout + done.stderr
    aside = {name.replace(INBOX, QUARANTINE): one for name, one in bad.items()}
    assert [name for name in aside if f"is kept as {name}" not in done.stderr] == []
    assert landed(forge)
    # They are out of the way, and not lost.
    listed = forge.ours.git("ls-remote", "origin", "refs/pullbench/*").splitlines()
    lines = [line.split("\t") for line in listed if not line.endswith("^{}")]
    assert {name: one for one, name in lines} == aside
    overdue, _ = find_overdue(forge.ours.path, NOON, branch=BRANCH, remote="origin")
    assert {item.subject for item in overdue} >= aside.keys()
    assert forge.ours.pullbench("collect", "--inbox").returncode == 0


@pytest.mark.parametrize("key", ["none", "another", "no key at all"])
def test_rubbish_that_is_encrypted_stops_nobody(
    key: str, forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {"none": "", "another": make_keys()[1], "no key at all": "AGE-SECRET-KEY-1"}
    monkeypatch.setenv(SEAL_IDENTITY, values[key])
    folder = tmp_path / "handed in"
    path, content = honest(forge)
    for name, text in {path: content, f"{BESIDE}/main.json.age": RUBBISH}.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(text)
    done = forge.ours.pullbench("collect", "--from", str(folder))
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"refused: {BESIDE}/main.json: " in done.stderr
    assert landed(forge)


@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "large", "long name"])
def test_what_is_no_plain_file_is_put_aside(kind: str, forge: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "handed in"
    path, content = honest(forge)
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_bytes(content)
    bad = folder / BESIDE / "main.json"
    bad.parent.mkdir(parents=True)
    if kind == "link":
        bad.symlink_to("/etc/passwd")
    elif kind == "folder":
        bad.mkdir()
    elif kind == "fifo":
        os.mkfifo(bad)
    elif kind == "large":
        with bad.open("wb") as file:
            file.truncate(2**27)
    else:
        bad = bad.with_name("m" * 250 + ".json")
        bad.write_text("[]")
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=folder)
    assert any(bad.name in line for line in done.malformed), done.malformed
    assert landed(forge)


def test_a_record_that_is_closed_and_damaged_hides_none_beside_it(
    forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public, secret = make_keys()
    monkeypatch.setenv(SEAL_IDENTITY, secret)
    path, content = honest(forge)
    folder = tmp_path / "handed in"
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_bytes(content)
    (folder / f"{path}.age").write_bytes(close(content, public)[:-1])
    done = collect(forge.ours.path, NOON, branch=BRANCH, remote="origin", source=folder)
    assert any("is damaged" in line for line in done.malformed)
    assert landed(forge)
