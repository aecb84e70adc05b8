"""The confinement of containers: every isolation on, nothing optional."""

import os
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.docker_client import APIError, DockerClient
from evaluator.core.compute.engine.output import Room
from evaluator.core.compute.engine.seccomp import profile
from evaluator.core.compute.engine.spec import RunSpec
from evaluator.core.formats.extension import MIN_PIDS

FOREIGN = 65534 if os.geteuid() != 65534 else 65533
"""A user that is not the one who runs the command, and has nothing on this machine."""
USER = f"{FOREIGN}:{FOREIGN}"
_OURS = "65500:65500"
"""Runs pullbench's own programs, which no stranger's program is to meet as its own user."""
_HOLDER = USER if os.geteuid() == 0 else f"{os.geteuid()}:{os.getegid()}"
"""Who runs a holder: its volumes are open to root and to this user."""
SHARED = "container:"
"""Begins the network of a container that shares another's."""
PLACE = "/volumes"
"""Where a holder has its volumes, by their numbers."""
_CONFINED: dict[str, Any] = {
    "ReadonlyRootfs": True,
    "CapDrop": ["ALL"],
    "SecurityOpt": ["no-new-privileges"],
}
_HELPER = {**_CONFINED, "NetworkMode": "none", "PidsLimit": MIN_PIDS, "Memory": 2**26}
"""Arguments of containers that run pullbench's own commands."""
OPEN_FILES = 4096
_PROCESSES = 2**15
"""Of one user, under Podman, which otherwise asks for more than it may have in some containers."""
_SHUT = "ro,nosuid,nodev,noexec,size=4096"


@dataclass(frozen=True, kw_only=True)
class Confinement:
    """How the containers of one run are confined by one engine."""

    runtime: str
    labels: Mapping[str, str]
    is_podman: bool = False
    empty: Path | None = None
    """An empty folder: an overlay that cannot be written to has at least two."""

    def create(
        self, client: DockerClient, spec: RunSpec, image_id: str, *,
        network_disabled: bool, cgroup_parent: str | None = None, entrypoint: str | None = None,
    ) -> str:  # fmt: skip
        limits = spec.limits
        scratch = scratch_size(spec)
        tmpfs = {"/tmp": f"rw,nosuid,nodev,noexec,mode=1777,size={scratch}"}  # noqa: S108
        if self.is_podman:  # it adds these to a root that is read-only, writable and of any size
            tmpfs |= {"/run": _SHUT, "/var/tmp": _SHUT}  # noqa: S108 - the container's own
        host = {
            # Mounts, not ``Binds``: one folder of identical content may be at two targets.
            "Mounts": [
                *(
                    _mount("bind", str(mount.source), mount.target) | {"ReadOnly": True}
                    if mount.is_plain
                    else self._overlay(mount.source, mount.target)
                    for mount in spec.mounts
                ),
                *(
                    _mount("volume", output.source, target, NoCopy=True)
                    for target, output in spec.outputs.items()
                    if not self.is_podman
                ),
            ],
            # It mounts a volume without the volume's options.
            "Binds": [
                f"{output.source}:{target}:nocopy,{_rights(output.room)}"
                for target, output in spec.outputs.items()
                if self.is_podman
            ],
            "NetworkMode": spec.network,
            "Runtime": self.runtime,
            **_CONFINED,
            "PidsLimit": limits.pids,
            "Memory": limits.memory,
            "MemorySwap": limits.memory,
            "NanoCpus": int(limits.cpus * 1e9),
            "Tmpfs": tmpfs,
            "ShmSize": scratch,
            "Ulimits": self._ulimits(fsize=limits.output_size),
            "LogConfig": self._log(limits.log_size),
        }
        if cgroup_parent:
            host["CgroupParent"] = cgroup_parent
        if spec.gpus:
            host["DeviceRequests"] = [{"Count": spec.gpus, "Capabilities": [["gpu"]]}]
        with self._filter(links=spec.links) as option:
            host["SecurityOpt"] = [*host["SecurityOpt"], option]
            return client.create_container(
                Image=image_id,
                Cmd=list(spec.command),
                Entrypoint=[entrypoint] if entrypoint else None,
                User=_OURS if spec.is_ours else USER,
                # Else it is the container's id. Who shares a network has that one's name.
                Hostname="" if spec.network.startswith(SHARED) else "cell",
                WorkingDir=spec.workdir,
                Env=[f"{name}={value}" for name, value in _environment(spec).items()],
                Labels=dict(self.labels),
                HostConfig=host,
                NetworkDisabled=network_disabled,
            )

    @contextmanager
    def _filter(self, *, links: bool) -> Iterator[str]:
        if not self.is_podman:
            yield f"seccomp={profile(links=links)}"
            return
        with tempfile.NamedTemporaryFile("w", prefix="pullbench-") as file:  # Podman takes a path
            file.write(profile(links=links))
            file.flush()
            Path(file.name).chmod(0o644)
            yield f"seccomp={file.name}"

    def create_holder(
        self, client: DockerClient, image_id: str, rooms: Sequence[Room], *, network_disabled: bool
    ) -> str:
        """Create an idle container with volumes below PLACE, which go with it; return its id."""
        labels = dict(self.labels)
        names: list[str | None] = [None] * len(rooms)
        if self.is_podman:  # of a volume that comes with its container it ignores the options
            names = [f"pullbench-{uuid.uuid4().hex}" for _ in rooms]
            for name, room in zip(names, rooms, strict=True):
                # "size" would be a quota of the disk's, which few file systems have.
                options = _in_memory(room, f"nr_blocks={-(-room.size // 4096)}")
                client.create_volume(Name=name, Driver="local", DriverOpts=options, Labels=labels)
        mounts = [
            _mount("volume", name, f"{PLACE}/{number}", NoCopy=True, Labels=labels, DriverConfig={
                "Name": "local", "Options": _in_memory(room, f"size={room.size}"),
            })
            for number, (name, room) in enumerate(zip(names, rooms, strict=True))
        ]  # fmt: skip
        return client.create_container(
            Image=image_id,
            Entrypoint=["sleep"],
            Cmd=[str(2**31 - 1)],  # not every image's knows "infinity"
            User=_HOLDER,
            Labels=labels,
            NetworkDisabled=network_disabled,
            HostConfig={
                "Mounts": mounts, **_HELPER, "Runtime": self.runtime, "Ulimits": self._ulimits()
            },
        )  # fmt: skip

    def _overlay(self, source: Path, target: str) -> dict[str, Any]:
        """Mount inodes of the container's own: locks, leases and notices act on inodes."""
        options = {"type": "overlay", "device": "overlay"}
        options["o"] = f"ro,nosuid,nodev,lowerdir={source}:{self.empty}"
        # An overlay without an upper folder needs no ``read_only``, which engines refuse here.
        return _mount("volume", None, target, NoCopy=True, Labels=dict(self.labels),
                      DriverConfig={"Name": "local", "Options": options})  # fmt: skip

    def can_overlay(
        self, client: DockerClient, source: Path, image_id: str, remove: Callable[[str], object]
    ) -> bool:
        """Whether an overlay can be mounted; ``remove`` gets the id of a container."""
        if self.is_podman or self.empty is None:  # Podman ignores the options
            return False
        container = client.create_container(
            Image=image_id,
            Cmd=["0"],
            Labels=dict(self.labels),
            HostConfig={
                "Mounts": [self._overlay(source, PLACE)], **_HELPER, "Runtime": self.runtime
            },
        )  # fmt: skip
        try:
            return client.has_path(container, PLACE)
        except APIError:
            return False
        finally:
            remove(container)

    def _log(self, size: int) -> dict[str, Any]:
        # An engine that begins a file removes the one before the last: two hold the log's end.
        # A program waits while an engine writes its log: ``local`` costs less time than JSON.
        most = {"max-size": str(2 * size), "max-file": "2"}
        if self.is_podman:
            return {"Type": "json-file", "Config": most}
        return {"Type": "local", "Config": most | {"compress": "false"}}

    def _ulimits(self, **more: int) -> list[dict[str, Any]]:
        limits = {"nofile": OPEN_FILES, "core": 0, **more}
        if self.is_podman:
            limits["nproc"] = _PROCESSES
        return [{"Name": name, "Soft": most, "Hard": most} for name, most in limits.items()]


def _mount(kind: str, source: str | None, target: str, **options: Any) -> dict[str, Any]:
    return {
        "Type": kind, "Source": source, "Target": target, "VolumeOptions": options or None
    }  # fmt: skip


def scratch_size(spec: RunSpec) -> int:
    """Bytes that a container may have in /tmp, and again in /dev/shm."""
    return min(spec.limits.memory // 2, 2**30)


def _environment(spec: RunSpec) -> dict[str, str]:
    return {
        "HOME": "/tmp",  # noqa: S108 - the container's own
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        **spec.resources,
        **spec.environment,
    }


def _in_memory(room: Room, size: str) -> dict[str, str]:
    # Any user may write, for a daemon may map users to others.
    options = f"{size},nr_inodes={room.files},mode=0777,{_rights(room)}"
    return {"type": "tmpfs", "device": "tmpfs", "o": options}


def _rights(room: Room) -> str:
    return "nosuid,nodev" if room.executable else "nosuid,nodev,noexec"
