"""The confinement of containers: every isolation on, nothing optional.

No network, read-only root, no capability, no new privileges, a user without rights, limits on
processes, memory, CPU, output and log.
"""

import os
from collections.abc import Mapping
from typing import Any

from docker.types import DeviceRequest, DriverConfig, LogConfig, Mount, Ulimit

from evaluator.compute.engine.output import Room
from evaluator.compute.engine.seccomp import without_links
from evaluator.compute.engine.spec import RunSpec
from evaluator.formats.extension import MIN_PIDS

FOREIGN = 65534 if os.geteuid() != 65534 else 65533
"""A user that is not the one who runs the command, and has nothing on this machine."""
USER = f"{FOREIGN}:{FOREIGN}"
PLACE = "/volumes"
"""Where a holder has its volumes, by their numbers."""
_NO_NEW_PRIVILEGES = "no-new-privileges"
_CONFINED: dict[str, Any] = {
    "read_only": True,
    "cap_drop": ["ALL"],
    "security_opt": [_NO_NEW_PRIVILEGES],
}
"""What holds for every container."""
_HELPER = {**_CONFINED, "network_mode": "none", "pids_limit": MIN_PIDS, "mem_limit": 2**26}
"""Arguments of containers that run pullbench's own commands."""


def create(
    client: Any,
    spec: RunSpec,
    image_id: str,
    *,
    runtime: str,
    cgroup_parent: str | None,
    labels: Mapping[str, str],
    network_disabled: bool,
    idle: bool = False,
) -> str:
    """Create the container of a spec and return its id; ``idle`` runs ``sleep`` in it instead."""
    limits = spec.limits
    scratch = min(limits.memory // 2, 2**30)
    options = [_NO_NEW_PRIVILEGES, *([] if spec.links else [f"seccomp={without_links()}"])]
    host = client.create_host_config(
        # Mounts, not ``binds``: that is a mapping by source, and one folder of identical content
        # may stand at two targets.
        mounts=[
            *(
                Mount(mount.target, str(mount.source), type="bind", read_only=True)
                for mount in spec.mounts
            ),
            *(
                Mount(target, output.source, type="volume", no_copy=True)
                for target, output in spec.outputs.items()
            ),
        ],
        network_mode=spec.network,
        runtime=runtime,
        **{**_CONFINED, "security_opt": options},
        pids_limit=limits.pids,
        mem_limit=limits.memory,
        memswap_limit=limits.memory,
        nano_cpus=int(limits.cpus * 1e9),
        tmpfs={"/tmp": f"rw,nosuid,nodev,noexec,mode=1777,size={scratch}"},  # noqa: S108
        shm_size=scratch,
        ulimits=[
            Ulimit(name="nofile", soft=4096, hard=4096),
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="fsize", soft=limits.output_size, hard=limits.output_size),
        ],
        log_config=LogConfig(
            type="json-file", config={"max-size": str(2 * limits.log_size), "max-file": "1"}
        ),
        cgroup_parent=cgroup_parent,
        device_requests=(
            [DeviceRequest(count=spec.gpus, capabilities=[["gpu"]])] if spec.gpus else None
        ),
    )
    created = client.create_container(
        image_id,
        command=["0"] if idle else list(spec.command),
        entrypoint=["sleep"] if idle else None,
        user=USER,
        working_dir=spec.workdir,
        environment=_environment(spec),
        labels=dict(labels),
        host_config=host,
        network_disabled=network_disabled,
    )
    return str(created["Id"])


def _environment(spec: RunSpec) -> dict[str, str]:
    return {
        "HOME": "/tmp",  # noqa: S108 - the container's own
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        **spec.resources,
        **spec.environment,
    }


def create_holder(
    client: Any,
    image_id: str,
    volumes: Mapping[str, Room],
    *,
    runtime: str,
    labels: Mapping[str, str],
    network_disabled: bool,
) -> str:
    """Create volumes, and an idle container that has them below PLACE; return its id."""
    created = client.create_container(
        image_id,
        entrypoint=["sleep"],
        command=[str(2**31 - 1)],  # not every image's knows "infinity"
        user=USER,
        labels=dict(labels),
        network_disabled=network_disabled,
        host_config=client.create_host_config(
            mounts=[
                Mount(
                    f"{PLACE}/{number}", name, type="volume", no_copy=True, labels=dict(labels),
                    driver_config=DriverConfig("local", _in_memory(room)),
                )
                for number, (name, room) in enumerate(volumes.items())
            ],
            **_HELPER, runtime=runtime,
        ),
    )  # fmt: skip
    return str(created["Id"])


def _in_memory(room: Room) -> dict[str, str]:
    # Any user may write, for a daemon may map users to others.
    options = f"size={room.size},nr_inodes={room.files},mode=0777,nosuid,nodev"
    if not room.executable:
        options += ",noexec"
    return {"type": "tmpfs", "device": "tmpfs", "o": options}


def disabled_is_isolated(
    client: Any, image_id: str, *, runtime: str, labels: Mapping[str, str]
) -> bool:
    """Look from inside a container without network whether loopback is its only interface."""
    created = client.create_container(
        image_id,
        entrypoint=["cat"],
        command=["/proc/net/dev"],
        user=USER,
        labels=dict(labels),
        network_disabled=True,
        host_config=client.create_host_config(
            **_HELPER, runtime=runtime,
        ),
    )["Id"]  # fmt: skip
    try:
        client.start(created)
        client.wait(created)
        lines = client.logs(created).decode().splitlines()
    finally:
        client.remove_container(created, force=True, v=True)
    return [line.partition(":")[0].strip() for line in lines[2:]] == ["lo"]
