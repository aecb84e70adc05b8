"""What a run of the tests leaves as it was: links, routes and the rest of the machine.

It is compared before and after. What belongs to a container that runs is compared as that
container. Containers, volumes, images and mounts for tests may be those of other tests, and are
compared where none run beside these.
"""

import contextlib
import fcntl
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import docker
import pytest
from docker.errors import DockerException

from evaluator.core.compute.engine.images import CONTEXT_LABEL
from evaluator.core.compute.engine.leftovers import RUN_LABEL

Things = set[tuple[str, str]]
"""Kind and name."""

_OF_CONTAINERS = re.compile(r"\b(veth|br-)[0-9a-f]+\b")
"""Links that an engine makes for a container, and for a network of its own."""
_OF_TESTS = ("container", "container of a run", "volume", "image", "mount for tests")
SECONDS = 20
"""How long things may take to go after the last test: engines remove them in the background."""
_BESIDE = Path(f"/tmp/pullbench-tests-{os.getuid()}.lock")  # whatever TMPDIR says
_IS_ALONE = pytest.StashKey[bool]()
_LOCK = pytest.StashKey[IO[str]]()
_BEFORE = pytest.StashKey[Things]()
_CHANGES = pytest.StashKey[list[str]]()


def things() -> Things:
    return {*_network(), *_devices(), *_mounts(), *_of_docker()}


def _devices() -> Iterator[tuple[str, str]]:
    """Yield those that everybody writes to; root may replace one by a file, and sees no change."""
    for name in ("null", "zero", "full", "random", "urandom", "tty"):
        with contextlib.suppress(FileNotFoundError):
            yield "device", f"/dev/{name} {stat.filemode(Path('/dev', name).stat().st_mode)}"


def _network() -> Iterator[tuple[str, str]]:
    found = [("link", name) for _, name in socket.if_nameindex()]
    for line in Path("/proc/net/route").read_text().splitlines():
        name, target, gateway, _, _, _, _, mask, *_ = line.split()
        found.append(("route", f"{name} {target} {gateway} {mask}"))
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    sudo = () if os.geteuid() == 0 else ("sudo", "-n")
    for name in ("iptables-save", "ip6tables-save"):
        program = shutil.which(name, path=path)
        if program and (not sudo or shutil.which("sudo")):  # others neither read nor change rules
            done = subprocess.run([*sudo, program], check=False, capture_output=True, text=True)
            rules = re.sub(r"^#.*\n| ?\[\d+:\d+\]", "", done.stdout, flags=re.M).splitlines()
            found += [("firewall rule", f"{name}: {rule}") for rule in rules]
    return (one for one in found if not _OF_CONTAINERS.search(one[1]))


def _mounts() -> Iterator[tuple[str, str]]:
    beneath = tempfile.gettempdir() + "/"
    for line in Path("/proc/mounts").read_text().splitlines():
        place = line.split()[1]
        if "/docker/" not in place:
            yield ("mount for tests" if place.startswith(beneath) else "mount"), place


def _of_docker() -> Iterator[tuple[str, str]]:
    try:
        api = docker.from_env().api
    except DockerException:  # no engine answers
        return
    with contextlib.closing(api):
        for container in api.containers(all=True):
            kind = "container of a run" if RUN_LABEL in container["Labels"] else "container"
            yield kind, f"{container['Names']} {container['Image']}"
        for volume in api.volumes()["Volumes"] or ():
            yield "volume", volume["Name"]
        for network in api.networks():
            yield "network", network["Name"]
        for image in api.images():
            if CONTEXT_LABEL not in (image["Labels"] or {}):  # those of bundles are kept
                yield "image", f"{image['Id']} {image['RepoTags']}"


def changes(before: Things, *, is_alone: bool) -> list[str]:
    """Say what differs now, and does not pass within some seconds."""
    skipped = () if is_alone else _OF_TESTS
    end = time.monotonic() + SECONDS
    while True:
        after = things()
        lost = [
            ("lost", kind, name)
            for kind, name in before - after
            if kind not in (*skipped, "container of a run")
        ]
        new = [("new", kind, name) for kind, name in after - before if kind not in skipped]
        if not (lost or new) or time.monotonic() > end:
            return sorted(" ".join(words) for words in lost + new)
        time.sleep(0.5)


def _can_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def pytest_sessionstart(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        return
    lock = session.config.stash[_LOCK] = _BESIDE.open("a")
    session.config.stash[_IS_ALONE] = _can_lock(lock)
    fcntl.flock(lock, fcntl.LOCK_SH)
    session.config.stash[_BEFORE] = things()


@pytest.hookimpl(trylast=True)  # after xdist has ended its workers
def pytest_sessionfinish(session: pytest.Session) -> None:
    stash = session.config.stash
    if _BEFORE not in stash:
        return
    is_alone = _can_lock(stash[_LOCK]) and stash[_IS_ALONE]
    stash[_CHANGES] = changes(stash[_BEFORE], is_alone=is_alone)
    stash[_LOCK].close()
    if stash[_CHANGES]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if found := terminalreporter.config.stash.get(_CHANGES, []):
        terminalreporter.section("The tests changed this machine", red=True)
        for line in found:
            terminalreporter.write_line(line)
