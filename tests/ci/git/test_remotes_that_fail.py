"""Remotes that hang, fail or are busy, and locks that a killed git left."""

import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from pathlib import Path

import pytest

from evaluator.ci.git import branch
from evaluator.ci.git.branch import add_files
from evaluator.ci.git.merge_changes import merge_commit
from evaluator.ci.git.watching import one_at_a_time
from evaluator.ci.opened.heads import PullRequestRef, head_commit
from evaluator.ci.scores.commit import commit
from evaluator.core.clock import utc_now
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import load_snapshot
from tests.records import write_records
from tests.repository import BRANCH, Repository

WORDS = b"Closed for repairs until noon."


class _Status(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(int(self.path[1:4]))
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(WORDS)))
        self.end_headers()
        self.wfile.write(WORDS)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def web() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Status)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def failure(small: Repository, address: str) -> str:
    small.git("remote", "add", "origin", address)
    write_records(small)
    with pytest.raises(PlatformError) as caught:
        commit(small.path, utc_now(), remote="origin")
    return str(caught.value)


def over_ssh(small: Repository, monkeypatch: pytest.MonkeyPatch, script: str) -> str:
    """Let a script be the way to a remote, whose command is its second word; returns an address."""
    bare, file = small.path.parent / "remote.git", small.path.parent / "ssh"
    small.git("clone", "--quiet", "--bare", ".", str(bare))
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(file))
    monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
    return f"ssh://nobody.invalid{bare}"


@pytest.mark.slow
@pytest.mark.parametrize("until", ["*", pytest.param("*receive-pack*", marks=pytest.mark.slow)])
def test_a_remote_that_hangs_is_ended_tried_again_and_named(
    small: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    """From the start, or once there is something to push: a server waits for no job's limit."""
    monkeypatch.setenv("PULLBENCH_SILENCE", "2")
    tries = tmp_path / "tries"
    hang = f'case "$2" in {until}) echo $$ >> {tries}; exec sleep 543 ;; *) eval "$2" ;; esac'
    assert "it was silent" in failure(small, over_ssh(small, monkeypatch, hang))
    pids = tries.read_text().split()
    assert len(pids) > 1
    left = subprocess.run(["ps", "-o", "stat=", "-p", ",".join(pids)], capture_output=True,
                          text=True, check=False).stdout.split()  # fmt: skip
    assert [state for state in left if state[0] != "Z"] == []


@pytest.mark.slow
def test_a_remote_that_is_slow_and_not_silent_is_waited_for(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULLBENCH_SILENCE", "4")
    slow = 'for _ in 1 2 3 4 5; do sleep 1; echo "Still at it" >&2; done; eval "$2"'
    small.git("remote", "add", "origin", over_ssh(small, monkeypatch, slow))
    write_records(small)
    assert commit(small.path, utc_now(), remote="origin").commit


@pytest.mark.slow
def test_a_connection_that_is_cut_short_is_named(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = f"{small.git('rev-parse', BRANCH)} refs/heads/{BRANCH}"
    begins = f"printf '{len(line) + 5:04x}{line}\\n'"  # and no end
    assert "cut short" in failure(small, over_ssh(small, monkeypatch, begins))


@pytest.mark.parametrize("status", ["401", "403"])
def test_a_remote_that_gives_no_right_is_named(small: Repository, web: str, status: str) -> None:
    assert "no right" in failure(small, f"{web}/{status}")


def test_what_a_remote_says_itself_is_shown(
    small: Repository, web: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluator.ci.git.partial_clone.time.sleep", lambda _: None)
    said = failure(small, f"{web}/503")
    assert "error: 503" in said
    assert WORDS.decode() in said


def test_objects_that_a_collection_of_garbage_took_decide_nothing(small: Repository) -> None:
    """`git gc --prune=now` beside a step: no head that moved, no conflict and no wrong usage."""
    repo, bare = open_repository(small.path), small.path.parent / "remote.git"
    begin = small.git("rev-parse", "HEAD")
    small.write("submissions/adding/alice/one/main.py", "print(1)\n")
    there = small.commit()
    small.git("reset", "--quiet", "--hard", begin)
    small.write("submissions/adding/bob/two/main.py", "print(1)\n")
    here = small.commit()
    small.git("update-ref", "refs/pull/1/head", here)
    small.git("clone", "--quiet", "--mirror", ".", str(bare))
    small.git("remote", "add", "origin", str(bare))
    tree = small.git("rev-parse", f"{there}^{{tree}}")
    (small.path / f".git/objects/{tree[:2]}/{tree[2:]}").unlink()
    with pytest.raises(PlatformError, match="run it again"):
        merge_commit(repo, here, there, utc_now())
    with pytest.raises(PlatformError, match="run it again"):
        read_tree(repo, "f" * 40)
    (small.path / ".git/refs/heads/other").write_text("f" * 40)
    source = PullRequestRef(base=BRANCH, head=here, remote="origin", number=1)
    with pytest.raises(PlatformError, match="run it again"):
        head_commit(repo, source, here)


def test_a_clone_without_what_it_is_a_part_of_blames_no_name(small: Repository) -> None:
    part = small.path.parent / "part"
    small.git("config", "uploadpack.allowFilter", "true")
    small.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{small.path}",
              str(part))  # fmt: skip
    small.git("-C", str(part), "remote", "remove", "origin")
    with pytest.raises(UsageError) as caught:
        load_snapshot(part).benchmark("adding")
    assert "A partial clone needs the remote" in caught.value.hint


def test_a_remote_that_is_unreachable_is_named(small: Repository) -> None:
    assert "unreachable" in failure(small, "http://127.0.0.1:1/x.git")


@pytest.mark.parametrize(
    ("words", "cause"),
    [("fatal: write error: No space left on device", "full"), ("Not on Fridays", "refused")],
)
def test_a_remote_that_is_full_or_refuses_is_named(
    small: Repository, tmp_path: Path, words: str, cause: str
) -> None:
    bare = tmp_path / "remote.git"
    small.git("clone", "--quiet", "--bare", ".", str(bare))
    hook = bare / "hooks/pre-receive"
    hook.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
    hook.chmod(0o755)
    assert cause in failure(small, str(bare))


def test_a_lock_of_a_killed_git_is_named_with_its_command(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branch, "LONGEST_WRITE", 1)  # how long it is waited for
    write_records(small)
    lock = small.path / f".git/refs/heads/{BRANCH}.lock"
    lock.touch()
    os.utime(lock, (0, 0))
    with pytest.raises(PlatformError, match=r"`rm '.*\.lock'`"):
        commit(small.path, utc_now())


def test_a_lock_that_a_killed_call_of_ours_left_is_removed(small: Repository) -> None:
    write_records(small)
    repo = open_repository(small.path)
    child = os.fork()
    if child == 0:
        with one_at_a_time(repo, "move"):
            (small.path / f".git/refs/heads/{BRANCH}.lock").touch()
            (small.path / ".git/index.lock").touch()
            os._exit(9)
    os.waitpid(child, 0)
    assert commit(small.path, utc_now()).commit
    assert small.status == ""


def test_a_writer_tries_for_as_long_as_the_branch_moves(
    small: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluator.ci.git.branch.time.sleep", lambda _: None)
    repo, others = open_repository(small.path), itertools.count()

    def accept(tip: str | None) -> dict[str, bytes]:
        if (number := next(others)) < 40:
            moved = branch.write_commit(repo, tip, {f"{number}": b"x"}, "Somebody else's")
            small.git("update-ref", f"refs/heads/{BRANCH}", moved)
        return {"mine": b"x"}

    assert add_files(repo, accept, lambda _: "Mine", branch=BRANCH, remote=None).retries == 40


@pytest.mark.slow
def test_a_push_that_takes_longer_than_a_lock_may_is_tried_again(
    small: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any load: only what is locked for all that time, and not a slow push, is given up."""
    bare = tmp_path / "remote.git"
    small.git("clone", "--quiet", "--bare", ".", str(bare))
    small.git("remote", "add", "origin", str(bare))
    lock = bare / f"refs/heads/{BRANCH}.lock"
    lock.touch()
    pushes = tmp_path / "pushes"
    hook = bare / "hooks/pre-receive"
    hook.write_text(f"#!/bin/sh\necho >> {pushes}\n[ $(wc -l < {pushes}) -lt 3 ] || rm {lock}\n"
                    "sleep 3.5\n")  # fmt: skip
    hook.chmod(0o755)
    monkeypatch.setattr(branch, "LONGEST_WRITE", 3)
    monkeypatch.setattr("evaluator.ci.git.branch.random.uniform", lambda *_: 0)
    done = add_files(open_repository(small.path), lambda _: {"mine": b"x"}, lambda _: "Mine",
                     branch=BRANCH, remote="origin")  # fmt: skip
    assert done.retries == 2


def _write(folder: str) -> None:
    name = Path(folder).name
    add_files(open_repository(Path(folder)), lambda _: {name: b"x"}, lambda _: name,
              branch=BRANCH, remote="origin")  # fmt: skip


@pytest.mark.slow
def test_writers_on_a_busy_machine_all_land(small: Repository, tmp_path: Path) -> None:
    bare = tmp_path / "remote.git"
    small.git("clone", "--quiet", "--bare", ".", str(bare))
    clones = [str(tmp_path / f"writer-{number}") for number in range(64)]
    for clone in clones:
        small.git("clone", "--quiet", "--bare", str(bare), clone)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        with get_context("spawn").Pool(64) as pool:
            pool.map(_write, clones, chunksize=1)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    listed = subprocess.run(["git", "-C", bare, "ls-tree", "--name-only", BRANCH],
                            capture_output=True, text=True, check=True).stdout.split()  # fmt: skip
    assert {Path(clone).name for clone in clones} <= set(listed)
