"""A day of a busy forge: many pull requests come, are evaluated and merged, and the site follows.

``python -m tests.chaos.day N`` lets N pull requests come at random moments of one day, most of them
towards its end. The forge is the tests' own, and its clock goes as fast as things happen; git and
every command are real, containers are no-ops. What jobs check out and which command they call is
read from the workflows, and so is what the forge does with runs that wait.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.bench.repository import bundle, submission
from tests.chaos.landed import BENCHMARK, TASKS, check_landed, check_ledger, git
from tests.chaos.no_ops import SCORES
from tests.chaos.world import Pull, World, prepare
from tests.ci.steps.conftest import LEDGER, ORGANISER
from tests.commands import end as end_commands
from tests.workflows.forge import ADDRESS, LoopbackForge, loopback_forge

SETTINGS = f'[tool.pullbench]\nforge = "{ADDRESS}"\norganisers = ["{ORGANISER}"]\n'
_MOVES = 0.1
"""Share of pull requests whose participant pushes again."""


@dataclass(kw_only=True)
class Scored(Pull):
    """A pull request whose entry gets the score that it holds."""

    score: int

    def write(self) -> None:
        name = f"entry{self.number}"
        place = f"submissions/{BENCHMARK}/{self.participant}/{name}/{SCORES}"
        scores = json.dumps({"score": self.score}).encode()
        self.files = submission(BENCHMARK, self.participant, name) | {place: scores}


class Day(World):
    """A day with everybody who does something there."""

    def __init__(
        self, folder: Path, forge: LoopbackForge, count: int, seed: int, hours: float = 24
    ) -> None:
        super().__init__(folder, forge, seed)
        self.pulls = [
            Scored(number=number, participant=f"person{self.chance.randrange(1 + count // 3)}",
                   score=self.chance.randrange(10**6))
            for number in range(1, count + 1)
        ]  # fmt: skip
        self.tips: set[str] = set()
        """Of the ledger, whenever a job had ended."""
        self.evaluated: set[tuple[int, str]] = set()
        """Pull requests and heads whose records were kept."""
        prepare(self.origin, bundle(BENCHMARK, "true", TASKS), SETTINGS)
        for pull in self.pulls:
            moment = self.chance.betavariate(4, 1) * hours * 3600
            self.later(moment, moment, partial(self._open, pull))

    def check(self) -> None:
        """Everything has landed, nothing was dropped, the board is right and the ledger sound."""
        check_ledger(self.origin, self.tips)
        entries = {path: file for pull in self.pulls for path, file in pull.files.items()}
        check_landed(
            self.origin, self.jobs.pages, [pull.subject for pull in self.pulls], entries,
            len(self.evaluated), self.folder / "undisturbed",
        )  # fmt: skip

    # --- what people do

    def _open(self, pull: Scored) -> None:
        pull.write()
        self.push(pull)
        self.forge.open_pull(
            pull.number, head=pull.head, login=pull.participant, title="Enter", branch="mine"
        )
        self._start(pull)
        if self.chance.random() < _MOVES:
            self.later(1, 900, partial(self._move, pull))

    def _move(self, pull: Scored) -> None:
        """Push again, unless it is merged: the run that waits or is in progress is cancelled."""
        if not pull.merged:
            pull.score += 1
            pull.write()
            self.push(pull)
            self.forge.pulls[pull.number]["head"]["sha"] = pull.head
            self._start(pull)

    def _label(self, pull: Pull, run: int) -> None:
        if pull.run == run:
            self.forge.label(pull.number, "evaluate")
            self._go_on(pull, ["approve", "cells", "finish"])

    # --- what the forge does with a pull request

    def _start(self, pull: Pull) -> None:
        pull.run += 1
        pull.outputs = {}
        self._go_on(pull, ["receive"])

    def _go_on(self, pull: Pull, jobs: list[str]) -> None:
        """Start the first of some jobs, and after each the next, while nobody cancels them."""
        run, head = pull.run, pull.head

        def begin() -> None:
            if pull.run == run:
                done = self.submit(
                    "evaluate", jobs[0],
                    {"PULLBENCH_HEAD": head, "PULLBENCH_ACTOR": pull.participant,
                     "PULLBENCH_PULL_REQUEST": str(pull.number), "PULLBENCH_APPROVER": ORGANISER},
                    pull.outputs,
                )  # fmt: skip
                self.later(20, 90, partial(end, done))

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
                self.later(10, 600, partial(self._label, pull, run))
            else:
                assert self.forge.states(head)[-1] == "success"
                self.later(1, 30, partial(self._merge, pull, run))

        self.later(5, 30, begin)

    def _merge(self, pull: Pull, run: int) -> None:
        """Merge by itself what is green."""
        if pull.run == run:
            self.merge(pull, pull.head)
            self.main_moved()


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
