"""Kills verbs that write at random moments and runs them again: nothing is lost, torn or doubled.

``python -m tests.chaos.kills N`` kills each verb N times. What is there in the end has to be what
is there where nobody disturbs it, but for times. Right after each kill git's objects are sound,
and every record that can be seen is one of those of the end.
"""

import argparse
import contextlib
import difflib
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.formats.scores_file import decode
from evaluator.core.planning.cells import cells
from evaluator.importing.pinned import content_digest
from tests.ci.steps.conftest import ORGANISER, Forge, entry, make_forge
from tests.commands import be_command, load
from tests.records import record_of
from tests.repository import BRANCH, Repository, put_record
from tests.site.conftest import ROOT

State = list[tuple[str, str]]
"""Names and contents, without times and what is named after them."""
_SECONDS = 120
_TAKEN = {"started", "seconds", "ingestion", "scoring"}
"""What a clock or a meter says of a cell."""
_TIMES = (
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)"), "time"),
    (re.compile(r"\d{8}T\d{12}"), "time"),
    (re.compile(r"(/[0-9a-f]{2}/)?\b[0-9a-f]{40}\b"), "/commit"),
    (re.compile(r"(/[0-9a-f]{2}/)?\b[0-9a-f]{16}\b"), "/id"),
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """A verb, and the world in which it writes."""

    arguments: tuple[str, ...]
    prepare: Callable[[Path], None]
    """Make the world, with the clone ``ours`` in which the verb is called."""
    folder: str = ""
    """What it writes beside the repositories, below ``ours``: there as it was, or as it will be."""


def small(world: Path) -> Repository:
    """The bundle ``small`` without chance."""
    repo = Repository(world / "ours").with_bundle("small")
    program = "benchmarks/adding/ingestion_program/ingestion.py"
    repo.replace(program, "random.SystemRandom()", "int")
    repo.replace(program, "int.randrange(10**9)", "int(7)")
    repo.commit("Without chance")
    return repo


def to_run(world: Path) -> None:
    """A repository with environments in which programs run."""
    repo = small(world)
    call(world, ("run", "--engine", "subprocess"))
    repo.git("clean", "-qdf", "submissions")
    shutil.rmtree(repo.path / "build/predictions")


def evaluated(world: Path) -> Forge:
    """A forge, and in its clone records that nobody has committed."""
    forge = make_forge(world, small(world))
    records_into(forge.ours, forge.ours.path)
    return forge


def to_commit(world: Path) -> None:
    """See ``evaluated``."""
    evaluated(world)


def records_into(repo: Repository, folder: Path) -> None:
    for cell in cells(repo.snapshot(), utc_now()):
        put_record(folder, record_of(cell))


def handed_over(world: Path) -> None:
    """The same below a folder."""
    forge = make_forge(world, small(world))
    records_into(forge.ours, world / "records")


def committed(world: Path) -> None:
    """Records that the branch and the ledger have."""
    evaluated(world)
    call(world, ("collect", "--from", "."))


def to_collect(world: Path) -> None:
    """An inbox with records."""
    handed_over(world)
    call(world, ("hand-in", "--from", str(world / "records")))


def to_archive(world: Path) -> None:
    """A phase that has ended, with its records, and a repository for its submissions."""
    repo = evaluated(world).ours
    repo.replace("benchmarks/adding/competition.yaml", "start: 2020-01-01",
                 "start: 2020-01-01, end: 2025-01-01")  # fmt: skip
    repo.commit("Records of a phase that has ended")
    subprocess.run(["git", "init", "-q", "--bare", str(world / "elsewhere.git")], check=True)


def to_restore(world: Path) -> None:
    """The same in a clone that has none of what was archived."""
    to_archive(world)
    call(world, ("archive", "adding/main", "--to", "../elsewhere.git"))
    whole = (world / "ours").rename(world / "whole")
    git(world, "clone", "--quiet", "--depth=1", f"file://{whole}", "ours")
    shutil.rmtree(whole)


def with_site(world: Path) -> None:
    """Sources of a site that was built twice before its last record, so that it has two trees."""
    repo = evaluated(world).ours
    for name in ("site", "mkdocs.yml"):
        (repo.path / name).symlink_to(ROOT / name)
    call(world, ("site",))
    repo.replace("benchmarks/adding/competition.yaml", "title: Adding", "title: Summing")
    call(world, ("site",))
    repo.commit("Records")


def to_submit(world: Path) -> None:
    make_forge(world, small(world))
    own = world / "own"
    own.mkdir()
    (own / "main.py").write_text("add = sum\n")
    (own / "submission.yaml").write_text("kind: code\n")


def to_unseal(world: Path) -> None:
    """Sealed entries with scores whose date has come, and what another machine decrypted."""
    repo = make_forge(world, small(world)).ours
    bundle = repo.path / "benchmarks/echo/competition.yaml"
    text = bundle.read_text().replace("time_limit: 3}", "time_limit: 3, hide_output: true}")
    key = "age1" + "q" * 58
    bundle.write_text(f"{text}  phases: {{0: {{seal: {{until: 2020-01-02, to: {key}}}}}}}\n")
    for who in ("ann", "bea", "cyd"):
        made = world / "made"
        (made / "predictions").mkdir(parents=True)
        (made / "predictions/predictions.csv").write_text(f"id,value\n1,0\n2,{len(who)}\n")
        (made / "seal.json").write_text(json.dumps({
            "benchmark": "echo", "participant": who, "phase": "main", "to": key, "salt": who,
            "until": "2020-01-02T00:00:00Z",
        }))  # fmt: skip
        commitment = content_digest(made)
        shutil.move(made, world / "opened" / commitment)
        repo.write(f"submissions/echo/{who}/one/{commitment}.age", who)
        repo.write(f"submissions/echo/{who}/one/submission.yaml", "kind: sealed\n")
    repo.commit("Sealed entries")
    records_into(repo, repo.path)
    repo.commit("Scores")
    repo.git("push", "--quiet", "origin", "main")


def to_begin(world: Path) -> None:
    """A repository, and no more."""
    small(world)


def to_import(world: Path) -> None:
    """A repository, and a bundle that is not in it."""
    repo = small(world)
    shutil.copytree(repo.path / "benchmarks/adding", world / "bundle")


HEAD = "head"
"""Stands for the commit of the branch of that name."""
_PULL = ("--head", HEAD, "--base", BRANCH, "--pull-request", "7", "--remote", "origin")
_BY = ("--actor", "eve")


def pull_request(world: Path, *steps: tuple[str, ...]) -> None:
    forge = make_forge(world, small(world))
    source = forge.open(7, entry("eve"))
    forge.ours.git("fetch", "--quiet", "origin", f"{source.head}:refs/heads/head")
    for step in steps:
        call(world, ("pr", *step, *_PULL))
    if len(steps) == 2:
        forge.evaluate(source, utc_now())


_RECEIVE = ("receive", *_BY)
_APPROVE = ("approve", "--approver", ORGANISER, *_BY)
SCENES = {
    "run": Scene(("run", "--engine", "subprocess"), to_run),
    "commit": Scene(("commit",), to_commit),
    "commit --remote": Scene(("commit", "--remote", "origin"), to_commit),
    "hand-in": Scene(("hand-in", "--from", "../records"), handed_over),
    "collect": Scene(("collect", "--inbox"), to_collect),
    "pr receive": Scene(("pr", *_RECEIVE, *_PULL), pull_request),
    "pr approve": Scene(
        ("pr", *_APPROVE, *_PULL), lambda world: pull_request(world, _RECEIVE)
    ),
    "pr finish": Scene(
        ("pr", "finish", "--from", "../handed-in", *_PULL),
        lambda world: pull_request(world, _RECEIVE, _APPROVE),
    ),
    "withdraw": Scene(("withdraw", "adding/alice", "--reason", "A wrong task"), committed),
    "archive": Scene(("archive", "adding/main", "--to", "../elsewhere.git"), to_archive),
    "restore": Scene(("restore", "adding"), to_restore),
    "submit": Scene(
        ("submit", "../own", "--benchmark", "adding", "--participant", "eve"),
        to_submit,
    ),
    "unseal": Scene(("unseal", "--from", "../opened"), to_unseal),
    "init": Scene(("init", "new", "--template", "code"), to_begin),
    "import": Scene(("import", "bundle", "../bundle", "--name", "other"), to_import),
    "site": Scene(("site",), with_site, "build/site"),
}  # fmt: skip


class CommandError(AssertionError):
    """A command that failed although nobody killed it."""


def call(world: Path, arguments: tuple[str, ...], seconds: float | None = None) -> bool:
    """Run a verb in a fork of this process; kill it after a time. Whether it was killed.

    Raises CommandError where it fails by itself.
    """
    if HEAD in arguments:
        head = git(world / "ours", "rev-parse", HEAD).strip()
        arguments = tuple(head if one == HEAD else one for one in arguments)
    with tempfile.TemporaryFile() as log:
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            for number in (1, 2):
                os.dup2(log.fileno(), number)
            folder = str(world / "ours")
            be_command(["-C", folder, *arguments], os.environ, folder)
        with contextlib.suppress(OSError):  # whichever of both comes first
            os.setpgid(child, child)
        end = time.monotonic() + (_SECONDS if seconds is None else seconds)
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            if time.monotonic() >= end:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                if seconds is None:
                    raise TimeoutError(f"{arguments} took {_SECONDS} s")
                return True
            time.sleep(0.001)
        code = os.waitstatus_to_exitcode(status)
        log.seek(0)
        if code:
            raise CommandError(f"{arguments}: {code}\n{log.read().decode()}")
    return False


def call_again(world: Path, arguments: tuple[str, ...]) -> str:
    """Run a verb that may refuse to do what is done; returns how it does."""
    try:
        call(world, arguments)
    except CommandError as error:
        return str(error)
    return ""


def state(world: Path, folder: str = "") -> State:
    """Everything that branches, inboxes and the working tree hold."""
    found: State = []
    for repo in sorted({path.parent for path in world.glob("*/HEAD")} | {world / "ours"}):
        refs = git(repo, "for-each-ref", "--format=%(refname)", "refs/heads").split()
        inbox = git(repo, "for-each-ref", "--format=%(refname)", "refs/pullbench/inbox").split()
        contents = [(f"{repo.name} {ref}", tree(repo, ref)) for ref in refs]
        # The same handed in twice is the same.
        contents += [(f"{repo.name} inbox", one) for one in sorted({tree(repo, r) for r in inbox})]
        found += contents
    ours = world / "ours"
    names = git(ours, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    found += [(name, timeless(name, (ours / name).read_bytes())) for name in sorted({*names})
              if (ours / name).is_file()]  # fmt: skip
    return found + files(ours / folder if folder else None)


def files(folder: Path | None) -> State:
    """Everything below a folder that is written as a whole."""
    if folder is None or not folder.exists():
        return []
    return [(str(path.relative_to(folder)), timeless(path.name, path.read_bytes()))
            for path in sorted(folder.rglob("*")) if path.is_file()]  # fmt: skip


def tree(repo: Path, ref: str) -> str:
    names = git(repo, "ls-tree", "-r", "--name-only", ref).splitlines()
    pairs = [
        (timeless("", name.encode()), timeless(name, git(repo, "show", f"{ref}:{name}").encode()))
        for name in names
    ]
    return "\n".join(json.dumps(pair) for pair in sorted(pairs))


def timeless(name: str, content: bytes) -> str:
    text = content.decode(errors="replace")
    if "/scores/" in name and name.endswith(".json") and '"cells"' in text:
        data = json.loads(text)
        data["cells"] = [
            {key: value for key, value in cell.items() if key not in _TAKEN}
            for cell in data["cells"]
        ]
        text = json.dumps(data)
    for pattern, word in _TIMES:
        text = pattern.sub(word, text)
    return text


def different(one: State, other: State) -> str:
    """Return how they differ, line by line."""
    before, after = (
        [f"{name}: {line}" for name, content in each for line in content.splitlines()]
        for each in (one, other)
    )
    return "\n".join(difflib.unified_diff(before, after, "after the kill", "undisturbed", n=0))


def git(repo: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=repo, capture_output=True, check=True, text=True, errors="replace"
    ).stdout


def check_midway(world: Path, scene: Scene, before: State, expected: State) -> None:
    """After a kill: objects are sound, records whole, and a site is the old one or the new one."""
    for repo in ("ours", "origin.git"):
        if (world / repo).exists():
            said = git(world / repo, "fsck", "--no-dangling", "--no-progress")
            assert "missing" not in said, said
            assert "corrupt" not in said, said
    ends = "\n".join(content for _, content in expected)
    for path in (world / "ours").glob("submissions/*/*/*/scores/*.json"):
        if not path.name.endswith(".logs.json"):
            decode(path.read_bytes())
            for cell in json.loads(timeless(str(path), path.read_bytes()))["cells"]:
                assert json.dumps(cell) in ends, f"{path}: {cell}"
    if scene.folder:
        now = files(world / "ours" / scene.folder)
        assert now in (of_folder(before), of_folder(expected)), "neither the one nor the other"


def of_folder(whole: State) -> State:
    start = next(i for i, (name, _) in enumerate(whole) if name == "404.html")
    return whole[start:]


@contextlib.contextmanager
def kept(scene: Scene, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the world, and a copy of what it is before the verb."""
    world, first = folder / "world", folder / "first"
    world.mkdir()
    scene.prepare(world)
    subprocess.run(["cp", "-a", str(world), str(first)], check=True)  # names of one file stay so
    try:
        yield world, first
    finally:
        shutil.rmtree(folder)


def put_back(world: Path, first: Path) -> None:
    shutil.rmtree(world)
    subprocess.run(["cp", "-a", str(first), str(world)], check=True)


def kill_often(name: str, kills: int, seed: int) -> str:
    """Kill a verb so often, each time in a new world; returns what to print."""
    scene = SCENES[name]
    chance = random.Random(seed)  # noqa: S311 - moments
    with kept(scene, Path(tempfile.mkdtemp(prefix="kills-"))) as (world, first):
        before = state(world, scene.folder)
        began = time.monotonic()
        call(world, scene.arguments)
        seconds = time.monotonic() - began
        expected = state(world, scene.folder)
        assert expected != before, "it wrote nothing"
        hit = 0
        for _ in range(kills):
            put_back(world, first)
            moment = chance.uniform(0, 1.1) * seconds
            if call(world, scene.arguments, moment):
                hit += 1
                try:
                    check_midway(world, scene, before, expected)
                except AssertionError as error:
                    raise AssertionError(f"killed after {moment:.3f} s: {error}") from error
            refusal = call_again(world, scene.arguments)
            difference = different(state(world, scene.folder), expected)
            assert not difference, f"killed after {moment:.3f} s:\n{refusal}\n{difference}"
    return f"{name}: {hit} of {kills} killed within {seconds:.2f} s, seed {seed}"


def main() -> None:
    """Kill, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("verbs", nargs="*", default=list(SCENES))
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    chosen = parser.parse_args()
    load()
    failed = False
    for name in chosen.verbs:
        try:
            print(kill_often(name, chosen.kills, chosen.seed), flush=True)
        except AssertionError as error:
            failed = True
            print(f"{name}, seed {chosen.seed}: {str(error)[:3000]}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
