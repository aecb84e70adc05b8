"""CPU time and peak memory of a container, which Docker forgets when it exits.

If the daemon lets us name a parent cgroup and we may read it, a parent of our own outlives the
container and has exact figures. Otherwise the container's own is read while it is there.
"""

import contextlib
import os
import re
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.docker_client import DockerClient

_ROOT = Path("/sys/fs/cgroup")
_SAMPLE_SECONDS = 0.05
Usage = tuple[float | None, int | None]
"""CPU seconds and peak bytes."""


class Meter:
    """Measures a container by its parent: a folder, or in version 1 one in each hierarchy."""

    unseen = 0
    """Bytes by which the peak may have been higher for a moment."""
    parent: str | None = None
    """Cgroup to create the container under, if any."""

    def __init__(self, name: str, memory: Path, cpu: Path) -> None:
        self.parent = f"/{name}"
        self._name = name
        self._folders = memory / name, cpu / name

    def begin(self, container: str) -> None:
        """Follow a container that has just started; of this one the kernel counts."""

    def first_process(self, container: str) -> int | None:
        """Its number, 0 if it has ended, or None; the daemon takes 0.03 s for it."""
        if not self._folders[0].is_dir():
            return None
        with contextlib.suppress(OSError):
            for pid in (self._folders[0] / container / "cgroup.procs").read_text().split():
                if re.search(r"^NSpid:.*\t1$", Path(f"/proc/{pid}/status").read_text(), re.M):
                    return int(pid)
        return 0

    def read(self) -> Usage:
        return _usage(*self._folders)

    def close(self) -> None:
        for hierarchy in {path.resolve() for path in (_ROOT, *_ROOT.iterdir()) if path.is_dir()}:
            _remove(hierarchy / self._name)


def make_meter(client: DockerClient, info: dict[str, Any], run_id: str) -> Meter:
    if str(info.get("CgroupVersion") or "1") == "2":
        memory, cpu, is_mounted = _ROOT, _ROOT, (_ROOT / "cgroup.controllers").exists()
    else:
        memory, cpu, is_mounted = _ROOT / "memory", _ROOT / "cpuacct", True
    # Rootless Podman may not make a cgroup that this process may make.
    may_make = info.get("CgroupDriver") == "cgroupfs" and not info.get("Rootless")
    if may_make and is_mounted and _is_writable(memory) and _is_writable(cpu):
        return Meter(f"{_name(run_id)}{uuid.uuid4().hex}", memory, cpu)
    return _Sampler(client)


def remove_cgroups(run_id: str) -> None:
    folders = [path for depth in ("", "*/") for path in _ROOT.glob(f"{depth}{_name(run_id)}*")]
    for folder in {path.resolve() for path in folders}:
        _remove(folder)


def _name(run_id: str) -> str:
    return f"pullbench_{run_id}_"


class _Sampler(Meter):
    """Reads the container's own cgroup until it is gone with its program, if we may make none.

    If the container is on another machine, reads the daemon's statistics, about once a second.
    """

    unseen = 2**30

    def __init__(self, client: DockerClient) -> None:
        self._client = client
        self._seconds: float | None = None
        self._peak: int | None = None
        self._thread: threading.Thread | None = None

    def begin(self, container: str) -> None:
        self._thread = threading.Thread(target=self._watch, args=(container,), daemon=True)
        self._thread.start()

    def _watch(self, container: str) -> None:
        # Files and stream end with the container, or break when it is removed.
        with contextlib.suppress(Exception):
            pid = self._client.inspect_container(container)["State"]["Pid"]
            cgroups = Path(f"/proc/{pid}/cgroup").read_text()
            # The number of another machine's container is some other process's here.
            folders = _folders(cgroups) if container in cgroups else None
            while folders is not None:
                seconds, peak = _usage(*folders)
                if peak is None and seconds is None:
                    break
                self._seconds, self._peak = seconds or self._seconds, peak or self._peak
                time.sleep(_SAMPLE_SECONDS)
            if self._peak is not None:
                return
        with contextlib.suppress(Exception):
            for sample in self._client.stats(container):
                memory = sample.get("memory_stats", {})
                usage = memory.get("max_usage") or memory.get("usage")
                cpu = sample.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage")
                if usage:
                    self._peak = max(self._peak or 0, int(usage))
                if cpu:
                    self._seconds = max(self._seconds or 0.0, int(cpu) / 1e9)

    def first_process(self, container: str) -> int | None: ...

    def read(self) -> Usage:
        if self._thread:
            self._thread.join(timeout=2)
        return self._seconds, self._peak

    def close(self) -> None: ...


def _folders(cgroups: str) -> tuple[Path, Path] | None:
    """Where memory and CPU of a /proc/PID/cgroup are counted; None if they are not."""
    lines = [line.split(":", 2) for line in cgroups.splitlines()]
    places = {kind: path[1:] for _, kinds, path in lines for kind in kinds.split(",")}
    if places.get("memory") and places.get("cpuacct"):
        return _ROOT / "memory" / places["memory"], _ROOT / "cpuacct" / places["cpuacct"]
    return (_ROOT / places[""], _ROOT / places[""]) if places.get("") else None


def _usage(memory: Path, cpu: Path) -> Usage:
    """Read a cgroup of either version: their files have different names."""
    peak = _number(memory / "memory.peak") or _number(memory / "memory.max_usage_in_bytes")
    nanoseconds = _number(cpu / "cpuacct.usage")
    if nanoseconds is not None:
        return nanoseconds / 1e9, peak
    with contextlib.suppress(OSError, ValueError, KeyError):
        counts = dict(line.split() for line in (cpu / "cpu.stat").read_text().splitlines())
        return int(counts["usage_usec"]) / 1e6, peak
    return None, peak


def _is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK)


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None


def _remove(folder: Path) -> None:
    # The kernel frees a cgroup shortly after its last process; rmdir until then says "busy".
    for _ in range(50):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            with contextlib.suppress(OSError):
                for child in folder.iterdir():
                    if child.is_dir():
                        child.rmdir()
            time.sleep(0.01)
        else:
            return
