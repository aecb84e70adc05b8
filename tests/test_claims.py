"""Two runs in one tree evaluate no cell twice, and both end with all of them there."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from evaluator.compute.claims import Claims
from evaluator.git.commands import Repo
from evaluator.git.tree import open_repository
from evaluator.git.write.claims import CLAIMS, LEASE, RemoteClaims, remove_old_claims
from tests.repository import Repository, command

SLOW = """
import pathlib, time, uuid
(pathlib.Path("{log}") / uuid.uuid4().hex).touch()
time.sleep(0.5)
"""


def start(repo: Repository, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command(repo.path, "run", "--engine", "subprocess", *arguments), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


@pytest.fixture
def counted(small: Repository, tmp_path: Path) -> tuple[Repository, Path]:
    """A repository whose participants' programs leave a file in a folder each time they run."""
    evaluations = tmp_path / "evaluations"
    evaluations.mkdir()
    submissions = list((small.path / "submissions/adding").glob("*/*/main.py"))
    for path in submissions:
        name = str(path.relative_to(small.path))
        small.write(name, path.read_text() + SLOW.replace("{log}", str(evaluations)))
    small.commit("Programs that are counted")
    return small, evaluations


def test_two_runs_at_once_evaluate_each_cell_once(counted: tuple[Repository, Path]) -> None:
    repo, evaluations = counted
    planned = set(repo.reasons())
    runs = [start(repo, "--jobs", "1") for _ in range(2)]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    lines = [line for out, _ in outputs for line in re.findall(r"^\[.*?\] (.*)", out, re.M)]
    evaluated = [line.partition(":")[0] for line in lines if "by another run" not in line]
    assert sorted(evaluated) == sorted(planned), outputs
    assert set(repo.records()) == planned
    assert list(evaluations.iterdir())
    assert any("by another run" in line for line in lines), "they never met"
    assert not repo.reasons()


def test_cells_of_a_run_that_is_killed_are_taken_over(counted: tuple[Repository, Path]) -> None:
    repo, evaluations = counted
    first = start(repo, "--jobs", "1")
    end = time.monotonic() + 60
    while not list(evaluations.iterdir()):
        assert time.monotonic() < end
        time.sleep(0.02)
    second = start(repo, "--jobs", "1")
    time.sleep(0.3)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    out, errors = second.communicate(timeout=120)
    assert second.returncode == 0, out + errors
    assert not repo.reasons()


def test_two_machines_share_out_one_plan(counted: tuple[Repository, Path], tmp_path: Path) -> None:
    repo, _ = counted
    planned = set(repo.reasons())
    repo.git("clone", "--quiet", "--bare", str(repo.path), str(tmp_path / "origin.git"))
    machines = []
    for name in ("first", "second"):
        repo.git("clone", "--quiet", str(tmp_path / "origin.git"), str(tmp_path / name))
        machines.append(Repository(tmp_path / name))
    runs = [start(machine, "--jobs", "1", "--share", "origin") for machine in machines]
    outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    first, second = (set(machine.records()) for machine in machines)
    assert first | second == planned
    assert not first & second
    assert any("claimed by other machines at 'origin'" in out for out, _ in outputs)


def test_a_claim_lasts_as_long_as_its_lease(small: Repository, tmp_path: Path) -> None:
    small.git("clone", "--quiet", "--bare", ".", str(tmp_path / "origin.git"))
    repo = open_repository(small.path)
    remote = str(tmp_path / "origin.git")
    with RemoteClaims(repo, remote) as ours, RemoteClaims(repo, remote) as theirs:
        assert ours.take("done")
        assert ours.take("not done")
        assert not theirs.take("done")
        ours.done("done")
    with RemoteClaims(repo, remote) as theirs:
        assert not theirs.take("done")
        assert theirs.take("not done")
    name = small.git("ls-remote", remote, f"{CLAIMS}/*").split()[1]
    old = commit_of(repo, time.time() - LEASE - 1)
    small.git("push", "--quiet", "--force", remote, f"{old}:{name}")
    with RemoteClaims(repo, remote) as theirs:
        assert theirs.take("done")
        theirs.done("done")
    small.git("push", "--quiet", "--force", remote, f"{old}:{name}")
    remove_old_claims(repo, remote)
    assert small.git("ls-remote", remote, f"{CLAIMS}/*") == ""


def test_a_claim_of_a_machine_whose_clock_is_far_ahead_does_not_hold_for_ever(
    small: Repository, tmp_path: Path
) -> None:
    remote = str(tmp_path / "origin.git")
    small.git("clone", "--quiet", "--bare", ".", remote)
    repo = open_repository(small.path)
    with RemoteClaims(repo, remote) as theirs:
        assert theirs.take("cell")
        theirs.done("cell")
    name = small.git("ls-remote", remote, f"{CLAIMS}/*").split()[1]
    ahead = commit_of(repo, time.time() + 365 * 24 * 3600)
    small.git("push", "--quiet", "--force", remote, f"{ahead}:{name}")
    with RemoteClaims(repo, remote) as ours:
        assert ours.take("cell")
        ours.done("cell")
    small.git("push", "--quiet", "--force", remote, f"{ahead}:{name}")
    remove_old_claims(repo, remote)
    assert small.git("ls-remote", remote, f"{CLAIMS}/*") == ""


def commit_of(repo: Repo, at: float) -> str:
    date = str(int(at))
    tree = repo.git.hash_object("-w", "-t", "tree", os.devnull)
    environment = {"GIT_COMMITTER_DATE": f"@{date} +0000"}
    return str(repo.git.commit_tree(tree, "-m", "Claimed", env=environment))


def test_a_claim_is_anothers_until_it_is_dropped(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from evaluator.compute.claims import Claims\n"
        "with Claims(Path(sys.argv[1])) as claims: print(claims.take('a'), claims.take('b'))"
    )

    def ask() -> str:
        return subprocess.check_output(["python", "-c", code, str(tmp_path / "claims")], text=True)

    with Claims(tmp_path / "claims") as claims:
        assert claims.take("a")
        assert ask() == "False True\n"
        claims.drop("a")
        assert ask() == "True True\n"
