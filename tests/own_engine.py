"""A Docker engine of the tests' own, which they may stop, kill and break."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import docker

_SECONDS = 60
_RUNC = """#!/bin/sh
if [ -e {folder}/broken ]; then
    case " $* " in *" create "*)
        while [ $# -gt 0 ]; do [ "$1" = --log ] && log=$2; shift; done
        echo '{{"level":"error","msg":"'"$(cat {folder}/broken)"'"}}' >> "$log"
        exit 1;;
    esac
fi
exec {runc} "$@"
"""
"""The runtime, which fails while there is a file ``broken``, with what that file says."""


class OwnEngine:
    """``dockerd`` with everything of its own, and one image of the machine's engine.

    It lives in a network namespace of its own, without a way out. There it may remove ``docker0``,
    as an engine without a bridge does. Who is not root needs sudo for it.
    """

    def __init__(self, image: str) -> None:
        # Not below pytest's folders: the address of a socket has 108 bytes at most.
        self.folder = Path(tempfile.mkdtemp(prefix="pullbench-engine-"))
        self.address = f"unix://{self.folder}/socket"
        self.environment = {"DOCKER_HOST": self.address}
        self._image = image
        self._sudo = () if os.geteuid() == 0 else ("sudo", "-n", "--preserve-env=PATH")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        runc = shutil.which("runc", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
        assert runc is not None
        (self.folder / "bin").mkdir()
        (self.folder / "bin/runc").write_text(_RUNC.format(folder=self.folder, runc=runc))
        (self.folder / "bin/runc").chmod(0o755)
        self.folder.chmod(0o755)
        try:
            try:
                self.start("overlay2")
            except TimeoutError:  # files lie on an overlay already
                self.start("vfs")
            copy = f"docker save {self._image} | docker --host {self.address} load --quiet"
            subprocess.run(["sh", "-c", copy], check=True, capture_output=True, timeout=_SECONDS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGTERM)
        with contextlib.suppress(FileNotFoundError):  # of a daemon that was killed
            pid = (self.folder / "run/containerd/containerd.pid").read_text()
            subprocess.run([*self._sudo, "kill", "-9", pid], check=False, capture_output=True)
        # What a daemon that was killed has left, and only that.
        mine = str(self.folder)
        for line in Path("/proc/mounts").read_text().splitlines()[::-1]:
            if line.split()[1].startswith(mine):
                subprocess.run([*self._sudo, "umount", "-l", line.split()[1]], check=False)
        subprocess.run([*self._sudo, "rm", "-rf", mine], check=False)

    def start(self, driver: str | None = None) -> None:
        """Start it, and wait until it answers. Raises TimeoutError."""
        place = self.folder
        name = re.sub(r"\W|_", "", place.name)  # containerd takes no name that ends in _
        if driver:
            (place / "driver").write_text(driver)
        # A second daemon does not share a containerd that the system has.
        command = [
            "unshare", "--net", "dockerd", f"--data-root={place}/data", f"--exec-root={place}/run",
            f"--host={self.address}", f"--pidfile={place}/pid", "--bridge=none", "--iptables=false",
            "--shutdown-timeout=3", f"--storage-driver={(place / 'driver').read_text()}",
            f"--containerd-namespace={name}", f"--containerd-plugins-namespace={name}-plugins",
        ]  # fmt: skip
        path = f"{place}/bin:{os.environ['PATH']}:/usr/sbin:/sbin"
        with (place / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._sudo, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "PATH": path}, start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            asked = ["docker", "--host", self.address, "version"]
            if subprocess.run(asked, check=False, capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        said = self.said()
        self.end(signal.SIGKILL)
        raise TimeoutError(said)

    def client(self) -> Any:
        return docker.APIClient(base_url=self.address, version="auto", timeout=30)

    def end(self, number: signal.Signals) -> None:
        """End it with a signal, and wait for that."""
        if self._process is None:
            return
        with contextlib.suppress(FileNotFoundError):
            pid = (self.folder / "pid").read_text()
            subprocess.run([*self._sudo, "kill", f"-{number.value}", pid], check=False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_SECONDS)
        self._process = None
        (self.folder / "pid").unlink(missing_ok=True)

    def run_as_root(self, *command: str) -> None:
        subprocess.run([*self._sudo, *command], check=True, capture_output=True)

    def said(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def first_running(self, command: str) -> dict[str, Any]:
        """Wait for a container in which a command runs that holds a text."""
        end = time.monotonic() + _SECONDS
        with self.client() as client:
            while time.monotonic() < end:
                for item in client.containers():
                    if command in item["Command"]:
                        found: dict[str, Any] = client.inspect_container(item["Id"])
                        if found["State"]["Running"]:
                            return found
                time.sleep(0.02)
        raise TimeoutError(command)
