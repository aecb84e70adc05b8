"""A machine that fails: exit code 3 and what to do, never a defect of pullbench."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.scores.test_running import volumes, volumes_of, wait_until
from tests.plugins.archive.test_archiving import end
from tests.records import write_records
from tests.repository import Repository, command

ONE = "adding/alice/right/main/one"
RECORD = "submissions/adding/alice/right/scores/main.json"
_SUDO = () if os.geteuid() == 0 else ("sudo", "-n")


def as_root(*arguments: str) -> None:
    subprocess.run([*_SUDO, *arguments], check=True, capture_output=True)


class Volume:
    """A file system of its own, in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def mount(self, options: str) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        owner = f"uid={os.getuid()},gid={os.getgid()}"
        as_root("mount", "-t", "tmpfs", "-o", f"{options},{owner}", "tmpfs", str(self.path))

    def remount(self, options: str) -> None:
        as_root("mount", "-o", f"remount,{options}", str(self.path))


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Volume]:
    made = Volume(tmp_path / "volume")
    yield made
    if made.path.is_mount():
        as_root("umount", "-l", str(made.path))


def says(done: subprocess.CompletedProcess[str], *texts: str) -> None:
    said = done.stdout + done.stderr
    assert done.returncode == 3, said
    assert "defect" not in said
    for text in texts:
        assert text in said


def put(small: Repository, volume: Volume, folder: str, options: str) -> None:
    """Let a folder of the repository lie on the volume."""
    volume.mount(options)
    (small.path / folder).parent.mkdir(parents=True, exist_ok=True)
    (small.path / folder).symlink_to(volume.path)


def fill(volume: Volume) -> None:
    with (volume.path / "filling").open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)) == 4096:
                pass
        except OSError:
            return


@pytest.mark.slow
@pytest.mark.docker
def test_a_full_disk(small: Repository, volume: Volume) -> None:
    put(small, volume, "build/run", "size=16k")
    fill(volume)
    says(small.pullbench("run", ONE), "no space or no inodes are left", "df -h")


@pytest.mark.docker
def test_a_disk_without_inodes(small: Repository, volume: Volume) -> None:
    put(small, volume, "build/run", "size=1m,nr_inodes=2")
    says(small.pullbench("run", ONE), "no space or no inodes are left", "df -i")


@pytest.mark.docker
def test_a_disk_that_fills_while_cells_are_evaluated(small: Repository, volume: Volume) -> None:
    """A cell whose predictions cannot be kept has a record that says so, and costs no other."""
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    put(small, volume, "build/predictions", "size=16k")
    fill(volume)
    says(small.pullbench("run", "adding/alice", "echo"), "no space or no inodes are left")
    assert [item.status for item in small.records().values()] == ["failed", "failed", "finished"]


@pytest.mark.docker
def test_a_read_only_file_system(small: Repository, volume: Volume) -> None:
    put(small, volume, "build/run", "size=1m")
    volume.remount("ro")
    says(small.pullbench("run", ONE), "the file system is read-only", "Mount it writable")
    assert small.pullbench("plan").returncode == 0


def test_a_commit_on_a_full_disk(small: Repository, volume: Volume) -> None:
    write_records(small)
    head = small.git("rev-parse", "HEAD")
    shutil.rmtree(small.path / ".git/objects/pack")
    put(small, volume, ".git/objects/pack", "size=16k")
    fill(volume)
    says(small.pullbench("commit"), "git could not write a commit", "df -h")
    assert small.git("rev-parse", "HEAD") == head


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_a_remote_without_room_is_named_wherever_it_ends(
    small: Repository, volume: Volume, every: int
) -> None:
    """git says in one place that a disk is full, in others that it could not write a file."""
    write_records(small)
    end(small)
    volume.mount("size=64m")
    elsewhere = volume.path / "elsewhere"
    subprocess.run(["git", "init", "--quiet", "--bare", str(elsewhere)], check=True)
    status = os.statvfs(volume.path)
    used = (status.f_blocks - status.f_bfree) * status.f_frsize // 1024
    inodes = status.f_files - status.f_ffree
    sizes = [f"size={used + free}k" for free in range(12, 64, 4)]
    ends = [*(f"size=64m,nr_inodes={inodes + n}" for n in range(1, 12)), *sizes]
    for options in ends[::every]:
        volume.remount(options)
        done = small.pullbench("archive", "adding/main", "--to", str(elsewhere))
        if done.returncode:
            says(done, "does not take the archive")
            assert re.search("full|used up|Free space", done.stderr), done.stderr
            assert "see that you may push" not in done.stderr


def test_a_folder_of_another_user(small: Repository) -> None:
    as_root("chown", "-R", "12345", str(small.path))
    try:
        for verb in ("plan", "validate", "commit"):
            says(small.pullbench(verb), "git config --global --add safe.directory")
    finally:
        as_root("chown", "-R", str(os.getuid()), str(small.path))
    assert small.pullbench("plan").returncode == 0


@pytest.mark.slow
def test_a_left_lock_of_the_index(small: Repository) -> None:
    write_records(small)
    head = small.git("rev-parse", "HEAD")
    lock = small.write(".git/index.lock", "")
    says(small.pullbench("commit"), str(lock), "nothing was committed", "Wait")
    os.utime(lock, (0, 0))
    says(small.pullbench("commit"), "nothing was committed", f"`rm '{lock}'`")
    assert small.git("rev-parse", "HEAD") == head
    assert small.pullbench("plan").returncode == 0
    lock.unlink()
    assert small.pullbench("commit").returncode == 0
    assert small.status == ""


def damage(repo: Repository, path: str) -> None:
    name = repo.git("rev-parse", f"HEAD:{path}")
    file = repo.path / ".git/objects" / name[:2] / name[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:10] + b"\0\1\2\3")


@pytest.mark.docker
def test_one_damaged_object_costs_one_cell(small: Repository) -> None:
    """That of alice's program costs her two cells; those of the others are evaluated."""
    small.write("pyproject.toml", "[tool.pullbench]\nretries = 0\n")
    small.commit("Settings")
    damage(small, "submissions/adding/alice/right/main.py")
    says(small.pullbench("run"), "git cannot read the object", "git fsck")
    records = small.records()
    assert len(records) == 5
    failed = {cell for cell, record in records.items() if record.status == "failed"}
    assert failed == {cell for cell in records if "/alice/right/" in cell}
    assert all(records[cell].is_platform_fault for cell in failed)


@pytest.mark.docker
def test_one_damaged_file_of_scores_is_evaluated_again(small: Repository) -> None:
    write_records(small)
    small.commit("Records")
    damage(small, RECORD)
    assert list(small.reasons()) == [ONE, ONE.replace("one", "two")]
    done = small.pullbench("run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 finished, 0 failed" in done.stdout


def test_one_damaged_description_costs_one_submission(small: Repository) -> None:
    damage(small, "submissions/adding/alice/right/submission.yaml")
    done = small.pullbench("validate")
    assert done.returncode == 1
    assert "right/submission.yaml: cannot be read from git" in done.stdout
    assert "[platform must act]" in done.stdout
    assert len(small.reasons()) == 3


def test_a_damaged_list_of_files(small: Repository) -> None:
    name = small.git("rev-parse", "HEAD:submissions")
    file = small.path / ".git/objects" / name[:2] / name[2:]
    file.chmod(0o644)
    file.write_bytes(b"\0\1\2\3")
    says(small.pullbench("plan"), "git failed", "git fsck")


CLEAR = """
import sys
from pathlib import Path
from evaluator.core.compute.run_folder import RunFolder
with RunFolder(Path(sys.argv[1])) as folder:
    folder.clear_dead(bool)
"""


def test_runs_that_clear_the_same_at_once(tmp_path: Path) -> None:
    for number in range(600):
        dead = tmp_path / f"dead-{number}"
        dead.mkdir()
        (dead / "lock").touch()
    runs = [
        subprocess.Popen([sys.executable, "-c", CLEAR, str(tmp_path)], stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    ends = [(run.communicate()[1].decode(), run.returncode) for run in runs]
    assert ends == [("", 0)] * 4
    assert list(tmp_path.iterdir()) == []


@pytest.mark.docker
def test_who_clears_the_folder_of_a_run_is_told(small: Repository) -> None:
    small.write("submissions/adding/alice/right/main.py", "import time\ntime.sleep(2)\nadd = sum\n")
    small.commit("A slow program")
    with subprocess.Popen(
        command(small.path, "run", "adding/alice"), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as run:  # fmt: skip
        wait_until(lambda: list(small.path.glob("build/run/*/*/")))
        while not (used := volumes_of(small)):
            assert run.poll() is None
        shutil.rmtree(small.path / "build", ignore_errors=True)
        out, errors = run.communicate(timeout=120)
    done = subprocess.CompletedProcess(run.args, run.returncode, out, errors)
    says(done, "went away while it was used", "what was finished is kept")
    assert used
    assert not used & volumes(), "its containers and volumes go with it"
