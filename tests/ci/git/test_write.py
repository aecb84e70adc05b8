"""Records onto a branch that may move, beside work that nobody committed."""

import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec import structs

from evaluator.ci.git import branch
from evaluator.ci.git.branch import Committed, add_files
from evaluator.ci.git.inbox import hand_in, read_inbox
from evaluator.ci.git.watching import one_at_a_time, own_file
from evaluator.ci.scores.collecting import collect
from evaluator.ci.scores.commit import commit as commit_scores
from evaluator.core.clock import utc_now
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.record_lines import to_json
from evaluator.core.formats.scores_file import decode
from evaluator.core.git.tree import open_repository
from tests.records import cells_of, record_of, write_records
from tests.repository import BRANCH, Repository

ROOT = Path(__file__).parents[3]
ONE = "adding/alice/right/main/one"
RIGHT = "submissions/adding/alice/right"


def commit(repo: Repository, remote: str | None = None, source: Path | None = None) -> Committed:
    return commit_scores(repo.path, utc_now(), remote=remote, source=source)


@pytest.fixture
def remote(small: Repository, tmp_path: Path) -> Repository:
    """The clone ``small`` pushes to; a second clone stands for somebody else."""
    bare = tmp_path / "remote.git"
    small.git("clone", "--quiet", "--bare", ".", str(bare))
    small.git("remote", "add", "origin", str(bare))
    small.git("fetch", "--quiet", "origin")
    small.git("clone", "--quiet", str(bare), str(tmp_path / "other"))
    return Repository(tmp_path / "other")


def push(repo: Repository, path: str, content: str) -> str:
    """Somebody else pushes a change."""
    repo.git("pull", "--quiet", "origin", BRANCH)
    repo.write(path, content)
    made = repo.commit("Somebody else's")
    repo.git("push", "--quiet", "origin", BRANCH)
    return made


def at_remote(repo: Repository) -> str:
    return repo.git("ls-remote", "origin", f"refs/heads/{BRANCH}").split()[0]


def test_an_entry_that_is_measured_again_keeps_its_arrival(small: Repository) -> None:
    cell = cells_of(small)[ONE]
    small.put(record_of(cell))
    commit(small)
    again = record_of(cell, scores=dict.fromkeys(record_of(cell).scores, 0.75))
    times = {
        "submitted": "2026-02-01T00:00:00+00:00", "started": "2026-02-01T00:00:00+00:00",
        "finished": "2026-02-01T00:00:02+00:00",
    }  # fmt: skip
    provenance = again.provenance.replace(**times)
    small.put(again.replace(provenance=provenance))
    commit(small)
    now = small.record(cell.id)
    assert now.provenance.started.startswith("2026-02-01")
    assert now.provenance.submitted == record_of(cell).provenance.submitted


def test_the_race_here_is_dated_by_arrival() -> None:
    arrived = {
        "grace": "2026-11-02T09:12:40", "heidi": "2026-11-03T18:31:05",
        "ivan": "2026-11-05T07:45:22", "judy": "2026-11-07T20:14:51",
        "kim": "2026-11-10T12:02:33", "hill-climber": "2026-11-13T16:40:09",
        "laura": "2026-11-16T21:55:47", "frank": "2026-11-28T11:33:40",
    }  # fmt: skip
    for file in ROOT.glob("submissions/sorting-race/*/*/scores/final.json"):
        scores = decode(file.read_bytes())
        for run in scores.runs.values():
            at = arrived.get(scores.participant, "2026-11-21T02:02:03")
            assert run.submitted == f"{at}+00:00"


def test_one_commit_with_all_records(small: Repository) -> None:
    before = small.git("rev-parse", "HEAD")
    paths = write_records(small)
    done = commit(small)
    assert sorted(done.paths) == paths
    assert done.commit == small.git("rev-parse", "HEAD")
    assert small.git("rev-parse", "HEAD^") == before
    assert small.status == ""
    assert small.reasons() == {}
    assert small.git("show", "--format=%an %s", "--name-only").split("\n\n") == [
        "Tester Record 5 cells of adding, echo", "\n".join(paths),
    ]  # fmt: skip
    assert small.git("for-each-ref", "refs/pullbench") == ""


def test_nothing_to_do(small: Repository) -> None:
    assert commit(small).commit is None
    write_records(small)
    head = commit(small).commit
    assert commit(small) == Committed(commit=None, paths=(), retries=0)
    assert small.git("rev-parse", "HEAD") == head


def test_onto_a_remote(small: Repository, remote: Repository) -> None:
    write_records(small)
    done = commit(small, "origin")
    assert done.commit == at_remote(small) == small.git("rev-parse", "HEAD")
    assert small.status == ""
    assert at_remote(remote) == done.commit


def test_a_remote_that_has_moved_before(small: Repository, remote: Repository) -> None:
    """The clone is behind; its own branch stays where it is, for its owner to pull."""
    theirs = push(remote, "README", "theirs")
    here = small.git("rev-parse", "HEAD")
    write_records(small, ONE)
    done = commit(small, "origin")
    assert done.commit == at_remote(small)
    assert small.git("rev-parse", f"{done.commit}^") == theirs
    assert small.git("rev-parse", "HEAD") == here


def test_a_remote_that_moves_meanwhile(small: Repository, remote: Repository) -> None:
    """Somebody pushes between our look at the branch and our push, three times."""
    repo = open_repository(small.path)
    pushed: list[str] = []

    def accept(tip: str | None) -> Mapping[str, bytes]:
        if len(pushed) < 3:
            pushed.append(push(remote, "README", f"theirs {len(pushed)}"))
        return {f"{RIGHT}/scores/main.json": b"{}"}

    done = add_files(repo, accept, lambda _: "Scores\n", branch=BRANCH, remote="origin")
    assert done.retries == 3
    assert done.commit == at_remote(small)
    log = small.git("log", "--format=%s", done.commit or "").splitlines()
    assert log == ["Scores", *["Somebody else's"] * 3, "Add small"]


def test_a_clone_keeps_up_although_the_command_that_moved_its_branch_died(
    small: Repository, remote: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert remote
    write_records(small)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(branch, "follow", die)
        with pytest.raises(KeyboardInterrupt):
            commit(small, "origin")
    assert at_remote(small) != small.git("rev-parse", "HEAD")
    assert commit(small, "origin").commit is None
    assert at_remote(small) == small.git("rev-parse", "HEAD")
    assert small.status == ""


def test_no_reference_is_deleted(small: Repository, remote: Repository) -> None:
    """A git that is killed while it deletes one leaves this lock, and then none can be."""
    (small.path / ".git/packed-refs.lock").touch()
    theirs = push(remote, "README", "theirs")
    write_records(small)
    done = commit(small, "origin")
    assert small.git("rev-parse", f"{done.commit}^") == theirs
    repo = open_repository(small.path)
    name = hand_in(repo, "origin", {"a": b"1"})
    assert list(read_inbox(repo, "origin")) == [name]
    assert small.git("for-each-ref", "refs/pullbench") == ""


def test_a_local_branch_that_moves_meanwhile(small: Repository) -> None:
    repo = open_repository(small.path)
    moved: list[str] = []

    def accept(tip: str | None) -> Mapping[str, bytes]:
        if not moved:
            small.write("README", "mine")
            moved.append(small.commit("Mine"))
        return {f"{RIGHT}/scores/main.json": b"{}"}

    done = add_files(repo, accept, lambda _: "Scores\n", branch=BRANCH, remote=None)
    assert done.retries == 1
    assert small.git("rev-parse", "HEAD^") == moved[0]


def test_records_that_became_stale_meanwhile_are_left_out(
    small: Repository, remote: Repository
) -> None:
    write_records(small)
    push(remote, "benchmarks/adding/scoring_program/scoring.py", "print(1)\n")
    done = commit(small, "origin")
    assert done.paths == ("submissions/echo/alice/same/scores/main.json",)


def test_stale_records_are_not_committed(small: Repository) -> None:
    write_records(small)
    small.write("benchmarks/adding/scoring_program/scoring.py", "print(1)\n")
    small.git("commit", "--quiet", "--message", "Another scorer", "benchmarks")
    assert len(commit(small).paths) == 1
    assert len(small.reasons("HEAD")) == 4


def test_records_of_uncommitted_work_are_not_committed(small: Repository) -> None:
    small.write(f"{RIGHT}/main.py", "def add(numbers):\n    return 1\n")
    write_records(small)
    assert [path for path in commit(small).paths if "alice/right" in path] == []


def test_the_record_of_another_cell_is_refused(small: Repository) -> None:
    cells = cells_of(small)
    other = cells["adding/bob/wrong/main/one"]
    small.write(cells[ONE].id.scores_path, to_json(record_of(other)))
    head = small.git("rev-parse", "HEAD")
    with pytest.raises(UsageError, match="is the file of adding/bob/wrong/main"):
        commit(small)
    assert small.git("rev-parse", "HEAD") == head


def test_records_made_without_isolation_are_taken_only_when_asked_for(
    small: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = cells_of(small)[ONE]
    record = record_of(cell)
    trusted = record.provenance.replace(isolation="none")
    small.put(record.replace(provenance=trusted))
    with pytest.raises(UsageError, match="1 record came without isolation"):
        commit(small)
    assert f"left out: {ONE}: it ran without isolation" in capsys.readouterr().out
    done = commit_scores(small.path, utc_now(), unisolated=True)
    assert done.paths == (cell.id.scores_path,)


@pytest.mark.parametrize("content", [b"", b"{}", b"[" * 100_000])
def test_what_is_no_record_is_refused(small: Repository, content: bytes) -> None:
    small.write(f"{RIGHT}/scores/main.json", content)
    with pytest.raises(UsageError, match=r"main\.json"):
        commit(small)


def test_cells_that_do_not_exist_are_left_out(small: Repository) -> None:
    cell = cells_of(small)[ONE]
    ghost = record_of(cell)
    name = structs.replace(ghost.cell, task="ghost")
    small.put(ghost.replace(cell=name))
    assert commit(small).commit is None


def test_links_are_not_followed(small: Repository, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_bytes(to_json(record_of(cells_of(small)[ONE])))
    path = small.path / RIGHT / "scores/main.json"
    path.parent.mkdir(parents=True)
    path.symlink_to(secret)
    with pytest.raises(UsageError, match="a link leads to it"):
        commit(small)


def test_from_a_folder(small: Repository, tmp_path: Path) -> None:
    """As in CI: one job runs cells into a folder, another commits them."""
    paths = write_records(small)
    (small.path / "submissions").rename(tmp_path / "submissions")
    small.git("checkout", "--", ".")
    done = commit(small, source=tmp_path)
    assert sorted(done.paths) == paths
    assert small.status == ""
    assert small.record_paths() == paths
    assert small.reasons() == {}


def test_the_working_tree_keeps_up_with_the_branch(small: Repository, tmp_path: Path) -> None:
    """What nobody changed follows; what somebody changed, or a link leads to, stays."""
    paths = write_records(small)
    source = tmp_path / "records"
    source.mkdir()
    (small.path / "submissions").rename(source / "submissions")
    small.git("checkout", "--", ".")
    changed, linked = f"{RIGHT}/scores/main.json", "submissions/adding/bob/wrong/scores"
    small.write(changed, "mine\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (small.path / linked).symlink_to(elsewhere)
    done = commit(small, source=source)
    assert sorted(done.paths) == paths
    assert (small.path / changed).read_text() == "mine\n"
    assert list(elsewhere.iterdir()) == []
    for path in {path for path in paths if not path.startswith(linked)} - {changed}:
        assert (small.path / path).read_bytes() == (source / path).read_bytes()


def test_a_record_that_got_its_history_is_the_committed_one_here_too(
    small: Repository,
) -> None:
    write_records(small)
    commit(small)
    small.write("benchmarks/adding/scoring_program/scoring.py", "print(1)\n")
    small.commit("Another scorer")
    (path,) = write_records(small, ONE)
    done = commit(small)
    assert done.paths == (path,)
    assert small.status == ""
    assert '"earlier"' in (small.path / path).read_text()
    assert commit(small).commit is None


def test_uncommitted_work_stays_as_it_is(small: Repository) -> None:
    write_records(small, ONE)
    small.write("staged.txt", "staged")
    small.git("add", "staged.txt")
    small.write("benchmarks/echo/overview.md", "changed")
    small.write("untracked.txt", "untracked")
    before = small.status.splitlines()
    assert commit(small).paths == (f"{RIGHT}/scores/main.json",)
    after = small.status.splitlines()
    assert after == [line for line in before if "scores" not in line]
    assert small.git("show", "--format=", "--name-only") == f"{RIGHT}/scores/main.json"
    assert (small.path / "benchmarks/echo/overview.md").read_text() == "changed"


def test_hooks_and_filters_do_not_act(small: Repository) -> None:
    for hook in ("pre-commit", "commit-msg", "pre-push", "post-checkout"):
        small.write(f".git/hooks/{hook}", "#!/bin/sh\nexit 1\n").chmod(0o755)
    small.git("config", "filter.shout.clean", "tr a-z A-Z")
    small.write(".gitattributes", "*.json filter=shout\n")
    (path,) = write_records(small, ONE)
    content = (small.path / path).read_text()
    done = commit(small)
    assert small.git("cat-file", "blob", f"{done.commit}:{path}") == content.rstrip("\n")


@pytest.mark.parametrize("branch", ["absent", "a b", "--all", "x\x1b[31m"])
def test_branches_that_do_not_exist(small: Repository, branch: str) -> None:
    with pytest.raises(UsageError, match="there is no branch") as caught:
        collect(small.path, utc_now(), branch=branch)
    assert "\x1b" not in str(caught.value)


def test_a_detached_head_needs_a_branch(small: Repository) -> None:
    write_records(small)
    small.git("checkout", "--quiet", "--detach")
    with pytest.raises(UsageError, match="on no branch"):
        commit(small)


def test_a_remote_that_refuses(small: Repository, remote: Repository) -> None:
    hook = Path(small.git("remote", "get-url", "origin")) / "hooks/update"
    hook.write_text("#!/bin/sh\necho 'this branch is protected'\nexit 1\n")
    hook.chmod(0o755)
    write_records(small)
    with pytest.raises(PlatformError, match="cannot be moved"):
        commit(small, "origin")


def test_one_push_takes_along_all_who_wait(repo: Repository, tmp_path: Path) -> None:
    origin = tmp_path / "inbox.git"
    subprocess.run(["git", "init", "-q", "--bare", str(origin)], check=True)
    hook = origin / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho >> pushes\n")
    hook.chmod(0o755)
    clone = open_repository(tmp_path / "repo")
    with ThreadPoolExecutor(8) as pool:
        with one_at_a_time(clone, "outbox"):
            jobs = [
                pool.submit(hand_in, clone, str(origin), {"a": b"%d" % number})
                for number in range(8)
            ]
            while len(list(own_file(clone, "").glob("outbox-*/*"))) < 8:
                time.sleep(0.01)
        names = {job.result() for job in jobs}
    assert len(names) == 8
    assert read_inbox(clone, str(origin)).keys() == names
    assert (origin / "pushes").read_text() == "\n"


def test_who_cannot_be_pushed_holds_up_nobody_who_waits(repo: Repository, tmp_path: Path) -> None:
    origin = tmp_path / "inbox.git"
    subprocess.run(["git", "init", "-q", "--bare", str(origin)], check=True)
    clone = open_repository(tmp_path / "repo")
    names = {hand_in(clone, str(origin), {"a": b"1"})}
    (outbox,) = own_file(clone, "").glob("outbox-*")
    (outbox / ("1" * 40)).touch()
    names.add(hand_in(clone, str(origin), {"a": b"2"}))
    assert read_inbox(clone, str(origin)).keys() == names
