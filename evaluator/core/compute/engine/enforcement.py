"""Whether an engine enforces what it is asked for: a container looks around itself, once.

An engine with Docker's interface may drop what it cannot do and say nothing. Rootless Podman drops
limits if it may set no cgroups, and every ulimit; Podman's answer to ``info`` says that it limits,
and its answer to ``create`` has no warning. So the container's limits are compared with those that
were asked for, and an engine that misses one is refused, with the limit's name.
"""

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from evaluator.core.compute.engine.confinement import OPEN_FILES, USER, Confinement, scratch_size
from evaluator.core.compute.engine.container import has_command
from evaluator.core.compute.engine.docker_client import APIError, DockerClient
from evaluator.core.compute.engine.output import Room
from evaluator.core.compute.engine.spec import Image, ImageError, RunSpec
from evaluator.core.compute.engine.volumes import Holder
from evaluator.core.errors import GUIDES, Actor, PlatformError, printable
from evaluator.core.formats.extension import Limits
from evaluator.core.log import say

_OUTPUT = "/output"
_ROOM = Room(size=2**20, files=64)
_ASKED = RunSpec(
    image=Image(name="", context=None, digest=""), command=[], mounts=[], workdir="/", outputs={},
    limits=Limits.model_construct(), seconds=30,
)  # fmt: skip
_CGROUP = "/sys/fs/cgroup"
_FILES = (
    *(f"/proc/self/{name}" for name in ("status", "limits", "mountinfo")),
    *("/proc/net/dev", "/proc/swaps"),
    *(f"{_CGROUP}/{name}.max" for name in ("memory", "memory.swap", "pids", "cpu")),
    *(f"{_CGROUP}/memory/memory.{name}limit_in_bytes" for name in ("", "memsw.")),
    *(f"{_CGROUP}/{name}" for name in ("pids/pids.max", "cpu/cpu.cfs_quota_us")),
    f"{_CGROUP}/cpu/cpu.cfs_period_us",
)
"""Of both versions of cgroups; a missing one is empty."""
_BETWEEN, _LINE = "/proc/self/comm", "cat\n"
_LOOK = [item for file in _FILES for item in (_BETWEEN, file)]
_PODMAN = (
    "Podman limits memory, processes and cores of containers where it may set cgroups: as root, or "
    "rootless with cgroup version 2 and the controllers memory, pids and cpu delegated to its "
    f"user. Rootless containers inherit ulimits: `ulimit -n {OPEN_FILES}; ulimit -c 0` before "
    f"`podman system service`. {GUIDES}/runners/index.md#podman has it all."
)
_DOCKER = "`docker info` may say why. Send these cells to a machine whose engine can."


class UnenforcedError(PlatformError):
    """An engine does not enforce all that confines programs."""

    retryable = False


def examine(
    client: DockerClient, confinement: Confinement, image_id: str, remove: Callable[[str], object]
) -> bool:
    """Whether a container without network set-up has none. Raises UnenforcedError.

    ``remove`` gets the ids of the containers that it took, and may remove them later.

    gVisor shows no limits to programs inside. With an image without ``cat`` nothing can look: then
    Docker is believed and gets the safe set-up, and Podman is refused.
    """
    inspected, seen = _look(client, confinement, image_id, remove)
    is_visible = bool(seen) and confinement.runtime != "runsc"
    if confinement.is_podman and not is_visible:
        raise _refusal(confinement, ["a look from inside a container"])
    within = seen if is_visible else {}
    if missing := [*_limits(inspected["HostConfig"], within), *_rights(within, confinement)]:
        raise _refusal(confinement, missing)
    names = [line.partition(":")[0].strip() for line in _lines(seen, "/proc/net/dev")[2:]]
    return names == ["lo"]


def _refusal(confinement: Confinement, missing: list[str]) -> UnenforcedError:
    engine = "Podman" if confinement.is_podman else "Docker"
    return UnenforcedError(
        f"this machine's {engine} does not enforce what confines programs: {', '.join(missing)}",
        hint=_PODMAN if confinement.is_podman else _DOCKER,
    )


def _look(
    client: DockerClient, confinement: Confinement, image_id: str, remove: Callable[[str], object]
) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """What the engine says of a container, and what files in it say."""
    with contextlib.ExitStack() as stack:
        holder = confinement.create_holder(client, image_id, [_ROOM], network_disabled=True)
        stack.callback(remove, holder)
        volumes = Holder(client, holder, [_ROOM])
        volumes.open()
        spec = replace(_ASKED, command=_LOOK, outputs={_OUTPUT: volumes.volumes[0]})
        looking = confinement.create(
            client, spec, image_id, network_disabled=True, entrypoint="cat"
        )
        stack.callback(remove, looking)
        inspected = client.inspect_container(looking)
        try:
            client.start(looking)
        except APIError as error:
            if confinement.is_podman:
                if not has_command(client, looking, "cat"):
                    raise ImageError(
                        "the image has no command 'cat', with which its confinement is looked at",
                        hint="Add it, or take an image that has one.",
                        actor=Actor.ORGANISER,
                    ) from None
                say(f"Podman: {printable(error.explanation)[:500]}")
            return inspected, {}
        client.wait(looking)
        text = b"".join(client.logs(looking, stdout=True)).decode(errors="replace")
    contents = re.split(f"^{_LINE}", text, flags=re.MULTILINE)[1:]
    is_whole = len(contents) == len(_FILES)
    return inspected, dict(zip(_FILES, contents, strict=True)) if is_whole else {}


def _limits(host: Mapping[str, Any], seen: Mapping[str, str]) -> Iterator[str]:
    """Yield what is missing, by cgroup version 2, else 1, else by what the engine says."""
    limits = _ASKED.limits

    def number(*paths: str) -> float | None:
        texts = (seen.get(f"{_CGROUP}/{path}", "").strip() for path in paths)
        text = next(filter(None, texts), None)
        return None if text is None else math.inf if text in ("max", "-1") else float(text)

    def is_held(value: float | None, most: float, said: float | None) -> bool:
        return value <= most if value is not None else 0 < (said or 0) <= most

    memory = number("memory.max", "memory/memory.limit_in_bytes")
    if not is_held(memory, limits.memory, host.get("Memory")):
        yield "Memory"
    swap, both = number("memory.swap.max"), number("memory/memory.memsw.limit_in_bytes")
    if swap is not None:
        both = limits.memory + swap
    has_swap = len(_lines(seen, "/proc/swaps")) != 1
    if has_swap and not is_held(both, limits.memory, host.get("MemorySwap")):
        yield "MemorySwap"
    if not is_held(number("pids.max", "pids/pids.max"), limits.pids, host.get("PidsLimit")):
        yield "PidsLimit"
    quota, _, period = seen.get(f"{_CGROUP}/cpu.max", "").partition(" ")
    if period:
        cores: float | None = math.inf if quota == "max" else float(quota) / float(period)
    else:
        part = number("cpu/cpu.cfs_quota_us")
        cores = None if part is None else part / (number("cpu/cpu.cfs_period_us") or 1)
    if not is_held(cores, limits.cpus, (host.get("NanoCpus") or 0) / 1e9):
        yield "NanoCpus"


def _rights(seen: Mapping[str, str], confinement: Confinement) -> Iterator[str]:
    """Yield rights and folders that are not as asked for; none if nothing could look."""
    if not seen:
        return
    status = dict(
        line.split(":\t", 1) for line in _lines(seen, "/proc/self/status") if ":\t" in line
    )
    if status.get("Uid", "").split()[1:2] + status.get("Gid", "").split()[1:2] != USER.split(":"):
        yield "User"
    if any(int(status.get(f"Cap{kind}", "1"), 16) for kind in ("Prm", "Eff", "Bnd", "Amb")):
        yield "CapDrop"
    if status.get("NoNewPrivs") != "1":
        yield "SecurityOpt no-new-privileges"
    if status.get("Seccomp") != "2":
        yield "SecurityOpt seccomp"
    most = {"open files": OPEN_FILES, "core file size": 0, "file size": _ASKED.limits.output_size}
    if confinement.is_podman:
        # All writable folders have a size, so that a file is bounded, too.
        del most["file size"]
    for name, limit in most.items():
        match = re.search(rf"^Max {name} +\S+ +(\S+)", seen["/proc/self/limits"], re.MULTILINE)
        if match is None or match[1] == "unlimited" or int(match[1]) > limit:
            yield f"Ulimits ({name})"
    yield from _places(seen)


def _places(seen: Mapping[str, str]) -> Iterator[str]:
    mounts: dict[str, tuple[set[str], str, set[str]]] = {}
    for line in _lines(seen, "/proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        path, flags = before.split()[4:6]
        mounts[path] = set(flags.split(",")), kind, set(options.split(","))
    if "ro" not in mounts["/"][0]:
        yield "ReadonlyRootfs"
    scratch = scratch_size(_ASKED)
    sizes = {"/tmp": scratch, "/dev/shm": scratch, _OUTPUT: _ROOM.size}  # noqa: S108
    for path, size in sizes.items():
        has, kind, settings = mounts.get(path, (set(), "", set()))
        if kind != "tmpfs" or f"size={size // 1024}k" not in settings:
            yield f"the size of {path}"
        if not has >= {"nosuid", "nodev", "noexec"}:
            yield f"nosuid, nodev and noexec of {path}"
    for path, (has, kind, _) in mounts.items():
        of_system = path.startswith(("/dev", "/proc", "/sys"))
        if kind == "tmpfs" and "rw" in has and path not in sizes and not of_system:
            yield f"that {path} cannot be written to"


def _lines(seen: Mapping[str, str], path: str) -> list[str]:
    return seen.get(path, "").splitlines()
