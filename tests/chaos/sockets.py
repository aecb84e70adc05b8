"""Runs cells through a Docker socket that breaks, and then once more through one that does not.

``python -m tests.chaos.sockets N`` does so N times. A run through the broken socket leaves records
that are those of an undisturbed run, or say that the platform failed; the next one makes them all
those of an undisturbed run, and nothing of either stays behind.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.docker_client import connect
from evaluator.core.compute.engine.leftovers import PLACE_LABEL, RUN_LABEL
from evaluator.core.compute.run_folder import RunFolder
from tests.chaos.kills import State, different, put_back, small, state
from tests.commands import load, pullbench
from tests.repository import Repository
from tests.site.conftest import ROOT

_DEFAULT = "unix:///var/run/docker.sock"
_RATES = (0.02, 0.05, 0.1, 0.2)
_PLATFORM = 3
_SETTINGS = "[tool.pullbench]\nretries = 1\nengine_wait = 10\n"


@dataclass
class Proxied:
    """A proxy that runs, and what it prints."""

    address: str
    log: Path
    last: str = ""
    """All that it printed, once it has ended."""

    def said(self) -> str:
        return self.last or self.log.read_text()

    @property
    def runs(self) -> set[str]:
        """Ids of the runs that it heard of."""
        return {line[4:] for line in self.said().splitlines() if line.startswith("run ")}


@contextmanager
def proxied(*how: object) -> Iterator[Proxied]:
    """Start a proxy before the machine's engine; ``tests.chaos.proxy`` has what it may be told."""
    engine = os.environ.get("DOCKER_HOST", _DEFAULT).removeprefix("unix://")
    with tempfile.TemporaryDirectory(prefix="proxy-") as folder:
        place, log = Path(folder, "socket"), Path(folder, "log")
        arguments = [str(place), engine, *map(str, how)]
        with log.open("w") as file, subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.proxy", *arguments], cwd=ROOT, stdout=file,
            stderr=file,
        ) as process:  # fmt: skip
            try:
                while not place.exists() or "listening" not in log.read_text():
                    assert process.poll() is None, log.read_text()
                proxy = Proxied(f"unix://{place}", log)
                yield proxy
                proxy.last = log.read_text()
            finally:
                process.kill()


def cells(content: str) -> list[dict[str, Any]]:
    return list(json.loads(content)["cells"]) if '"cells"' in content else []


def without_reuse(whole: State) -> State:
    """Predictions of a cell whose scoring failed are used again: that is how it came about."""
    return [(name, content.replace(', "reused": true', "")) for name, content in whole]


def check_broken(now: dict[str, str], expected: dict[str, str]) -> int:
    """Each record is as expected, or says that the platform failed; returns how many do."""
    faults = 0
    for name, content in now.items():
        if name.endswith(".logs.json") or "/scores/" not in name:
            continue
        wanted = [json.dumps(one) for one in cells(expected[name])]
        for one in cells(content):
            if one.get("error", {}).get("actor") == "platform":
                assert not one.get("scores"), one
                faults += 1
            else:
                assert json.dumps(one) in wanted, f"{name}: {one}"
    return faults


def check_nothing_left(repo: Path, runs: set[str]) -> None:
    client = connect()
    assert client is not None
    left: list[object] = []
    place = f"{PLACE_LABEL}={RunFolder(repo / 'build/run').place}"
    with client:
        filters = [{"label": place}, *({"label": f"{RUN_LABEL}={run}"} for run in runs)]
        for one in filters:
            left += client.package.containers(all=True, filters=one)
            left += client.package.volumes(filters=one)["Volumes"] or ()
    left += (repo / "build/run").iterdir()
    for run in runs:
        for parent in (Path(tempfile.gettempdir()), Path("/dev/shm")):
            left += parent.glob(f"pullbench-{run}")
        for above in ("", "*/"):
            left += Path("/sys/fs/cgroup").glob(f"{above}pullbench_{run}_*")
    left += (repo / "build").rglob(".part-*")
    assert not left, f"left behind: {left}"


def few(repo: Repository) -> Repository:
    """Leave three cells."""
    repo.git("rm", "-rq", "submissions/adding/bob")
    repo.commit("Without bob")
    return repo


def run(
    repo: Path, address: str | None = None, *, is_far: bool = False
) -> subprocess.CompletedProcess[str]:
    """Evaluate what is missing, with the machine's engine or that of an address."""
    environment = {**os.environ, **({"DOCKER_HOST": address} if address else {})}
    return pullbench(
        ("-C", str(repo), "run", "--engine", "docker"), environment,
        within="tests.chaos.far_engine" if is_far else "",
    )  # fmt: skip


def break_often(times: int, first_seed: int) -> Iterator[str | AssertionError]:
    """Yield what is to be printed of each seed."""
    folder = Path(tempfile.mkdtemp(prefix="sockets-"))
    try:
        world, first = folder / "world", folder / "first"
        world.mkdir()
        repo = few(small(world))
        repo.write("pyproject.toml", _SETTINGS)
        repo.commit("Little patience")
        shutil.copytree(world, first, symlinks=True)
        done = run(repo.path)
        assert done.returncode == 0, done.stdout + done.stderr
        expected = state(world)
        for seed in range(first_seed, first_seed + times):
            put_back(world, first)
            rate = _RATES[seed % len(_RATES)]
            with proxied(seed, rate) as proxy:
                try:
                    yield break_once(world, proxy, expected, f"seed {seed}", is_far=seed % 2 == 0)
                except AssertionError as error:
                    yield AssertionError(f"seed {seed}: {error}\n{proxy.said()}")
    finally:
        shutil.rmtree(folder)


def break_once(world: Path, proxy: Proxied, expected: State, name: str, *, is_far: bool) -> str:
    repo = world / "ours"
    done = run(repo, proxy.address, is_far=is_far)
    said = done.stdout + done.stderr
    assert done.returncode in (0, _PLATFORM), said
    assert "defect" not in said, said
    assert "Traceback" not in said, said
    faults = check_broken(dict(state(world)), dict(expected))
    if done.returncode:
        assert "error" in said or "platform" in said, said
    else:
        assert not faults, said
        assert not different(state(world), expected), said
    broken = [line for line in proxy.said().splitlines() if ":" in line]
    again = run(repo)
    assert again.returncode == 0, again.stdout + again.stderr
    difference = different(without_reuse(state(world)), expected)
    assert not difference, difference
    check_nothing_left(repo, proxy.runs)
    return f"{name}: {len(broken)} faults, exit code {done.returncode}, {faults} cells failed"


def main() -> None:
    """Break, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))  # noqa: S311
    chosen = parser.parse_args()
    load()
    failed = 0
    for line in break_often(chosen.times, chosen.seed):
        print(line, flush=True)
        failed += isinstance(line, AssertionError)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
