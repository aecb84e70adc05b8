"""Kills steps of a pull request at requests to the forge, repeats them, and compares the ends.

``python -m tests.chaos.replays N`` disturbs N steps in all. The benchmark has a policy that merges,
a budget, a race, a screen, private feedback and signatures. A step is killed before or after the
deed of a request, or at a call that changes a file; it gets 403 or 500, or no answer after the
deed. Then it comes again, once or twice, and steps before it come late. Ledger, branches, comment,
labels, status, merge and charges have to be those of the undisturbed story.
"""

import argparse
import contextlib
import copy
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluator.ci.ledger.ledger_notes import note_json
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import open_pull_request
from evaluator.core.clock import utc_now
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.cells import cells
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.sealing import encrypt_hidden
from evaluator.importing.private_parts import make_keys
from evaluator.plugins.screening.screening import FILE, VerdictNote, _Verdicts, screens
from tests import fake_forge
from tests.chaos.counted import Count, count_calls
from tests.chaos.kills import State, different, git, small, timeless, tree
from tests.ci.steps.conftest import LEDGER, ORGANISER, SETTINGS, Forge, entry, make_forge
from tests.ci.steps.test_commands import event_of
from tests.commands import be_command, load
from tests.plugins.attest.conftest import make_key
from tests.records import record_of
from tests.repository import BRANCH
from tests.steps import proposed

COUNTED = "kill at a call"
_CALLS = 12
"""Kills of a step at changing calls."""
FAULTS = ("kill before", "kill after", "interrupt", "403", "500", "no answer")
_BUNDLE = "benchmarks/adding/competition.yaml"
_KEYS = """
pullbench:
  policy: {approve: {code: WHO}, merge: MERGE, screen: screen, minutes_per_day: {benchmark: 10}}
"""
_RACE = "  accept: {beats: record, by: 0.1}\n"
_PRIVATE = "  phases: {0: {shows: status, feedback: private}}\n"
"""No race: its records are public."""
_SSH = f"ssh-ed25519 {'AAAAC3NzaC1lZDI1NTE5AAAAI' + 'A' * 43}"
_PULL = ("--base", BRANCH, "--remote", "origin", "--pull-request", "7")
_EVE = ("--actor", "eve")
_SCREEN = "tests/bundles/screened/benchmarks/screened/screen"
"""Of which only the digest counts here: the verdict is written by hand."""


@dataclass(kw_only=True)
class DyingForge(fake_forge.FakeForge):
    """Disturbs one request of the step in progress."""

    child: int = 0
    fault: str = ""
    at: int = 0
    """Number of the request, from 1 on; 0 for none."""
    count: int = 0
    hit: bool = False
    statuses: dict[str, str] = field(default_factory=dict)
    """Head -> its last state."""

    def answer(self, asked: fake_forge.Asked) -> fake_forge.Reply:
        self.count += 1
        if self.count != self.at:
            return self._do(asked)
        self.hit = True
        if self.fault in ("403", "500"):
            return fake_forge.Reply(status=int(self.fault), data={"message": "Not now"})
        reply = self._do(asked) if self.fault != "kill before" else fake_forge.Reply(status=500)
        if self.fault.startswith("kill"):
            os.killpg(self.child, signal.SIGKILL)
        elif self.fault == "interrupt":
            os.kill(self.child, signal.SIGINT)
        else:
            return fake_forge.Reply(status=504, data={"message": "Gateway"})
        return reply

    def _do(self, asked: fake_forge.Asked) -> fake_forge.Reply:
        if asked.method == "POST" and "/statuses/" in asked.path:
            self.statuses[asked.path.rpartition("/")[2]] = asked.data["state"]
        return super()._do(asked)

    def kept(self) -> dict[str, Any]:
        names = ("pulls", "comments", "statuses")
        return copy.deepcopy({name: getattr(self, name) for name in names})

    def put_back(self, kept: dict[str, Any]) -> None:
        for name, value in copy.deepcopy(kept).items():
            setattr(self, name, value)


@dataclass
class Story:
    """A world with one pull request, and its steps."""

    folder: Path
    server: DyingForge
    by_policy: bool
    steps: dict[str, tuple[str, ...]] = field(default_factory=dict)
    repository: Forge = field(init=False)
    calls: Count = field(default_factory=Count)
    counted: int = 0
    """Changing calls of the last step."""

    def __post_init__(self) -> None:
        self.world.mkdir()
        repo = small(self.world)
        shutil.copytree(_SCREEN, repo.path / "benchmarks/adding/screen")
        who, merges = ("everyone", "true") if self.by_policy else ("never", "false")
        keys = _KEYS.replace("WHO", who).replace("MERGE", merges)
        keys += _RACE if self.by_policy else _PRIVATE
        repo.replace(_BUNDLE, "\npullbench:\n", keys)
        if not self.by_policy:
            repo.replace(_BUNDLE, "key: distance,", "key: distance, hidden: true,")
        forge = self.repository = make_forge(self.world, repo)
        recipient, identity = make_keys()
        public, secret = make_key()
        lines = (
            f'[tool.pullbench]\nseal = "{recipient}"\nforge = "https://forge.example/org/bench"\n'
        )
        settings = SETTINGS.replace("[tool.pullbench]\n", lines)
        forge.ours.write(
            "pyproject.toml", f'{settings}\n[tool.pullbench.attest]\nkeys = ["{public}"]\n'
        )
        forge.ours.commit("A race")
        forge.ours.git("push", "--quiet", "origin", BRANCH)
        problems = [one for one in forge.ours.problems() if one.severity == "error"]
        assert not problems, problems
        source = forge.open(7, entry("eve"))
        self.head = source.head
        os.environ |= {
            SEAL_IDENTITY: identity, "PULLBENCH_SIGNING_KEY": secret, "PULLBENCH_TOKEN": "reads",
            "PULLBENCH_MERGE_TOKEN": "merges", "PULLBENCH_FORGE_API": self.server.url,
        }  # fmt: skip
        self.server.keys["eve"] = [_SSH]
        self.server.merge_branches = self.merge
        pull = self.server.add_pull(7, user={"login": "eve"})
        pull["head"]["sha"] = self.head
        self._prepare(source, recipient)

    @property
    def world(self) -> Path:
        return self.folder / "world"

    def _prepare(self, source: PullRequestRef, recipient: str) -> None:
        """Write what jobs would hand over, and name the steps."""
        forge, head = self.repository, ("--head", self.head)
        now = utc_now()
        pull = open_pull_request(open_repository(forge.ours.path), source, now)
        verdicts = [
            VerdictNote(verdict="ok", submission=one.submission.id, tree=one.tree,
                        program=one.program, is_from_program=True, at=now)
            for one in screens(pull)
        ]  # fmt: skip
        (self.world / "verdicts").mkdir()
        (self.world / "verdicts" / FILE).write_bytes(note_json(_Verdicts(verdicts=verdicts)))
        taken = proposed(forge.ours.path, source, now)
        for cell in cells(taken, now):
            whole = record_of(cell)
            if cell.id.participant == "eve" and not self.by_policy:
                whole = withheld(encrypt_hidden(whole, cell.benchmark, recipient))
            forge.hand_in(whole)
        event = self.world / "event.json"
        event.write_bytes(event_of("/evaluate", ORGANISER, at=now.replace(year=now.year + 1),
                                   issue={"number": 7, "pull_request": {}}))  # fmt: skip
        approve: tuple[str, ...] = (
            "pr",
            "approve",
            *_PULL,
            "--verdicts",
            str(self.world / "verdicts"),
        )
        steps: dict[str, tuple[str, ...]] = {"receive": ("pr", "receive", *_PULL, *_EVE, *head)}
        if self.by_policy:
            steps["approve"] = (*approve, *_EVE, *head)
        else:
            steps["comment"] = ("pr", "comment", "--base", BRANCH, "--event", str(event))
            steps["approve"] = approve
        folder = str(forge.folder)
        steps["finish"] = ("pr", "finish", *_PULL, *head, "--from", folder)
        steps["collect"] = ("collect", "--remote", "origin")
        self.steps = steps

    def merge(self, pull: dict[str, Any]) -> str:
        """Merge as the forge does, whoever asked."""
        origin = self.world / "origin.git"
        tip = git(origin, "rev-parse", BRANCH).strip()
        files = git(origin, "merge-tree", "--write-tree", tip, self.head).strip()
        title = pull.get("merge_title") or "Merge pull request #7 from eve/mine"
        who = ("-c", "user.name=forge", "-c", "user.email=f@localhost")
        commit = git(origin, *who, "commit-tree", files, "-p", tip, "-p", self.head, "-m", title)
        git(origin, "update-ref", f"refs/heads/{BRANCH}", commit.strip())
        return commit.strip()

    def take(self, arguments: tuple[str, ...], fault: str = "", at: int = 0) -> int:
        """Take a step in a process of its own; returns how it ended."""
        self.server.fault, self.server.at, self.server.count = fault, at, 0
        self.server.hit = False
        if fault == COUNTED:
            self.server.at = 0
        self.calls.arm(at if fault == COUNTED else 2**40)
        with (self.folder / "log").open("wb") as log:
            ready, go = os.pipe()
            child = os.fork()
            if child == 0:
                os.setpgid(0, 0)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                os.read(ready, 1)
                for number in (1, 2):
                    os.dup2(log.fileno(), number)
                ours = str(self.world / "ours")
                be_command(["-C", ours, *arguments], os.environ, ours, "tests.chaos.replays")
            self.server.child = child
            with contextlib.suppress(OSError):  # whichever of both comes first
                os.setpgid(child, child)
            os.write(go, b"g")
            os.close(ready)
            os.close(go)
            _, status = os.waitpid(child, 0)
        self.server.at = 0
        self.counted = self.calls.calls()
        self.calls.arm(0)
        return os.waitstatus_to_exitcode(status)

    def said(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-1500:]

    def state(self) -> State:
        """Return all that is left of the story, without times."""
        origin = self.world / "origin.git"
        found = [(ref, tree(origin, ref)) for ref in (BRANCH, LEDGER) if _has(origin, ref)]
        # What is encrypted differs each time; the age of it stands in its name.
        found = [(ref, _without_ciphers(text)) for ref, text in found]
        # Each time at which cells went out has its note.
        found = [(ref, re.sub(r"(?m)^(.*handed-out/.*\n)\1+", r"\1", text)) for ref, text in found]
        if self.server.pulls[0].get(
            "merged"
        ):  # that it once could not be merged is no more than that
            found = [(ref, re.sub(r".*pulls/7/waiting/.*why..: ..merge.*\n", "", text))
                     for ref, text in found]  # fmt: skip
        spent = [path for path in _paths(origin) if path.startswith("spent/")]
        found += [("spent", "\n".join(f"{timeless('', path.encode())} {_amount(origin, path)}"
                                      for path in spent))]  # fmt: skip
        pull = self.server.pulls[0]
        # Where a forge takes no thumb, a comment says the same.
        bodies = [one["body"] for one in self.server.comments if "\nDone; the" not in one["body"]]
        texts = [_plain(body) for body in bodies]
        found += [
            ("subjects", git(origin, "log", "--first-parent", "--format=%s", BRANCH)),
            ("labels", json.dumps(pull["labels"])), ("state", pull["state"]),
            ("statuses", json.dumps(self.server.statuses)), ("comments", "\n\n".join(texts)),
        ]  # fmt: skip
        return found


def _has(repo: Path, ref: str) -> bool:
    return bool(git(repo, "for-each-ref", f"refs/heads/{ref}").strip())


def _paths(repo: Path) -> list[str]:
    ledger = _has(repo, LEDGER)
    return git(repo, "ls-tree", "-r", "--name-only", LEDGER).splitlines() if ledger else []


def _amount(repo: Path, path: str) -> str:
    note = json.loads(git(repo, "show", f"{LEDGER}:{path}"))
    return f"{note['minutes']} {note['by_policy']}"


_CIPHER = re.compile(
    r"age-encryption[^\"]*|\"(?:payload|sig|sha256|payloadType)\\*\": \\*\"[^\"]*\""
    r"|[0-9A-Za-z+/=]{60,}|[0-9a-f]{64}"
)


def _without_ciphers(text: str) -> str:
    lines = [_CIPHER.sub("cipher", line) for line in text.splitlines()]
    return "\n".join("feedback" if ".age" in line else line for line in sorted(lines))


def _plain(body: str) -> str:
    body = re.sub(r".*verify --tip.*\n?", "", body)  # whatever was signed by then
    body = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", "time", body)
    return re.sub(r"[0-9a-f]{12,64}|\d{8}T\d+", "id", body)


def replace() -> None:
    """In a step: no pause takes long."""
    real = time.sleep
    vars(time)["sleep"] = lambda seconds: real(min(seconds, 0.01))
    from evaluator.ci.forge import repository

    assert repository.find_forge.__kwdefaults__ is not None
    repository.find_forge.__kwdefaults__["sleep"] = time.sleep


@contextlib.contextmanager
def told(by_policy: bool) -> Iterator[Story]:
    """Yield a story whose steps are to come."""
    folder = Path(tempfile.mkdtemp(prefix="replays-"))
    before = dict(os.environ)
    try:
        with fake_forge.running(DyingForge()) as server:
            yield Story(folder, server, by_policy)
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Moment:
    """The world before a step, how many requests it makes, and the world after it."""

    name: str
    arguments: tuple[str, ...]
    kept: dict[str, Any]
    place: Path
    requests: int
    calls: int
    """That change files, of the step and of git."""
    end: State

    def places(self) -> Iterator[tuple[str, int]]:
        """Yield faults and where they happen."""
        for at in range(1, self.requests + 1):
            yield from ((fault, at) for fault in FAULTS)
        for number in range(_CALLS):
            yield COUNTED, 1 + (2 * number + 1) * self.calls // (2 * _CALLS)


def _copy(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def undisturbed(story: Story) -> list[Moment]:
    moments = []
    for name, arguments in story.steps.items():
        place = story.folder / f"before-{name}"
        _copy(story.world, place)
        kept = story.server.kept()
        assert story.take(arguments) == 0, story.said()
        requests, calls = story.server.count, story.counted
        moments.append(Moment(name, arguments, kept, place, requests, calls, story.state()))
    return moments


def disturb(story: Story, moment: Moment, chance: random.Random, fault: str, at: int) -> str:
    """Disturb a step at a request, and repeat it; returns how the end differs."""
    _copy(moment.place, story.world)
    story.server.put_back(moment.kept)
    story.take(moment.arguments, fault, at)
    assert story.server.hit or fault == COUNTED, f"{story.server.count} requests, not {at}"
    for lock in (story.world / "origin.git").rglob("*.lock"):
        lock.unlink()  # what a job pushes to is not killed with it
    # What is approved goes out again once for nothing; then it costs.
    times = 1 if moment.name == "approve" else chance.choice((1, 1, 2))
    codes = [story.take(moment.arguments) for _ in range(times)]
    difference = different(story.state(), moment.end)
    if any(codes) or difference:
        return f"ended with {codes}: {story.said()}\n{difference}"
    earlier = [one for one in story.steps if one != moment.name]
    late = chance.choice(earlier[: list(story.steps).index(moment.name)] or [moment.name])
    if late in ("approve", "comment") and moment.name == "finish":
        late = "receive"  # `finish` always follows an approval, and comes below
    story.take(story.steps[late])
    if moment.name in ("finish", "collect"):
        code = story.take(story.steps["finish"])
        if code:
            return f"a late finish ended with {code}: {story.said()}"
    if difference := different(story.state(), moment.end):
        return f"after a late {late}: {story.said()}\n{difference}"
    return ""


def main() -> None:
    """Disturb, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    chosen = parser.parse_args()
    count_calls(__spec__.name)
    load()
    chance = random.Random(chosen.seed)  # noqa: S311 - moments
    found: Counter[str] = Counter()
    for by_policy in (True, False):
        with told(by_policy) as story:
            moments = undisturbed(story)
            places = [(one, fault, at) for one in moments for fault, at in one.places()]
            chance.shuffle(places)
            share = (chosen.kills + by_policy) // 2
            for number in range(share):
                moment, fault, at = places[number % len(places)]
                found["disturbed"] += 1
                if said := disturb(story, moment, chance, fault, at):
                    found["differ"] += 1
                    way = "policy" if by_policy else "comment"
                    print(f"{way}: {moment.name}, {fault} at request {at}: {said[:3000]}",
                          flush=True)  # fmt: skip
            print(f"{len(places)} places of {len(moments)} steps", flush=True)
    print(f"{found['disturbed']} disturbed, {found['differ']} differ, seed {chosen.seed}")
    sys.exit(bool(found["differ"]) or not found["disturbed"])


if __name__ == "__main__":
    main()
