"""Workers that hand in records at once, and a collector that dies half way."""

import os
import shutil
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.hand_in import hand_in_folder
from tests.ci.steps.conftest import NOON, Forge, entry
from tests.records import cells_of, record_of
from tests.repository import BRANCH, put_record

WORKERS = 8


def worker_folders(forge: Forge, tmp_path: Path) -> list[Path]:
    """Folders of what workers evaluated: one cell each."""
    folders = []
    for number, cell in enumerate(cells_of(forge.ours).values()):
        folder = tmp_path / "workers" / str(number)
        put_record(folder, record_of(cell))
        folders.append(folder)
    return folders


@pytest.fixture
def crowd(forge: Forge) -> Forge:
    """Several participants' submissions on the base branch, none of them evaluated."""
    for number in range(WORKERS):
        for path, content in entry(f"person{number}", content=f"print({number})\n").items():
            assert content is not None
            forge.ours.write(path, content)
    forge.ours.commit("Enter")
    forge.ours.git("push", "--quiet", "origin", BRANCH)
    return forge


def references(forge: Forge) -> list[str]:
    out = forge.ours.git("ls-remote", str(forge.origin), "refs/pullbench/*")
    return out.splitlines()


def tip(forge: Forge) -> str:
    return forge.ours.git("ls-remote", str(forge.origin), f"refs/heads/{BRANCH}").split()[0]


def test_workers_at_once(crowd: Forge, tmp_path: Path) -> None:
    folders = worker_folders(crowd, tmp_path)
    with ThreadPoolExecutor(len(folders)) as pool:
        done = list(pool.map(lambda f: hand_in_folder(crowd.ours.path, f, "origin"), folders))
    assert {count for _, count in done} == {1}
    assert len(references(crowd)) == len(folders)
    collected = collect(crowd.ours.path, NOON, branch=BRANCH, remote="origin", inbox=True)
    assert collected.committed.cells == len(folders)
    assert collected.committed.retries == 0
    assert collected.missing == ()
    assert references(crowd) == []


def test_handing_in_twice(crowd: Forge, tmp_path: Path) -> None:
    folder = worker_folders(crowd, tmp_path)[0]
    for _ in range(2):
        hand_in_folder(crowd.ours.path, folder, "origin")
    collected = collect(crowd.ours.path, NOON, branch=BRANCH, remote="origin", inbox=True)
    assert collected.committed.cells == 1


def deadly(folder: Path, word: str) -> dict[str, str]:
    """Environment in which git kills whoever calls it with an argument that holds ``word``."""
    script = folder / "git"
    deadly = f'case "$*" in *"{word}"*) kill -9 $PPID; exit 1;; esac'
    script.write_text(f'#!/bin/sh\n{deadly}\nexec {shutil.which("git")} "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("word", "landed"),
    [
        ("refs/heads/pullbench-ledger:", False),  # before anything is kept
        ("lease=refs/heads/main", False),  # between the commit and its push
        (" :refs/pullbench/inbox", True),  # between the push and the emptying of the inbox
    ],
)
def test_a_collector_that_is_killed(crowd: Forge, tmp_path: Path, word: str, landed: bool) -> None:
    folders = worker_folders(crowd, tmp_path)
    for folder in folders:
        hand_in_folder(crowd.ours.path, folder, "origin")
    arguments = ("collect", "--inbox")
    before = tip(crowd)
    killed = crowd.ours.pullbench(*arguments, environment=deadly(tmp_path, word))
    assert killed.returncode == -signal.SIGKILL
    assert (tip(crowd) != before) == landed
    again = crowd.ours.pullbench(*arguments)
    assert again.returncode == 0, again.stderr
    assert "to be evaluated: 0 cells" in again.stdout
    assert references(crowd) == []
    crowd.ours.git("fetch", "--quiet", "origin", BRANCH)
    assert len(crowd.ours.snapshot("FETCH_HEAD").record_files) == len(folders)


def test_an_inbox_that_cannot_be_emptied_is_named(crowd: Forge, tmp_path: Path) -> None:
    """A git command that was killed at the remote left its lock. The records land all the same."""
    folders = worker_folders(crowd, tmp_path)
    hand_in_folder(crowd.ours.path, folders[0], "origin")
    lock = crowd.origin / f"{references(crowd)[0].split()[1]}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    arguments = ("collect", "--inbox")
    before = tip(crowd)
    refused = crowd.ours.pullbench(*arguments)
    assert refused.returncode == 3
    assert tip(crowd) != before
    assert "the inbox at 'origin' cannot be emptied" in refused.stderr
    assert f"rm '{lock}'" in refused.stderr
    lock.unlink()
    assert crowd.ours.pullbench(*arguments).returncode == 0
    assert references(crowd) == []


def test_what_was_committed_is_said_although_the_remote_is_gone_since(
    crowd: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = worker_folders(crowd, tmp_path)
    hand_in_folder(crowd.ours.path, folders[0], "origin")
    hook = crowd.origin / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ngrep -q 'refs/heads/{BRANCH}$' && mv HEAD gone\ntrue\n")
    hook.chmod(0o755)
    monkeypatch.setattr("evaluator.ci.git.partial_clone.time.sleep", lambda _: None)
    done = collect(crowd.ours.path, NOON, branch=BRANCH, remote="origin", inbox=True)
    assert (done.committed.cells, len(done.missing)) == (1, len(folders) - 1)
    assert "the inbox at 'origin' cannot be emptied" in str(done.fault)
    (crowd.origin / "gone").rename(crowd.origin / "HEAD")
    hook.unlink()
    again = collect(crowd.ours.path, NOON, branch=BRANCH, remote="origin", inbox=True)
    assert (again.fault, again.committed.commit, again.tip) == (None, None, done.tip)
    assert references(crowd) == []


def test_a_worker_that_is_killed(crowd: Forge, tmp_path: Path) -> None:
    folder = worker_folders(crowd, tmp_path)[0]
    arguments = ("hand-in", "--from", str(folder))
    killed = crowd.ours.pullbench(*arguments, environment=deadly(tmp_path, "push"))
    assert killed.returncode == -signal.SIGKILL
    assert references(crowd) == []
    again = crowd.ours.pullbench(*arguments)
    assert "1 record handed in" in again.stdout
    assert len(references(crowd)) == 1


def test_a_record_of_another_content(crowd: Forge, tmp_path: Path) -> None:
    """What was evaluated before the base branch changed is kept nowhere and says why."""
    folders = worker_folders(crowd, tmp_path)
    hand_in_folder(crowd.ours.path, folders[0], "origin")
    crowd.ours.write("benchmarks/adding/scoring_program/note.txt", "changed\n")
    crowd.ours.commit("Change the scorer")
    crowd.ours.git("push", "--quiet", "origin", BRANCH)
    done = collect(crowd.ours.path, NOON, branch=BRANCH, remote="origin", inbox=True)
    assert done.committed.commit is None
    assert "of other content" in done.left_out[0]
