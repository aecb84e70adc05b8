"""A season of a race: everybody who does something in it, and the forge at work for them."""

import datetime as dt
import json
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evaluator.core.scores.uploads import digest_of, output_of
from tests.chaos.golf_cheats import cheat, cheaters, forged
from tests.chaos.golf_entries import (
    DAYS,
    LARGEST,
    MARGIN,
    TWINS,
    Entry,
    benchmark,
    place,
    season,
    write,
)
from tests.chaos.golf_parts import IN_CONTAINERS, KILL, NOISE, NOW, SCORING_SECONDS, SECONDS
from tests.chaos.jobs import JobError, KilledError
from tests.chaos.landed import git
from tests.chaos.world import Pull, World, prepare
from tests.ci.steps.conftest import LEDGER, ORGANISER
from tests.commands import pullbench
from tests.workflows.forge import ADDRESS, LoopbackForge

BEGIN = dt.datetime(2026, 3, 18, tzinfo=dt.UTC).timestamp()
HOUR = 3600.0
SETTINGS = f"""\
[tool.pullbench]
forge = "{ADDRESS}"
organisers = ["{ORGANISER}"]
max_bytes = {LARGEST}

[tool.pullbench.teams]
twins = {json.dumps(TWINS)}
"""
_PARTS = "tests.chaos.golf_parts"
_NOISE = 0.01
"""Of a run, where entries run in turn."""
_IN_CONTAINERS = 100
"""One of so many honest entries runs in containers."""
_AFTER = 48 * HOUR
"""For which the forge and the organiser go on after the last entry."""
_MENDS = 0.4
"""Share of refused entries that their authors mend."""
_REPORTED = re.compile(r"^(refused|failed|void|received|queued|scored): ", re.MULTILINE)
"""What a command says of a pull request that it does not let go on."""
Story = Generator[str, bool, None]
"""Names of jobs, each sent whether it ended well."""


@dataclass(kw_only=True)
class Racing(Pull):
    """A pull request of the season."""

    entry: Entry
    event: str = ""
    """Of the run that is the last."""
    busy: bool = False
    waiting: str = ""
    """Event whose run begins after the one in progress."""
    jobs: Counter[str] = field(default_factory=Counter)
    minutes: float = 0
    """Of runners, until its verdict."""
    verdict: str = ""
    """State of its status that was the first to decide."""
    decided: float = 0
    """When."""
    merged_head: str = ""
    opened: float = 0
    ended: float = float("inf")
    """When it was merged or closed."""
    first_way: str = ""
    """Its mistake, before it was mended."""
    finish_began: float = 0
    swapped: bool = False
    gave_up: set[str] = field(default_factory=set)
    """Refused heads that their author knows of."""
    finished: set[str] = field(default_factory=set)
    """Heads whose `finish` ended well."""

    @property
    def model(self) -> bytes:
        return self.entry.files.get(f"{place(self.participant, self.entry.name)}/model.py", b"")


class Golf(World):
    """The season, with everybody who does something in it."""

    def __init__(
        self, folder: Path, forge: LoopbackForge, count: int, seed: int, *, alternate: bool = False
    ) -> None:
        super().__init__(folder, forge, seed, within=_PARTS)
        self.alternate = alternate
        """Whether an entry and the record run in turn."""
        self.site_every = 96 * HOUR
        illegal = max(10, count // 40)
        self.in_containers = min(_IN_CONTAINERS, count // 2)
        end = DAYS * 24 * HOUR
        honest = season(count - illegal, self.chance)
        cheats = cheaters(illegal, end, self.chance)
        prepare(self.origin, benchmark(seed, alternate=alternate), SETTINGS)
        forge.merge_branches = self._on_merge
        forge.in_progress = lambda: [f"evaluate #{one.number}" for one in self.pulls if one.busy]
        self.pulls: list[Racing] = []
        self.tips: set[str] = set()
        self.pushed: dict[str, float] = {}
        """When each head was pushed."""
        self.kill_one_of = 0
        """Of so many jobs one is killed, and run again; 0 kills none."""
        self.kills = 0
        self.fate = random.Random(seed)  # noqa: S311 - kills, which draw nothing of the season's
        self.acts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.comments: list[str] = []
        self.to_come_between = [entry for entry in cheats if entry.way == "between"]
        self._merged: list[tuple[Racing, str]] = []
        self._last_receive = 0.0
        for entry in honest + cheats:
            if entry.moment <= end:
                self.later(entry.moment, entry.moment, partial(self._open, entry))
        self.later(12 * HOUR, 12 * HOUR, partial(self._look, end + _AFTER))
        self.later(HOUR, HOUR, partial(self._hourly, end + _AFTER))

    # --- what participants do

    def _open(self, entry: Entry) -> None:
        entry.number = len(self.pulls) + 1
        if entry.illegal:
            entry.files = cheat(entry, entry.variant, self._best_merged(entry), self.chance)
        else:
            entry.files = write(entry, self.chance, self._best_merged(entry))
        pull = Racing(
            number=entry.number, participant=entry.participant, entry=entry, opened=self.now,
            first_way=entry.way,
        )  # fmt: skip
        self.pulls.append(pull)
        pull.files = entry.files
        self.push(pull)
        self.pushed[pull.head] = self.now
        self.forge.open_pull(
            pull.number, head=pull.head, login=pull.participant, title="Enter", branch="mine"
        )
        self._begin(pull, "opened")

    def _best_merged(self, own: Entry) -> Entry:
        """Choose the best of the entries that are merged, or else one's own."""
        merged = [pull.entry for pull in self.pulls if pull.merged and not pull.entry.illegal]
        return min(merged, key=lambda entry: entry.score, default=own)

    def _push_again(self, pull: Racing) -> None:
        """Push other content, unless it is closed."""
        if self.forge.pulls[pull.number]["state"] == "open":
            pull.files = pull.entry.files
            self.push(pull)
            self.pushed[pull.head] = self.now
            self.forge.pulls[pull.number]["head"]["sha"] = pull.head
            self._begin(pull, "synchronize")

    def _mend(self, pull: Racing) -> None:
        pull.entry.way = ""
        pull.entry.files = write(pull.entry, self.chance, self._best_merged(pull.entry))
        self._push_again(pull)

    def _close(self, pull: Racing) -> None:
        forged = self.forge.pulls[pull.number]
        if forged["state"] == "open":
            forged["state"] = "closed"
            pull.ended = self.now

    def _react(self, pull: Racing) -> None:
        """Let the author of a refused entry mend it, or give up."""
        if pull.entry.illegal or pull.entry.way == "over quota":
            self.later(HOUR, 30 * HOUR, partial(self._close, pull))
        elif pull.entry.way and self.chance.random() < _MENDS:
            self.later(HOUR / 2, 6 * HOUR, partial(self._mend, pull))
        else:
            self.later(HOUR, 24 * HOUR, partial(self._close, pull))

    # --- what cheaters do once they are on their way

    def _is_to_swap(self, pull: Racing, variant: int) -> bool:
        return pull.entry.way == "push" and pull.entry.variant % 2 == variant and not pull.swapped

    def _swap(self, pull: Racing) -> None:
        """Push a program that looks for the reference data in the place of the approved one."""
        pull.swapped = True
        pull.entry.files = cheat(replace(pull.entry, way="peek"), 1, pull.entry, self.chance)
        self._push_again(pull)

    def _on_approval(self, pull: Racing) -> None:
        """Swap what was approved; or come while a record is evaluated, a little worse than it."""
        if self._is_to_swap(pull, 0):
            self.later(1, 15, partial(self._swap, pull))
        if pull.entry.illegal or not self.to_come_between:
            return
        best = self._best_merged(pull.entry).score
        if best - pull.entry.score > 2 * MARGIN:
            between = self.to_come_between.pop()
            between.score = pull.entry.score + (best - pull.entry.score) / 5
            self.later(1, 15, partial(self._open, between))

    def _comment_everywhere(self, pull: Racing) -> None:
        """Ask for what is not one's own to ask for, and for a shell."""
        others = [other for other in self.pulls if other.participant != pull.participant]
        still = [other for other in others if self.forge.pulls[other.number]["state"] == "open"]
        shell = f"; touch {self.folder}/pwned; $(touch {self.folder}/pwned)"
        for number, text in (
            (pull.number, "/evaluate"), (pull.number, f"/log {shell}"),
            (pull.number, f"/evaluate {shell}"), ((still or others)[-1].number, "/withdraw"),
        ):  # fmt: skip
            self.later(1, 600, partial(self._comment, pull.participant, number, text))

    def _comment(self, login: str, number: int, text: str) -> None:
        """Comment; the forge then runs the job that answers."""
        moment = dt.datetime.fromtimestamp(BEGIN + self.now, dt.UTC).isoformat()
        user, comment = {"login": login, "type": "User"}, 10**6 + len(self.comments)
        event = self.folder / f"comment-{comment}.json"
        event.write_text(json.dumps({
            "action": "created", "issue": {"number": number, "pull_request": {}},
            "comment": {"id": comment, "body": text, "user": user, "created_at": moment},
        }))  # fmt: skip
        self.comments.append(text)
        done = self.submit("commands", "answer", {}, {}, {"GITHUB_EVENT_PATH": str(event)})
        self.later(20, 90, partial(self._woken, done))

    def _forge_artifact(self, pull: Racing) -> None:
        """Hand over, beside the job's records, better ones of somebody else's entry."""
        victim = self._best_merged(pull.entry)
        folder = self.jobs.artifacts(pull.outputs)
        for file in [path for path in folder.rglob("*") if path.is_file()]:
            path, content = str(file.relative_to(folder)), file.read_bytes()
            for old, new in (
                (pull.participant, victim.participant), (pull.entry.name, victim.name),
            ):  # fmt: skip
                path, content = path.replace(old, new), content.replace(old.encode(), new.encode())
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(forged(content))
        job = pull.outputs["job"]  # which says of itself what it likes
        pull.outputs[output_of(job)] = digest_of(folder / f"records-{job}")

    # --- what an organiser does

    def _look(self, until: float) -> None:
        """Twice a day, look at what waits for a person."""
        if any(self.forge.pulls[pull.number]["state"] == "open" for pull in self.pulls):
            for pull, reason in list(self._for_a_person()):
                self._decide(pull, reason)
        if self.alternate:  # a schedule of `publish` has claims raced again
            self._publish_next()
        if self.now < until:
            self.later(12 * HOUR, 12 * HOUR, partial(self._look, until))

    def _for_a_person(self) -> Iterator[tuple[Racing, str]]:
        """Yield pull requests that wait for a person, and why, as `pr list` shows them."""
        clone = self.folder / "organiser"
        if not clone.exists():
            git(self.folder, "clone", "-q", f"file://{self.origin}", str(clone))
        machine = {
            **os.environ, NOW: str(BEGIN + self.now), "PULLBENCH_FORGE_API": self.forge.api,
            "GITHUB_TOKEN": "ghp_an-organiser's",
        }  # fmt: skip
        done = pullbench(("pr", "list", "--json"), machine, folder=clone, within=_PARTS)
        assert done.returncode == 0, done.stderr
        for one in json.loads(done.stdout)["people"]:
            pull = self.pulls[one["pull_request"] - 1]
            if not pull.busy:
                yield pull, one["reason"]

    def _decide(self, pull: Racing, reason: str) -> None:
        """Close copies, and programs that start others; let all else go on."""
        is_copy = "compares it" in reason and not pull.entry.builds_on
        if is_copy or "starts another program" in reason:
            self.acts["close"] += 1
            self._close(pull)
        elif pull.head in pull.finished:
            self.acts["merge"] += 1
            self.merge(pull, pull.head)
            pull.merged_head, pull.ended = pull.head, self.now
            self.main_moved()
        else:
            self.acts["label"] += 1
            self.forge.label(pull.number, "evaluate")
            self._begin(pull, "labeled")

    # --- what the forge does with a pull request

    def _begin(self, pull: Racing, event: str) -> None:
        """Start a run of `evaluate`; a push cancels the one before, others wait for it."""
        if event in ("opened", "synchronize"):
            pull.run += 1
            pull.waiting = ""
        elif pull.busy:
            pull.waiting = event
            return
        pull.busy = True
        pull.outputs = {}
        pull.event = event
        self._go_on(pull, pull.run, self._evaluate(pull, event), None)

    def _evaluate(self, pull: Racing, event: str) -> Story:
        """Go through the jobs of evaluate.yml."""
        if event != "labeled" and not (yield "receive"):
            return
        following = pull.outputs.get("next", "")
        if following == "screen":
            yield "screen"
        if event == "labeled" or following == "screen":
            yield "approve"
        elif following != "approve":  # else `receive` has approved it
            return
        if pull.outputs.get("base"):
            if pull.outputs["count"] != "0":
                yield "cells"
            yield "finish"
        yield "queue"

    def _go_on(self, pull: Racing, run: int, story: Story, said: bool | None) -> None:
        try:
            job = story.send(said)  # type: ignore[arg-type]
        except StopIteration:
            pull.busy = False
            if pull.waiting:
                event, pull.waiting = pull.waiting, ""
                self._begin(pull, event)
            elif self.forge.states(pull.head)[-1:] == ["failure"] and pull.head not in pull.gave_up:
                pull.gave_up.add(pull.head)
                self._react(pull)
            return
        head = pull.head

        def begin() -> None:
            if pull.run == run:
                if job == "finish" and self._is_to_swap(pull, 1):
                    self.later(0, 0, partial(self._swap, pull))
                took = self.chance.uniform(20, 90)
                if not pull.verdict:
                    pull.minutes += took / 60
                done = self._submit(pull, job, head)
                self.later(took, took, partial(end, done))

        def end(done: Future[str]) -> None:
            well = self._ended(done, cancelled=pull.run != run)
            self._after(pull, job, head, well=well)
            if pull.run == run:
                self._go_on(pull, run, story, well)

        # Runners take jobs in the order in which they come.
        wait = self.chance.uniform(5, 30)
        if job == "receive":
            self._last_receive = max(self._last_receive + 1, self.now + wait)
            wait = self._last_receive - self.now
        self.later(wait, wait, begin)

    def _submit(self, pull: Racing, job: str, head: str) -> Future[str]:
        pull.jobs[job] += 1
        if job == "finish":
            pull.finish_began = self.now
        values = {
            "PULLBENCH_HEAD": head, "PULLBENCH_ACTOR": pull.participant,
            "PULLBENCH_PULL_REQUEST": str(pull.number),
            "PULLBENCH_APPROVER": ORGANISER if pull.event == "labeled" else "",
            "PULLBENCH_MERGE_TOKEN": "ghs_an-app's",
        }  # fmt: skip
        if pull.event == "dispatch" and job in ("receive", "approve"):
            values |= {"PULLBENCH_HEAD": "", "PULLBENCH_ACTOR": ""}  # the forge is asked
        in_containers = pull.entry.way in ("timer", "peek") or (
            not pull.entry.illegal and pull.number % _IN_CONTAINERS == 1
        )
        machine = {IN_CONTAINERS: "yes"} if in_containers else {}
        return self.submit("evaluate", job, values, pull.outputs, machine)

    def submit(
        self,
        workflow: str,
        job: str,
        values: Mapping[str, str],
        outputs: dict[str, str],
        machine: Mapping[str, str] = MappingProxyType({}),
    ) -> Future[str]:
        moment = BEGIN + self.now
        machine = {**machine, NOW: str(moment), "GIT_COMMITTER_DATE": f"{moment:.0f} +0000"}
        if self.alternate:
            machine[NOISE] = str(_NOISE)
        if not self.kill_one_of or self.fate.randrange(self.kill_one_of):
            return super().submit(workflow, job, values, outputs, machine)
        deadly = {**machine, KILL: str(self.fate.randrange(1, 30))}

        def run_twice() -> str:
            given = dict(outputs)
            try:
                return self.jobs.run(workflow, job, values, outputs, deadly)
            except KilledError:
                self.kills += 1
                outputs.clear()
                outputs.update(given)
                return self.jobs.run(workflow, job, values, outputs, machine)

        return self._pool.submit(run_twice)

    def _ended(self, done: Future[str], *, cancelled: bool) -> bool:
        """Return whether a job ended well; what no command should say is a fault."""
        try:
            done.result()
        except JobError as error:
            if not (cancelled or _REPORTED.search(str(error))):
                self.faults.append(str(error))
                print(error, flush=True)
            return False
        return True

    def _after(self, pull: Racing, job: str, head: str, *, well: bool) -> None:
        """Take note of what a job has changed, and let others act on it."""
        self.tips.add(git(self.origin, "rev-parse", f"refs/heads/{LEDGER}"))
        while self._merged:
            merged, head_then = self._merged.pop()
            merged.merged_head, merged.ended = head_then, merged.finish_began
            self.main_moved()
        self._take_dispatched()
        if job == "finish" and well:
            pull.finished.add(head)
        if job in ("receive", "approve") and "base" in pull.outputs:
            self._on_approval(pull)
        if job == "cells" and not pull.verdict:
            pull.minutes += self._minutes_of_races(pull)
        if job == "receive" and pull.entry.way == "comment":
            self._comment_everywhere(pull)
        if job == "cells" and pull.entry.way == "record" and pull.entry.variant % 2:
            self._forge_artifact(pull)
        states = self.forge.states(pull.head)
        decided = bool(states) and states[-1] in ("success", "failure")
        if decided and not pull.verdict:
            pull.verdict, pull.decided = states[-1], self.now

    def _minutes_of_races(self, pull: Racing) -> float:
        """How long the pairs took that a job handed over, with those that warmed up."""
        files = self.jobs.artifacts(pull.outputs).rglob("*.race.jsonl")
        lines = sum(len(file.read_text().splitlines()) for file in files)
        return lines * 2 * (SECONDS + SCORING_SECONDS) / 60

    def evaluate_planned(
        self, text: str, outputs: dict[str, str], then: Callable[[], None]
    ) -> None:
        """Let `publish` race claims once more, a job each."""
        if not self.alternate:
            super().evaluate_planned(text, outputs, then)
        jobs = json.loads(outputs["matrix"])["include"]

        def go_on(before: Future[str] | None = None) -> None:
            if before:
                before.result()
            if jobs:
                job = jobs.pop()
                outputs.update(job=job["name"], cells=job["cells"])
                done = self.submit("publish", "cells", {}, outputs)
                self.later(60, 600, partial(go_on, done))
                return
            values = {"PULLBENCH_HANDED_OUT": outputs["handed_out"]}
            stored = self.submit("publish", "store", values, outputs)
            self.later(20, 90, partial(end, stored))

        def end(stored: Future[str]) -> None:
            stored.result()
            then()

        go_on()

    def _hourly(self, until: float) -> None:
        """Let publish.yml wake what waits, by its schedule."""
        if any(self.is_undecided(pull) and not pull.busy for pull in self.pulls):
            done = self.submit("publish", "queue", {}, {})
            self.later(20, 90, partial(self._woken, done))
        if self.now < until:
            self.later(HOUR, HOUR, partial(self._hourly, until))

    def _woken(self, done: Future[str]) -> None:
        self._ended(done, cancelled=False)
        self._take_dispatched()

    def _take_dispatched(self) -> None:
        while self.forge.dispatched:
            _, inputs = self.forge.dispatched.pop(0)
            self._begin(self.pulls[int(inputs["pull_request"]) - 1], "dispatch")

    def is_undecided(self, pull: Racing) -> bool:
        """Whether it is open and waits for a verdict."""
        is_open = self.forge.pulls[pull.number]["state"] == "open"
        return is_open and self.forge.states(pull.head)[-1:] != ["failure"]

    def _on_merge(self, asked: dict[str, Any]) -> str:
        """Do the forge's merge; a thread of the forge calls it."""
        pull = self.pulls[asked["number"] - 1]
        head = asked["head"]["sha"]
        self._merged.append((pull, head))
        return self.merge(pull, head)

    # --- what it came to

    def ends(self) -> dict[int, tuple[str, dt.datetime]]:
        """Return each pull request's party and its end, by number."""
        never = DAYS * 48 * HOUR
        return {
            pull.number: (
                "twins" if pull.participant in TWINS else pull.participant,
                dt.datetime.fromtimestamp(BEGIN + min(pull.ended, never), dt.UTC),
            )
            for pull in self.pulls
        }

    def end_of(self, pull: Racing) -> str:
        """Say in words where a pull request came to an end."""
        if pull.merged:
            return "merged"
        said = [status["description"] for status in self.forge.statuses.get(pull.head, [])]
        return f"{list(pull.jobs)[-1]}: {(said or ['nothing'])[-1][:70]}"

    def is_broken_into(self) -> bool:
        """Whether text of a comment ran as a command."""
        return (self.folder / "pwned").exists()
