"""The confinement of containers: every isolation on, nothing optional.

No network, read-only root, no capability, no new privileges, a user without rights, limits on
processes, memory, CPU, output and log.
"""

import os
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docker.types import DeviceRequest, DriverConfig, LogConfig, Mount, Ulimit

from evaluator.core.compute.engine.output import Room
from evaluator.core.compute.engine.seccomp import profile
from evaluator.core.compute.engine.spec import RunSpec
from evaluator.core.formats.extension import MIN_PIDS

FOREIGN = 65534 if os.geteuid() != 65534 else 65533
"""A user that is not the one who runs the command, and has nothing on this machine."""
USER = f"{FOREIGN}:{FOREIGN}"
_HOLDER = USER if os.geteuid() == 0 else f"{os.geteuid()}:{os.getegid()}"
"""Who runs a holder: its volumes are open to root and to this user."""
PLACE = "/volumes"
"""Where a holder has its volumes, by their numbers."""
_CONFINED: dict[str, Any] = {
    "read_only": True,
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges"],
}
"""What holds for every container."""
_HELPER = {**_CONFINED, "network_mode": "none", "pids_limit": MIN_PIDS, "mem_limit": 2**26}
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
        self,
        client: Any,
        spec: RunSpec,
        image_id: str,
        *,
        network_disabled: bool,
        cgroup_parent: str | None = None,
        entrypoint: str | None = None,
    ) -> str:
        limits = spec.limits
        scratch = scratch_size(spec)
        tmpfs = {"/tmp": f"rw,nosuid,nodev,noexec,mode=1777,size={scratch}"}  # noqa: S108
        if self.is_podman:  # it adds these to a root that is read-only, writable and of any size
            tmpfs |= {"/run": _SHUT, "/var/tmp": _SHUT}  # noqa: S108 - the container's own
        host = client.create_host_config(
            # Mounts, not ``binds``: that is a mapping by source, and one folder of identical
            # content may be at two targets.
            mounts=[
                *(
                    Mount(mount.target, str(mount.source), type="bind", read_only=True)
                    if mount.is_plain
                    else self._overlay(mount.source, mount.target)
                    for mount in spec.mounts
                ),
                *(
                    Mount(target, output.source, type="volume", no_copy=True)
                    for target, output in spec.outputs.items()
                    if not self.is_podman
                ),
            ],
            # It mounts a volume without the volume's options.
            binds=[
                f"{output.source}:{target}:nocopy,{_rights(output.room)}"
                for target, output in spec.outputs.items()
                if self.is_podman
            ],
            network_mode=spec.network,
            runtime=self.runtime,
            **_CONFINED,
            pids_limit=limits.pids,
            mem_limit=limits.memory,
            memswap_limit=limits.memory,
            nano_cpus=int(limits.cpus * 1e9),
            tmpfs=tmpfs,
            shm_size=scratch,
            ulimits=[
                *self._ulimits(),
                Ulimit(name="fsize", soft=limits.output_size, hard=limits.output_size),
            ],
            log_config=self._log(limits.log_size),
            cgroup_parent=cgroup_parent,
            device_requests=(
                [DeviceRequest(count=spec.gpus, capabilities=[["gpu"]])] if spec.gpus else None
            ),
        )
        with self._filter(links=spec.links) as option:
            host["SecurityOpt"] = [*host["SecurityOpt"], option]
            created = client.create_container(
                image_id,
                command=list(spec.command),
                entrypoint=[entrypoint] if entrypoint else None,
                user=USER,
                hostname="cell",  # else it is the container's id
                working_dir=spec.workdir,
                environment=_environment(spec),
                labels=dict(self.labels),
                host_config=host,
                network_disabled=network_disabled,
            )
        return str(created["Id"])

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
        self, client: Any, image_id: str, rooms: Sequence[Room], *, network_disabled: bool
    ) -> str:
        """Create an idle container with volumes below PLACE, which go with it; return its id."""
        labels = dict(self.labels)
        names: list[str | None] = [None] * len(rooms)
        if self.is_podman:  # of a volume that comes with its container it ignores the options
            names = [f"pullbench-{uuid.uuid4().hex}" for _ in rooms]
            for name, room in zip(names, rooms, strict=True):
                # "size" would be a quota of the disk's, which few file systems have.
                options = _in_memory(room, f"nr_blocks={-(-room.size // 4096)}")
                client.create_volume(name, "local", options, labels)
        created = client.create_container(
            image_id,
            entrypoint=["sleep"],
            command=[str(2**31 - 1)],  # not every image's knows "infinity"
            user=_HOLDER,
            labels=labels,
            network_disabled=network_disabled,
            host_config=client.create_host_config(
                mounts=[
                    Mount(
                        f"{PLACE}/{number}", name, type="volume", no_copy=True, labels=labels,
                        driver_config=DriverConfig("local", _in_memory(room, f"size={room.size}")),
                    )
                    for number, (name, room) in enumerate(zip(names, rooms, strict=True))
                ],
                **_HELPER, runtime=self.runtime, ulimits=self._ulimits(),
            ),
        )  # fmt: skip
        return str(created["Id"])

    def _overlay(self, source: Path, target: str) -> Mount:
        """Show a folder with inodes of the container's own: a volume that goes with it.

        Locks, leases and notices act on inodes, also of files that nobody may write to.
        """
        options = {"type": "overlay", "device": "overlay"}
        options["o"] = f"ro,nosuid,nodev,lowerdir={source}:{self.empty}"
        # An overlay without an upper folder needs no ``read_only``, which engines refuse here.
        return Mount(
            target, None, type="volume", no_copy=True, labels=dict(self.labels),
            driver_config=DriverConfig("local", options),
        )  # fmt: skip

    def can_overlay(
        self, client: Any, source: Path, image_id: str, remove: Callable[[str], object]
    ) -> bool:
        """Whether the engine mounts an overlay of a folder: it does so to list what is in it.

        ``remove`` gets the id of a container that was not started, and may remove it later.
        """
        if self.is_podman or self.empty is None:  # Podman ignores the options
            return False
        container = client.create_container(
            image_id,
            command=["0"],
            labels=dict(self.labels),
            host_config=client.create_host_config(
                mounts=[self._overlay(source, PLACE)], **_HELPER, runtime=self.runtime
            ),
        )["Id"]
        try:
            address = f"{client.base_url}/containers/{container}/archive"
            return bool(client.head(address, params={"path": PLACE}).ok)
        finally:
            remove(container)

    def _log(self, size: int) -> LogConfig:
        # An engine that begins a file removes the one before the last: two hold the log's end.
        # A program waits while an engine writes its log: ``local`` costs less time than JSON.
        most = {"max-size": str(2 * size), "max-file": "2"}
        if self.is_podman:
            return LogConfig(type="json-file", config=most)
        return LogConfig(type="local", config=most | {"compress": "false"})

    def _ulimits(self) -> list[Ulimit]:
        limits = {"nofile": OPEN_FILES, "core": 0}
        if self.is_podman:
            limits["nproc"] = _PROCESSES
        return [Ulimit(name=name, soft=most, hard=most) for name, most in limits.items()]


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
