"""Sets the clock while verbs run, and between them: what they leave is that of a steady clock.

``python -m tests.chaos.clocks N`` does so N times for each verb, and for verbs one after another.
The clock is that of all programs that are started here, git among them; what merely waits, waits
as long as ever. It is moved by a library of the tests' own, which takes a C compiler.
"""

import argparse
import datetime as dt
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from evaluator.core import clock
from tests.chaos.kills import (
    _APPROVE,
    _PULL,
    _RECEIVE,
    SCENES,
    State,
    call,
    call_again,
    different,
    kept,
    put_back,
    small,
    state,
    to_collect,
)
from tests.ci.steps.conftest import entry, make_forge
from tests.commands import load

_FILE = "CHAOS_CLOCK"
_DAY = 24 * 3600
_SET = (-_DAY, -3600, 3600, 365 * _DAY)
"""Seconds by which the clock is moved."""


def compiler() -> str | None:
    return shutil.which("cc")


def set_clock(seconds: int) -> None:
    """Move the clock of every program that was started with the library."""
    place = Path(os.environ[_FILE])
    beside = place.with_suffix(".new")
    beside.write_text(str(seconds))
    beside.replace(place)
    clock.began.cache_clear()  # else those who are forked would have this process's


def with_moved_clocks() -> None:
    """Begin this program again with the library, unless it has it."""
    if _FILE in os.environ:
        return
    folder = Path(tempfile.mkdtemp(prefix="clocks-"))
    try:
        library, source = folder / "clock.so", Path(__file__).with_name("clock.c")
        compile_ = [str(compiler()), "-shared", "-fPIC", "-O1", "-o", str(library), str(source)]
        subprocess.run(compile_, check=True)
        environment = {
            **os.environ, "LD_PRELOAD": str(library), _FILE: str(folder / "clock"),
        }  # fmt: skip
        again = [sys.executable, "-m", "tests.chaos.clocks", *sys.argv[1:]]
        sys.exit(subprocess.run(again, env=environment, check=False).returncode)
    finally:
        shutil.rmtree(folder)


_MARKS = (
    (r"/20\d{4}/", "/month/"),
    (r"/20\d{6}/", "/day/"),
    (r"heads/[0-9a-f]{2}/", "heads/"),
    (r'(?<=")[0-9a-f]{8}(?=\\?")', "run"),
)
"""Months and days in the names of folders; what is named by a commit, which has its time."""


def timeless_state(world: Path, folder: str = "") -> State:
    """As ``state``, and nothing in it comes of a time."""
    marked = []
    for name, content in state(world, folder):
        for pattern, word in _MARKS:
            content = re.sub(pattern, word, content)
        marked.append((name, "\n".join(sorted(content.splitlines()))))
    return marked


def jump_often(name: str, times: int, chance: random.Random) -> None:
    """Set the clock while a verb runs; then it is right again, and the verb is called again."""
    scene = SCENES[name]
    with kept(scene, Path(tempfile.mkdtemp(prefix="clocks-"))) as (world, first):
        began = time.monotonic()
        call(world, scene.arguments)
        seconds = time.monotonic() - began
        expected = timeless_state(world, scene.folder)
        for _ in range(times):
            put_back(world, first)
            before, after = chance.choice((0, *_SET)), chance.choice((0, *_SET))
            moment = chance.uniform(0, seconds)
            set_clock(before)
            jumping = os.fork()
            if jumping == 0:
                time.sleep(moment)
                set_clock(after)
                os._exit(0)
            how = f"from {before:+} s to {after:+} s after {moment:.3f} s"
            try:
                began = time.monotonic()
                call(world, scene.arguments)
                took = time.monotonic() - began
                os.waitpid(jumping, 0)
                set_clock(0)
                call_again(world, scene.arguments)
            except AssertionError as error:
                raise AssertionError(f"{how}: {error}") from error
            assert took < 10 * seconds + 10, (
                f"{how}: it took {took:.1f} s in place of {seconds:.1f}"
            )
            difference = different(timeless_state(world, scene.folder), expected)
            assert not difference, f"{how}:\n{difference}"


Steps = Callable[[Path], list[Callable[[], object]]]


def collection(world: Path) -> list[Callable[[], object]]:
    """What a clone does with records of an inbox."""
    verbs = (
        ("collect", "--inbox"),
        ("withdraw", "adding/alice", "--reason", "A wrong task"),
        ("collect", "--inbox"),
    )
    return [partial(call, world, verb) for verb in verbs]


def a_pull_request(world: Path) -> list[Callable[[], object]]:
    """A pull request from its receipt to its end; what cannot count is evaluated again."""
    forge = make_forge(world, small(world))
    source = forge.open(7, entry("eve"))
    forge.ours.git("fetch", "--quiet", "origin", f"{source.head}:refs/heads/head")

    def evaluate() -> None:
        forge.evaluate(source, dt.datetime.now(dt.UTC))

    def finish() -> None:
        verb = ("pr", "finish", "--from", "../handed-in", *_PULL)
        try:
            call(world, verb)
        except AssertionError as error:  # the evaluating machine's clock was ahead
            if "in the future" not in str(error):
                raise
            set_clock(0)
            evaluate()
            call(world, verb)

    return [
        partial(call, world, ("pr", *_RECEIVE, *_PULL)),
        partial(call, world, ("pr", *_APPROVE, *_PULL)), evaluate, finish,
    ]  # fmt: skip


CHAINS: dict[str, tuple[Callable[[Path], None], Steps]] = {
    "a collection": (to_collect, collection),
    "a pull request": (lambda world: None, a_pull_request),
}


def chain_often(name: str, times: int, chance: random.Random) -> None:
    """Set the clock before each of several verbs."""
    prepare, steps = CHAINS[name]
    expected = None
    for number in range(times + 1):
        folder = Path(tempfile.mkdtemp(prefix="clocks-"))
        set_clock(0)
        try:
            prepare(folder)
            how = []
            for step in steps(folder):
                how.append(chance.choice((0, *_SET)) if number else 0)
                set_clock(how[-1])
                try:
                    step()
                except AssertionError as error:
                    raise AssertionError(f"{how}: {error}") from error
            now = timeless_state(folder)
            expected = expected or now
            difference = different(now, expected)
            assert not difference, f"{how}:\n{difference}"
        finally:
            shutil.rmtree(folder)


def main() -> None:
    """Set clocks, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int)
    parser.add_argument("names", nargs="*", default=[*SCENES, *CHAINS])
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    chosen = parser.parse_args()
    with_moved_clocks()
    load()
    failed = False
    for name in chosen.names:
        chance = random.Random(f"{chosen.seed} {name}")  # noqa: S311 - moments
        try:
            (jump_often if name in SCENES else chain_often)(name, chosen.times, chance)
            print(f"{name}: {chosen.times} times, seed {chosen.seed}", flush=True)
        except AssertionError as error:
            failed = True
            print(f"{name}, seed {chosen.seed}: {str(error)[:3000]}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
