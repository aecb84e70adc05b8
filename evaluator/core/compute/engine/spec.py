"""The interface of engines: what they are asked for, and what they answer."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, Self

from evaluator.core.compute.engine.output import OutputFolder, Room
from evaluator.core.compute.engine.resources import Capacity
from evaluator.core.errors import PullbenchError
from evaluator.core.formats.extension import Limits

Isolation = Literal["docker", "gvisor", "none", "podman"]
StoppedBy = Literal["time", "memory", "output", "caller"]
"""``caller`` is Running.kill."""


@dataclass(frozen=True, kw_only=True)
class Mount:
    """A folder of the host, as the program sees it: it cannot write to it."""

    source: Path
    target: str
    """Absolute path in the container."""
    is_plain: bool = False
    """Without an overlay, which would not show the files that are added while it is mounted."""


@dataclass(frozen=True, kw_only=True)
class Image:
    """An image as the bundle names it, and how to build it where it is not there."""

    name: str
    context: Path | None
    """Folder with Dockerfile, requirements or both; None where the bundle has neither."""
    digest: str
    """Content id of the context; empty without one."""


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """One container."""

    image: Image
    command: Sequence[str]
    """argv, with paths of the container; never given to a shell."""
    mounts: Sequence[Mount]
    workdir: str
    """Path in the container."""
    outputs: Mapping[str, OutputFolder]
    """What the program may write to, by absolute path in the container."""
    limits: Limits
    seconds: float
    """Wall-clock limit from the container's start; 0 is none."""
    network: str = "none"
    """Or ``Running.network`` of another container, whose loopback it shares."""
    gpus: int = 0
    exclusive: bool = False
    """Whether its time is the score: no other cell may run beside it, and no result is reused."""
    links: bool = True
    """Whether it may make links; without, an engine that cannot forbid them starts nothing."""
    environment: Mapping[str, str] = field(default_factory=dict)
    is_ours: bool = False
    """Whether it runs a program of pullbench's, as a user who is no stranger's program's."""

    @property
    def resources(self) -> dict[str, str]:
        """Variables of libraries, which count the host's cores, not the quota, and throttle."""
        threads = str(max(1, int(self.limits.cpus)))
        return {
            "PULLBENCH_CPUS": f"{self.limits.cpus:g}",
            "PULLBENCH_MEMORY": str(self.limits.memory),
            "PULLBENCH_GPUS": str(self.gpus),
            "OMP_NUM_THREADS": threads,
            "OPENBLAS_NUM_THREADS": threads,
        }


@dataclass(frozen=True, kw_only=True)
class ExitReport:
    """How a container ended, seen from outside it."""

    exit_code: int | None
    """None where it was killed from outside."""
    stopped_by: StoppedBy | None
    wall_seconds: float
    cpu_seconds: float | None
    peak_memory: int | None
    """Bytes."""
    log: bytes
    """End of stdout and stderr together, at most ``limits.log_size``."""
    ended: float
    """Seconds since 1970 by the engine's clock: decides which of two containers ended first."""
    gpus: tuple[str, ...] = ()
    entrypoint: str = ""
    """The image's, which is given the command as its arguments."""


class ProgramError(PullbenchError):
    """The program of a bundle cannot be started; its organiser must act."""


class ImageError(PullbenchError):
    """The image of a bundle cannot be had; its organiser must act. Holds the build's log."""


class Running(Protocol):
    """A container that was started. Its starter waits for it, once."""

    @property
    def network(self) -> str:
        """The value of ``RunSpec.network`` of a container that shares its loopback."""

    def wait(self) -> ExitReport:
        """Wait for its end or its limit, from any thread. Raises PlatformError, StoppedError."""

    def kill(self) -> None:
        """End it; safe from any thread and after its end."""


class Created(Protocol):
    """A container that is ready to start. As a context it is removed unless it was started."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def start(self) -> Running:
        """Start it, once. Raises ProgramError, ImageError, PlatformError, StoppedError."""


class Engine(Protocol):
    """Runs containers. One serves all threads."""

    isolation: Isolation
    name: str
    """Shown in the summary, such as ``docker (engine 20.10.24)``."""
    capacity: Capacity
    shares_files: bool
    """Whether containers see one inode, on which locks act: then one cell runs at a time."""

    def prepare(self, image: Image) -> str | None:
        """Make an image ready and return its id. Raises ImageError, PlatformError."""

    def outputs(
        self, image: Image, rooms: Sequence[Room], scratch: Path, later: Sequence[Room] = ()
    ) -> AbstractContextManager[Sequence[OutputFolder]]:
        """Make outputs for the containers of one step; nothing of them is left after it.

        ``image`` is that of the step, and ``scratch`` a folder that goes after it. ``later`` is
        what the next step of the same cell will ask for.
        Raises ImageError, PlatformError.
        """

    def create(self, spec: RunSpec) -> Created:
        """Do all that can be done before a container starts. Raises ImageError, PlatformError."""

    def recover(self) -> bool:
        """Wait a while; say if it was away and is back, which costs no try. Raises StoppedError."""

    def unremoved_runs(self) -> Collection[str]:
        """Ids of runs, alive or dead, that have something outside their folders."""

    def remove_run(self, run_id: str) -> bool:
        """Remove what a dead run has outside its folders; whether nothing of it is left."""

    def stop(self) -> None:
        """Kill everything that runs; safe to call from another thread, more than once."""

    def close(self) -> bool:
        """Stop, and remove everything that the engine made; whether nothing of it is left."""
