"""Kills verbs at counted calls of the C library, of pullbench and of git, and runs them again.

``python -m tests.chaos.counted N`` kills N times in all, spread over all changing calls of the
verbs. It prints how many were killed, how often the next calls did not end as if undisturbed
because of a lock (stuck) or otherwise (lost), and how often a kill left something torn (wrong).
"""

import argparse
import contextlib
import mmap
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.chaos.kills import (
    SCENES,
    Scene,
    call,
    call_again,
    check_midway,
    different,
    kept,
    put_back,
    state,
)
from tests.commands import load

_FILE = "CHAOS_COUNT"
VERBS = ("commit", "commit --remote", "hand-in", "collect", "pr receive", "pr approve",
         "pr finish", "withdraw", "archive", "restore", "submit",
         "unseal")  # fmt: skip
_OLD = 3600


class Count:
    """The numbers that the library reads."""

    def __init__(self) -> None:
        with Path(os.environ[_FILE]).open("r+b") as file:
            self._numbers = mmap.mmap(file.fileno(), 24)

    def arm(self, at: int) -> None:
        """Kill at that call; 0 for none."""
        self._numbers[:] = struct.pack("3l", 0, at, os.getpgrp())

    def calls(self) -> int:
        """How many there were."""
        return int(struct.unpack("3l", self._numbers[:])[0])


def count_calls(module: str) -> None:
    """Start this program again so that calls are counted, unless they are."""
    if _FILE in os.environ:
        return
    with tempfile.TemporaryDirectory() as folder:
        library, source = Path(folder, "counted.so"), Path(__file__).with_name("counted.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"],
                       check=True)  # fmt: skip
        Path(folder, "count").write_bytes(bytes(24))
        env = {**os.environ, "LD_PRELOAD": str(library), _FILE: f"{folder}/count"}
        sys.exit(subprocess.run([sys.executable, "-m", module, *sys.argv[1:]], env=env,
                                check=False).returncode)  # fmt: skip


def recover(world: Path, scene: Scene) -> str:
    """Call a verb again as its messages say, with a pause as of an hour; returns the last one."""
    said = call_again(world, scene.arguments)
    for _ in range(4):
        if "lock" not in said:
            break
        for file in re.findall(r"`rm '([^']+)'`", said):
            Path(file).unlink(missing_ok=True)
        for lock in world.rglob("*.lock"):
            then = time.time() - _OLD
            with contextlib.suppress(FileNotFoundError):
                os.utime(lock, (then, then))
        said = call_again(world, scene.arguments)
    return said


def kill_counted(name: str, kills: int, count: Count) -> Counter[str]:
    """Kill a verb at so many of its changing calls."""
    scene, found = SCENES[name], Counter[str]()
    with kept(scene, Path(tempfile.mkdtemp(prefix="counted-"))) as (world, first):
        before = state(world, scene.folder)
        count.arm(2**40)
        call(world, scene.arguments)
        total = count.calls()
        count.arm(0)
        expected = state(world, scene.folder)
        assert expected != before, "it wrote nothing"
        for number in range(kills):
            at = 1 + (2 * number + 1) * total // (2 * kills)
            put_back(world, first)
            count.arm(at)
            try:
                call(world, scene.arguments)
            except AssertionError:  # -9
                found["kills"] += count.calls() >= at
            else:
                print(f"{name}: not killed at call {at}, {count.calls()} came", flush=True)
            count.arm(0)
            try:
                check_midway(world, scene, before, expected)
            except (AssertionError, subprocess.CalledProcessError) as error:
                found["wrong"] += 1
                print(f"{name} at call {at}: {str(error)[:1000]}", flush=True)
            said = recover(world, scene)
            if difference := different(state(world, scene.folder), expected):
                found["stuck" if "lock" in said else "lost"] += 1
                print(f"{name} at call {at}: {said[-1000:]}\n{difference[:1000]}", flush=True)
    print(f"{name}: {total} changing calls, {dict(found)}", flush=True)
    return found


def main() -> None:
    """Kill, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int)
    parser.add_argument("verbs", nargs="*", default=list(VERBS))
    chosen = parser.parse_args()
    count_calls(__spec__.name)
    load()
    found, count = Counter[str](), Count()
    for number, name in enumerate(chosen.verbs):
        share = (chosen.kills + number) // len(chosen.verbs)
        found += kill_counted(name, max(share, 1), count)
    print(", ".join(f"{found[key]} {key}" for key in ("kills", "stuck", "lost", "wrong")))
    sys.exit(any(found[key] for key in ("stuck", "lost", "wrong")) or not found["kills"])


if __name__ == "__main__":
    main()
