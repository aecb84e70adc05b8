"""CPU time and peak memory of a container, which Docker forgets when it exits.

If the daemon lets us name a parent cgroup and we may read it, a parent of our own outlives the
container and has exact figures. Otherwise the container's own is read while it is there.
"""

import contextlib
import os
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

_ROOT = Path("/sys/fs/cgroup")
_SAMPLE_SECONDS = 0.05


class Meter(ABC):
    """Measures one container."""

    unseen = 0
    """Bytes by which the peak may have been higher for a moment."""
    parent: str | None = None
    """Cgroup to create the container under, if any."""

    def begin(self, container: str) -> None:  # noqa: B027 - elsewhere the kernel counts
        """Follow a container that has just started."""

    @abstractmethod
    def read(self) -> tuple[float | None, int | None]:
        """Return CPU seconds and peak bytes, once the container has ended."""

    def close(self) -> None:  # noqa: B027
        """Remove the cgroup, once the container is removed."""


def make_meter(client: Any, info: dict[str, Any], run_id: str) -> Meter:
    """Make the best meter that this host allows, for a container of a run."""
    name = f"{_name(run_id)}{uuid.uuid4().hex}"
    version = str(info.get("CgroupVersion") or "1")
    # Rootless Podman may not make a cgroup that this process may make.
    if info.get("CgroupDriver") == "cgroupfs" and not info.get("Rootless"):
        hierarchy = _Cgroup2(name) if version == "2" else _Cgroup1(name, name)
        if hierarchy.usable():
            return hierarchy
    return _Sampler(client)


def remove_cgroups(run_id: str) -> None:
    folders = [path for depth in ("", "*/") for path in _ROOT.glob(f"{depth}{_name(run_id)}*")]
    for folder in {path.resolve() for path in folders}:
        _remove(folder)


def _name(run_id: str) -> str:
    return f"pullbench_{run_id}_"


class _Cgroup1(Meter):
    """Version 1: one folder in each of two hierarchies."""

    def __init__(self, memory: str, cpu: str) -> None:
        self.parent = f"/{memory}"
        self._memory = _ROOT / "memory" / memory
        self._cpu = _ROOT / "cpuacct" / cpu

    def usable(self) -> bool:
        return _writable(_ROOT / "memory") and _writable(_ROOT / "cpuacct")

    def read(self) -> tuple[float | None, int | None]:
        nanoseconds = _number(self._cpu / "cpuacct.usage")
        peak = _number(self._memory / "memory.max_usage_in_bytes")
        return (None if nanoseconds is None else nanoseconds / 1e9), peak

    def close(self) -> None:
        for hierarchy in {path.resolve() for path in _ROOT.iterdir() if path.is_dir()}:
            _remove(hierarchy / self._memory.name)


class _Cgroup2(Meter):
    """Version 2: one folder."""

    def __init__(self, name: str) -> None:
        self.parent = f"/{name}"
        self._folder = _ROOT / name

    def usable(self) -> bool:
        return _writable(_ROOT) and (_ROOT / "cgroup.controllers").exists()

    def read(self) -> tuple[float | None, int | None]:
        peak = _number(self._folder / "memory.peak")
        seconds = None
        with contextlib.suppress(OSError, ValueError, IndexError):
            for line in (self._folder / "cpu.stat").read_text().splitlines():
                if line.startswith("usage_usec "):
                    seconds = int(line.split()[1]) / 1e6
        return seconds, peak

    def close(self) -> None:
        _remove(self._folder)


class _Sampler(Meter):
    """Reads the container's own cgroup until it is gone with its program, if we may make none.

    If the container is on another machine, reads the daemon's statistics, about once a second.
    """

    unseen = 2**30

    def __init__(self, client: Any) -> None:
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
            read = _reader(cgroups) if container in cgroups else None
            while read is not None:
                seconds, peak = read()
                if peak is None and seconds is None:
                    break
                self._seconds, self._peak = seconds or self._seconds, peak or self._peak
                time.sleep(_SAMPLE_SECONDS)
            if self._peak is not None:
                return
        with contextlib.suppress(Exception):
            for sample in self._client.stats(container, stream=True, decode=True):
                memory = sample.get("memory_stats", {})
                usage = memory.get("max_usage") or memory.get("usage")
                cpu = sample.get("cpu_stats", {}).get("cpu_usage", {}).get("total_usage")
                if usage:
                    self._peak = max(self._peak or 0, int(usage))
                if cpu:
                    self._seconds = max(self._seconds or 0.0, int(cpu) / 1e9)

    def read(self) -> tuple[float | None, int | None]:
        if self._thread:
            self._thread.join(timeout=2)
        return self._seconds, self._peak


def _reader(cgroups: str) -> Callable[[], tuple[float | None, int | None]] | None:
    """Return what reads a container's usage, given its /proc/PID/cgroup; None if it has none."""
    lines = [line.split(":", 2) for line in cgroups.splitlines()]
    places = {kind: path[1:] for _, kinds, path in lines for kind in kinds.split(",")}
    if places.get("memory") and places.get("cpuacct"):
        return _Cgroup1(places["memory"], places["cpuacct"]).read
    return _Cgroup2(places[""]).read if places.get("") else None


def _writable(folder: Path) -> bool:
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
