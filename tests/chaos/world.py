"""A forge whose clock goes as fast as things happen, with what it does by itself there."""

import heapq
import itertools
import random
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType

from tests.bench.repository import add_commit
from tests.chaos.jobs import JobError, Jobs
from tests.chaos.landed import git
from tests.site.conftest import ROOT
from tests.workflows.forge import LoopbackForge

_AT_ONCE = 2
"""Commands that run at once on this machine, however many jobs the forge has in progress."""
_OFTEN = 50
"""Merges after which the forge packs what it keeps, with an index for fetches."""
Then = Callable[[], None]


@dataclass(kw_only=True)
class Pull:
    """One pull request."""

    number: int
    participant: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    head: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    run: int = 0
    """Which of its runs counts: a push cancels the one before."""
    merged: bool = False

    @property
    def subject(self) -> str:
        return f"Merge pull request #{self.number} from {self.participant}/mine"


class World:
    """A forge and its clock; moments are seconds since it began."""

    def __init__(
        self, folder: Path, forge: LoopbackForge, seed: int, within: str = "tests.chaos.no_ops"
    ) -> None:
        """``within`` replaces parts of each command."""
        self.folder, self.forge = folder, forge
        self.chance = random.Random(seed)  # noqa: S311 - moments
        self.origin = folder / "origin.git"
        self.jobs = Jobs(folder, self.origin, forge.api, within)
        self.merges = 0
        self.replaced = 0
        """Runs of `publish` in whose place a newer one waits."""
        self.now = 0.0
        self.site_every = 0.0
        """Seconds for which a built site is good enough: building takes long on this machine."""
        self._built = float("-inf")
        self._publishing = self._waits = False
        concurrency = self.jobs.workflows["publish"]["concurrency"]
        assert "queue" not in concurrency and not concurrency["cancel-in-progress"]
        self._events: list[tuple[float, int, Then]] = []
        self._numbers = itertools.count()
        self._pool = ThreadPoolExecutor(_AT_ONCE)

    def pass_by(self) -> None:
        """Let everything happen, and what is still in progress end.

        An interrupt ends it early, as if nothing were to come.
        """
        with self._pool:
            try:
                self._happen()
            except KeyboardInterrupt:
                print(f"interrupted at {self.now / 3600:.1f} h", flush=True)
                self._events.clear()
                self._publishing = self._waits = False
            if self._built < self.now:  # the site shows what came last
                self.site_every = 0
                self._publish_next()
                self._happen()

    def _happen(self) -> None:
        while self._events:
            self.now, _, happen = heapq.heappop(self._events)
            happen()

    def later(self, soonest: float, latest: float, then: Then) -> None:
        moment = self.now + self.chance.uniform(soonest, latest)
        heapq.heappush(self._events, (moment, next(self._numbers), then))

    def submit(
        self,
        workflow: str,
        job: str,
        values: Mapping[str, str],
        outputs: dict[str, str],
        machine: Mapping[str, str] = MappingProxyType({}),
    ) -> Future[str]:
        """Run a job as soon as this machine has time."""
        return self._pool.submit(self.jobs.run, workflow, job, values, outputs, machine)

    def push(self, pull: Pull) -> None:
        """Write one commit on top of main as the head of a pull request."""
        reference = f"refs/pull/{pull.number}/head"
        stream = [f"commit {reference}\ncommitter P <p@localhost> 1790000000 +0000\n".encode(),
                  b"data 5\nEnter\nfrom refs/heads/main^0\n"]  # fmt: skip
        for path, content in pull.files.items():
            head = f"M 100644 inline {path}\ndata {len(content)}\n"
            stream += [head.encode(), content, b"\n"]
        write = ["git", "-C", str(self.origin), "fast-import", "--quiet", "--force"]
        subprocess.run(write, input=b"".join(stream), check=True)
        pull.head = git(self.origin, "rev-parse", reference)

    def merge(self, pull: Pull, head: str) -> str:
        """Merge a head of it as the forge does; returns the commit."""
        while True:
            tip = git(self.origin, "rev-parse", "refs/heads/main")
            tree = git(self.origin, "merge-tree", "--write-tree", tip, head)
            commit = git(self.origin, "commit-tree", tree, "-p", tip, "-p", head,
                         "-m", pull.subject)  # fmt: skip
            try:
                git(self.origin, "update-ref", "refs/heads/main", commit, tip)
                break
            except subprocess.CalledProcessError:
                continue  # `collect` was quicker
        pull.merged = True
        self.forge.pulls[pull.number] |= {"state": "closed", "merged": True}
        return commit

    def main_moved(self) -> None:
        """A run of `publish` begins, or takes the place of the one that waits."""
        self.merges += 1
        if self.merges % _OFTEN == 0:
            git(self.origin, "repack", "-q", "-a", "-d", "--keep-unreachable", "-b")
            git(self.origin, "commit-graph", "write", "--reachable")
            git(self.origin, "pack-refs", "--all")
            print(f"{self.merges} merged by {self.now / 3600:.1f} h: {self.costs()}", flush=True)
        self._publish_next()

    def _publish_next(self) -> None:
        if not self._publishing:
            self._publishing = True
            self.later(10, 40, self._publish)
        else:
            self.replaced += self._waits
            self._waits = True

    def _publish(self) -> None:
        outputs: dict[str, str] = {}
        collected = self.submit("publish", "collect", {}, outputs)

        def build() -> None:
            text = collected.result()
            if "landed otherwise" in text:
                raise JobError(text)
            if outputs["count"] != "0":
                self.evaluate_planned(text, outputs, show)
            else:
                show()

        def show() -> None:
            if self.now - self._built < self.site_every:
                end()
                return
            self._built = self.now
            built = self.submit("publish", "site", {}, {})
            self.later(90, 240, partial(end, built))

        def end(built: Future[str] | None = None) -> None:
            if built is not None:
                built.result()
            self._publishing = False
            if self._waits:
                self._waits = False
                self._publish_next()

        self.later(60, 180, build)

    def evaluate_planned(self, text: str, _outputs: dict[str, str], _then: Then) -> None:
        """What has scores by its pull request is not planned: a fault, unless a world knows why."""
        raise JobError(text)

    def costs(self) -> str:
        """Return how often each command ran, and how long on average."""
        return ", ".join(
            f"{job} {count} x {self.jobs.seconds[job] / 1000 / count:.2f} s"
            for job, count in self.jobs.runs.items()
        )


def prepare(origin: Path, files: Mapping[str, bytes], settings: str) -> None:
    """Make a repository with a benchmark that nobody has entered."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
        plain = (ROOT / "mkdocs.yml").read_text().partition("nav:")[0]
        add_commit(Path(folder), dict(files) | {
            "pyproject.toml": settings.encode(), ".gitignore": b"/build/\n",
            "mkdocs.yml": plain.encode(), "site/index.md": b"# Home\n",
        })  # fmt: skip
        git(origin.parent, "clone", "-q", "--bare", folder, str(origin))
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(origin, "config", key, "true")
    git(origin, "config", "receive.hideRefs", "refs/pull")  # as GitHub does
    for key, value in (("gc.auto", "0"), ("user.name", "forge"), ("user.email", "f@localhost")):
        git(origin, "config", key, value)
