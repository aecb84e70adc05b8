"""CPU time and peak memory of a container, which Docker forgets when it exits.

Where the daemon lets us name a parent cgroup and we may read it, a parent of our own outlives
the container and has exact figures. Elsewhere the container's own is read while it is there.
"""

import contextlib
import os
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

_ROOT = Path("/sys/fs/cgroup")
_SAMPLE_SECONDS = 0.05


class Meter(Protocol):
    """Measures one container."""

    unseen: int
    """Bytes by which the peak may have been higher for a moment."""

    @property
    def parent(self) -> str | None:
        """Parent cgroup to create the container under, if any."""

    def started(self, container: str) -> None:
        """Note that a container has started."""

    def read(self) -> tuple[float | None, int | None]:
        """Return CPU seconds and peak bytes, once the container has ended."""

    def close(self) -> None:
        """Forget the container, once it is removed."""


def make_meter(client: Any, info: dict[str, Any], run_id: str) -> Meter:
    """Choose the best meter that this host allows, for a container of a run."""
    name = f"{_name(run_id)}{uuid.uuid4().hex}"
    version = str(info.get("CgroupVersion") or "1")
    # Rootless Podman may not make what whoever asks it may.
    if info.get("CgroupDriver") == "cgroupfs" and not info.get("Rootless"):
        hierarchy: _Cgroup1 | _Cgroup2 = _Cgroup2(name) if version == "2" else _Cgroup1(name)
        if hierarchy.usable():
            return hierarchy
    return _Sampler(client)


def remove_cgroups(run_id: str) -> None:
    """Remove the parents of a run's containers, once these are gone."""
    folders = [path for depth in ("", "*/") for path in _ROOT.glob(f"{depth}{_name(run_id)}*")]
    for folder in {path.resolve() for path in folders}:
        _remove(folder)


def _name(run_id: str) -> str:
    return f"pullbench_{run_id}_"


class _Cgroup1:
    """Version 1: one folder in each of two hierarchies."""

    unseen = 0

    def __init__(self, name: str) -> None:
        self.parent = f"/{name}"
        self.place(name, name)

    def place(self, memory: str, cpu: str) -> None:
        """Read from these paths in the two hierarchies."""
        self._memory = _ROOT / "memory" / memory
        self._cpu = _ROOT / "cpuacct" / cpu

    def usable(self) -> bool:
        return _writable(_ROOT / "memory") and _writable(_ROOT / "cpuacct")

    def started(self, container: str) -> None:
        """Nothing to do: the kernel counts."""

    def read(self) -> tuple[float | None, int | None]:
        nanoseconds = _number(self._cpu / "cpuacct.usage")
        peak = _number(self._memory / "memory.max_usage_in_bytes")
        return (None if nanoseconds is None else nanoseconds / 1e9), peak

    def close(self) -> None:
        for hierarchy in {path.resolve() for path in _ROOT.iterdir() if path.is_dir()}:
            _remove(hierarchy / self.parent[1:])


class _Cgroup2:
    """Version 2: one folder."""

    unseen = 0

    def __init__(self, name: str) -> None:
        self.parent = f"/{name}"
        self._folder = _ROOT / name

    def usable(self) -> bool:
        return _writable(_ROOT) and (_ROOT / "cgroup.controllers").exists()

    def started(self, container: str) -> None:
        """Nothing to do: the kernel counts."""

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


class _Sampler:
    """For who may make no cgroup: the container's own is read until it is gone with its program.

    Where it is on another machine the daemon's statistics are, about once a second.
    """

    parent = None
    unseen = 2**30

    def __init__(self, client: Any) -> None:
        self._client = client
        self._seconds: float | None = None
        self._peak: int | None = None
        self._thread: threading.Thread | None = None

    def started(self, container: str) -> None:
        self._thread = threading.Thread(target=self._watch, args=(container,), daemon=True)
        self._thread.start()

    def _watch(self, container: str) -> None:
        # Files and stream end with the container, or break when it is removed.
        with contextlib.suppress(Exception):
            pid = self._client.inspect_container(container)["State"]["Pid"]
            cgroups = Path(f"/proc/{pid}/cgroup").read_text()
            # Of another machine's container the number is some other process's here.
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

    def close(self) -> None:
        """Nothing to do: the stream ends with the container."""


def _reader(cgroups: str) -> Callable[[], tuple[float | None, int | None]] | None:
    """Read what a container has used, given its /proc/PID/cgroup; None where it is not here."""
    lines = [line.split(":", 2) for line in cgroups.splitlines()]
    places = {kind: path[1:] for _, kinds, path in lines for kind in kinds.split(",")}
    if places.get("memory") and places.get("cpuacct"):
        first = _Cgroup1("")
        first.place(places["memory"], places["cpuacct"])
        return first.read
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
