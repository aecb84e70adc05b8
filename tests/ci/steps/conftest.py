"""A repository with a bare origin, as a forge has it, and pull requests to it."""

import datetime as dt
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.ci.ledger.ledger import Ledger, read_ledger
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.core.clock import utc_now
from evaluator.core.formats.record import Record
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.cells import cells
from tests.records import record_of
from tests.repository import BRANCH, Repository, put_record
from tests.steps import proposed

NOON = dt.datetime(2026, 3, 10, 12, tzinfo=dt.UTC)
TODAY = utc_now() + dt.timedelta(hours=12)
"""After the end of what tests evaluate, whose records bear the machine's time."""
ORGANISER = "olga"
Files = dict[str, str | bytes | None]
"""Path -> content; None removes."""
SETTINGS = (
    f'[tool.pullbench]\norganisers = ["{ORGANISER}"]\n\n[tool.pullbench.teams]\ncats = ["dora"]\n'
)
LEDGER = "pullbench-ledger"


@dataclass
class Forge:
    """What a forge keeps: a bare repository, with a reference for each pull request's head."""

    origin: Path
    ours: Repository
    """Clone in which CI works; it stands on the base branch."""
    theirs: Repository
    """Clone of whoever opens pull requests."""
    folder: Path

    def open(self, number: int, files: Files, base: str = "origin/main") -> PullRequestRef:
        """Open a pull request, or push to it: one commit on top of ``base``."""
        branch = f"pull-{number}"
        self.theirs.git("fetch", "--quiet", "origin")
        self.theirs.git("checkout", "--quiet", "--force", "-B", branch, base)
        for path, content in files.items():
            if content is None:
                self.theirs.git("rm", "-rq", path)
            else:
                self.theirs.write(path, content)
        head = self.theirs.commit(f"Pull request {number}")
        return self.push(number, head)

    def push(self, number: int, head: str) -> PullRequestRef:
        self.theirs.git("push", "--quiet", "--force", "origin", f"{head}:refs/pull/{number}/head")
        return PullRequestRef(base=BRANCH, head=head, remote="origin", number=number)

    def merge(
        self, source: PullRequestRef, now: dt.datetime = NOON, message: str = "Merge"
    ) -> None:
        """Press the button: a merge commit on the base branch."""
        self.theirs.git("fetch", "--quiet", "origin")
        self.theirs.git("checkout", "--quiet", "--force", "--detach", "origin/main")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GIT_COMMITTER_DATE", now.isoformat())
            assert os.environ["GIT_COMMITTER_DATE"]
            self.theirs.git("merge", "--quiet", "--no-ff", "-m", message, source.head)
        self.theirs.git("push", "--quiet", "origin", f"HEAD:refs/heads/{BRANCH}")
        self.ours.git("pull", "--quiet", "--ff-only", "origin", BRANCH)

    @property
    def ledger(self) -> Ledger:
        repo = open_repository(self.origin)
        tip = repo.git.ask("rev-parse", "--verify", "--quiet", f"refs/heads/{LEDGER}")
        return read_ledger(repo, tip)

    def evaluate(self, source: PullRequestRef, now: dt.datetime = NOON, **changes: object) -> Path:
        """Hand in records of all cells of a proposal, as jobs would; returns their folder."""
        taken = proposed(self.ours.path, source, now)
        for cell in cells(taken, now):
            if cell.id not in taken.record_files:
                self.hand_in(record_of(cell, **changes))
        return self.folder

    def hand_in(self, record: Record, job: str = "") -> None:
        """As the job's artifact; without one as a run of one's own."""
        place = self.folder / f"records-{job}" if job else self.folder
        put_record(place, record)


@pytest.fixture
def forge(tmp_path: Path, small: Repository) -> Forge:
    """The bundle ``small`` on a bare origin, with nobody's submissions but alice's and bob's."""
    return make_forge(tmp_path, small)


def make_forge(tmp_path: Path, small: Repository) -> Forge:
    small.write("pyproject.toml", SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", (NOON - dt.timedelta(days=9)).isoformat())
        small.commit("Settings")
    return on_origin(small, tmp_path)


def evaluated_bundle(folder: Path, name: str) -> Repository:
    """A repository with a bundle of tests, everything of it evaluated and committed."""
    repo = Repository(folder / "repo")
    repo.copy_bundle(name)
    repo.write("pyproject.toml", SETTINGS)
    repo.commit("A benchmark")
    done = repo.pullbench("run")
    assert done.returncode == 0, done.stdout + done.stderr
    repo.commit("Records")
    assert not repo.reasons()
    return repo


def forge_of(evaluated: Repository, folder: Path) -> Forge:
    """A repository that several tests share, on a bare origin of one test."""
    shutil.copytree(evaluated.path, folder / "repo", symlinks=True)
    return on_origin(Repository(folder / "repo"), folder)


def on_origin(repo: Repository, folder: Path) -> Forge:
    origin = folder / "origin.git"
    repo.git("clone", "--quiet", "--bare", str(repo.path), str(origin))
    repo.git("remote", "add", "origin", str(origin))
    # As at a forge, the remote's own processes outlive the client's.
    repo.git("config", "remote.origin.receivepack", "setsid git-receive-pack")
    repo.git("fetch", "--quiet", "origin")
    theirs = Repository(folder / "theirs")
    theirs.git("remote", "add", "origin", str(origin))
    return Forge(origin=origin, ours=repo, theirs=theirs, folder=folder / "handed-in")


def entry(participant: str, name: str = "one", content: str = "print(1)\n") -> Files:
    """Files of a submission to the benchmark ``adding``."""
    folder = f"submissions/adding/{participant}/{name}"
    return {f"{folder}/submission.yaml": "kind: code\n", f"{folder}/main.py": content}
