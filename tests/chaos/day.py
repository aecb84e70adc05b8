"""A day of a busy forge: many pull requests come, are evaluated and merged, and the site follows.

``python -m tests.chaos.day N`` lets N pull requests come at random moments of one day, most of them
towards its end. The forge is the tests' own, and its clock goes as fast as things happen; git and
every command are real, containers are no-ops. What jobs check out and which command they call is
read from the workflows, and so is what the forge does with runs that wait.
"""

import argparse
import heapq
import itertools
import json
import random
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.bench.repository import add_commit, bundle, submission
from tests.chaos.jobs import JobError, Jobs
from tests.chaos.landed import BENCHMARK, TASKS, check_landed, check_ledger, git
from tests.chaos.no_ops import SCORES
from tests.ci.pull_requests.conftest import LEDGER, ORGANISER
from tests.commands import end as end_commands
from tests.site.conftest import ROOT
from tests.workflows.forge import ADDRESS, LoopbackForge, loopback_forge

SETTINGS = f'[tool.pullbench]\nforge = "{ADDRESS}"\norganisers = ["{ORGANISER}"]\n'
_MOVES = 0.1
"""Share of pull requests whose participant pushes again."""
_AT_ONCE = 2
"""Commands that run at once on this machine, however many jobs the forge has in progress."""
_OFTEN = 50
"""Merges after which the forge packs its objects."""
Then = Callable[[], None]


@dataclass(kw_only=True)
class Pull:
    """One pull request."""

    number: int
    participant: str
    score: int
    head: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    run: int = 0
    """Which of its runs counts: a push cancels the one before."""
    merged: bool = False

    @property
    def files(self) -> dict[str, bytes]:
        name = f"entry{self.number}"
        place = f"submissions/{BENCHMARK}/{self.participant}/{name}/{SCORES}"
        scores = json.dumps({"score": self.score}).encode()
        return submission(BENCHMARK, self.participant, name) | {place: scores}

    @property
    def subject(self) -> str:
        return f"Merge pull request #{self.number} from {self.participant}/mine"


class Day:
    """A forge, its clock, and everybody who does something there."""

    def __init__(
        self, folder: Path, forge: LoopbackForge, count: int, seed: int, hours: float = 24
    ) -> None:
        self.folder, self.forge, self.hours = folder, forge, hours
        self.chance = random.Random(seed)  # noqa: S311 - moments
        self.origin = folder / "origin.git"
        self.jobs = Jobs(folder, self.origin, forge.api)
        self.pulls = [
            Pull(number=number, participant=f"person{self.chance.randrange(1 + count // 3)}",
                 score=self.chance.randrange(10**6))
            for number in range(1, count + 1)
        ]  # fmt: skip
        self.tips: set[str] = set()
        """Of the ledger, whenever a job had ended."""
        self.evaluated: set[tuple[int, str]] = set()
        """Pull requests and heads whose records were kept."""
        self.replaced = 0
        """Runs of `publish` in whose place a newer one waits."""
        self._publishing = self._waits = False
        concurrency = self.jobs.workflows["publish"]["concurrency"]
        assert "queue" not in concurrency and not concurrency["cancel-in-progress"]
        self._now = 0.0
        self._events: list[tuple[float, int, Then]] = []
        self._numbers = itertools.count()
        self._pool = ThreadPoolExecutor(_AT_ONCE)

    def pass_by(self) -> None:
        """Let the day pass, and what is still in progress end."""
        prepare(self.origin)
        with self._pool:
            for pull in self.pulls:
                moment = self.chance.betavariate(4, 1) * self.hours * 3600
                self._later(moment, moment, partial(self._open, pull))
            while self._events:
                self._now, _, happen = heapq.heappop(self._events)
                happen()

    def check(self) -> None:
        """Everything has landed, nothing was dropped, the board is right and the ledger sound."""
        check_ledger(self.origin, self.tips)
        entries = {path: file for pull in self.pulls for path, file in pull.files.items()}
        check_landed(
            self.origin, self.jobs.pages, [pull.subject for pull in self.pulls], entries,
            len(self.evaluated), self.folder / "undisturbed",
        )  # fmt: skip

    def _later(self, soonest: float, latest: float, then: Then) -> None:
        moment = self._now + self.chance.uniform(soonest, latest)
        heapq.heappush(self._events, (moment, next(self._numbers), then))

    # --- what people do

    def _open(self, pull: Pull) -> None:
        self._push(pull)
        self.forge.open_pull(
            pull.number, head=pull.head, login=pull.participant, title="Enter", branch="mine"
        )
        self._start(pull)
        if self.chance.random() < _MOVES:
            self._later(1, 900, partial(self._move, pull))

    def _move(self, pull: Pull) -> None:
        """Push again, unless it is merged: the run that waits or is in progress is cancelled."""
        if not pull.merged:
            pull.score += 1
            self._push(pull)
            self.forge.pulls[pull.number]["head"]["sha"] = pull.head
            self._start(pull)

    def _push(self, pull: Pull) -> None:
        reference = f"refs/pull/{pull.number}/head"
        stream = [f"commit {reference}\ncommitter P <p@localhost> 1790000000 +0000\n".encode(),
                  b"data 5\nEnter\nfrom refs/heads/main^0\n"]  # fmt: skip
        for path, content in pull.files.items():
            head = f"M 100644 inline {path}\ndata {len(content)}\n"
            stream += [head.encode(), content, b"\n"]
        write = ["git", "-C", str(self.origin), "fast-import", "--quiet", "--force"]
        subprocess.run(write, input=b"".join(stream), check=True)
        pull.head = git(self.origin, "rev-parse", reference)

    def _label(self, pull: Pull, run: int) -> None:
        if pull.run == run:
            self.forge.label(pull.number, "evaluate")
            self._go_on(pull, ["approve", "cells", "finish"])

    # --- what the forge does with a pull request

    def _start(self, pull: Pull) -> None:
        pull.run += 1
        self._go_on(pull, ["receive"])

    def _go_on(self, pull: Pull, jobs: list[str]) -> None:
        """Start the first of some jobs, and after each the next, while nobody cancels them."""
        run, head = pull.run, pull.head

        def begin() -> None:
            if pull.run == run:
                done = self._pool.submit(
                    self.jobs.run, "evaluate", jobs[0],
                    {"PULLBENCH_HEAD": head, "PULLBENCH_ACTOR": pull.participant,
                     "PULLBENCH_PULL_REQUEST": str(pull.number), "PULLBENCH_APPROVER": ORGANISER},
                    pull.outputs,
                )  # fmt: skip
                self._later(20, 90, partial(end, done))

        def end(done: Future[str]) -> None:
            cancelled = pull.run != run
            if not (cancelled and done.exception()):
                done.result()
                if jobs[0] == "finish":
                    self.evaluated.add((pull.number, head))
            self.tips.add(git(self.origin, "rev-parse", f"refs/heads/{LEDGER}"))
            if cancelled:
                return
            if jobs[1:]:
                self._go_on(pull, jobs[1:])
            elif jobs == ["receive"]:
                self._later(10, 600, partial(self._label, pull, run))
            else:
                assert self.forge.states(head)[-1] == "success"
                self._later(1, 30, partial(self._merge, pull, run))

        self._later(5, 30, begin)

    def _merge(self, pull: Pull, run: int) -> None:
        """Merge by itself what is green."""
        if pull.run != run:
            return
        while True:
            tip = git(self.origin, "rev-parse", "refs/heads/main")
            tree = git(self.origin, "merge-tree", "--write-tree", tip, pull.head)
            commit = git(self.origin, "commit-tree", tree, "-p", tip, "-p", pull.head,
                         "-m", pull.subject)  # fmt: skip
            try:
                git(self.origin, "update-ref", "refs/heads/main", commit, tip)
                break
            except subprocess.CalledProcessError:
                continue  # `collect` was quicker
        pull.merged = True
        self.forge.pulls[pull.number] |= {"state": "closed", "merged": True}
        self._main_moved()
        merged = sum(pull.merged for pull in self.pulls)
        if merged % _OFTEN == 0:
            git(self.origin, "repack", "-q", "-d")
            print(f"{merged} merged by {self._now / 3600:.1f} h: {self.costs()}", flush=True)

    # --- what the forge does with main

    def _main_moved(self) -> None:
        """A run of `publish` begins, or takes the place of the one that waits."""
        if not self._publishing:
            self._publishing = True
            self._later(10, 40, self._publish)
        else:
            self.replaced += self._waits
            self._waits = True

    def _publish(self) -> None:
        outputs: dict[str, str] = {}
        collected = self._pool.submit(self.jobs.run, "publish", "collect", {}, outputs)

        def build() -> None:
            text = collected.result()
            if outputs["count"] != "0" or "landed otherwise" in text:
                raise JobError(text)
            built = self._pool.submit(self.jobs.run, "publish", "site", {}, {})
            self._later(90, 240, partial(end, built))

        def end(built: Future[str]) -> None:
            built.result()
            self._publishing = False
            if self._waits:
                self._waits = False
                self._main_moved()

        self._later(60, 180, build)

    def costs(self) -> str:
        """Return how often each command ran, and how long on average."""
        return ", ".join(
            f"{job} {count} x {self.jobs.seconds[job] / 1000 / count:.2f} s"
            for job, count in self.jobs.runs.items()
        )


def prepare(origin: Path) -> None:
    """Make a repository with a benchmark that nobody has entered."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
        plain = (ROOT / "mkdocs.yml").read_text().partition("nav:")[0]
        add_commit(Path(folder), bundle(BENCHMARK, "true", TASKS) | {
            "pyproject.toml": SETTINGS.encode(), ".gitignore": b"/build/\n",
            "mkdocs.yml": plain.encode(), "site/index.md": b"# Home\n",
        })  # fmt: skip
        git(origin.parent, "clone", "-q", "--bare", folder, str(origin))
    for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
        git(origin, "config", key, "true")
    for key, value in (("gc.auto", "0"), ("user.name", "forge"), ("user.email", "f@localhost")):
        git(origin, "config", key, value)


def main() -> None:
    """Let a day pass, and print what it cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pulls", type=int)
    parser.add_argument("--hours", type=float, default=24)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    chosen = parser.parse_args()
    print(f"{chosen.pulls} pull requests in {chosen.hours:g} h, seed {chosen.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="day-") as folder, loopback_forge() as forge:
        day = Day(Path(folder), forge, chosen.pulls, chosen.seed, chosen.hours)
        day.pass_by()
        took = time.monotonic() - began
        end_commands()
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        day.check()
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    print(f"all landed: {took:.0f} s, {cpu:.0f} s of processors; {day.costs()}")
    print(f"{day.replaced} runs of publish gave way to a newer one")
    print(f"{len(forge.asked) / chosen.pulls:.2f} requests to the forge for each pull request")


if __name__ == "__main__":
    main()
