"""What this machine has for programs, and what it grants to a container.

Nothing is cut to size in silence: a cell for which a machine is too small is not evaluated there,
or, with ``--with-less``, within what there is; then its record and the board show it.
"""

import os
import subprocess
from dataclasses import dataclass
from functools import lru_cache

from evaluator.core.errors import PlatformError, printable
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.record import Granted

_SECONDS = 60
_MOST = 64


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """What an engine has for one container, if it has all."""

    cpus: float
    memory: int
    """Bytes."""


def host_capacity() -> Capacity:
    return Capacity(
        cpus=len(os.sched_getaffinity(0)),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )


@lru_cache(maxsize=1)
def _count_gpus() -> int:
    return len(gpu_models(_MOST))


def gpu_models(count: int) -> tuple[str, ...]:
    """Model and memory of the GPUs that a program is given; empty if nvidia-smi says nothing."""
    if not count:
        return ()
    try:
        done = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"],
            capture_output=True, text=True, timeout=_SECONDS, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(printable(line.strip())[:100] for line in done.stdout.splitlines()[:count])


def no_gpu(lack: str = "no GPU that Docker can hand out") -> PlatformError:
    return PlatformError(
        f"this machine has {lack}",
        hint="Install the driver and the container toolkit, or name a queue in the bundle whose "
        "runners have GPUs.",
    )


@dataclass(frozen=True, kw_only=True)
class Grant:
    """What the containers of a cell get."""

    limits: Limits
    gpus: int
    shortfall: str = ""
    """What they ask for and do not get, such as ``2 of 4 cores``; empty for nothing."""

    @property
    def granted(self) -> Granted:
        return Granted(cpus=self.limits.cpus, memory=self.limits.memory, gpus=self.gpus)


def grant(asked: Limits, asked_gpus: int, capacity: Capacity | None) -> Grant:
    """What a step gets of a machine; without a machine, all that it asks for."""
    if capacity is None:
        return Grant(limits=asked, gpus=asked_gpus)
    cpus, memory = min(asked.cpus, capacity.cpus), min(asked.memory, capacity.memory)
    gpus = min(asked_gpus, _count_gpus()) if asked_gpus else 0
    missing = [
        *([f"{cpus:g} of {asked.cpus:g} cores"] if cpus < asked.cpus else ()),
        *([f"{_gib(memory)} of {_gib(asked.memory)} GiB of memory"] if memory < asked.memory
          else ()),
        *([f"{gpus} of {asked_gpus} GPUs"] if gpus < asked_gpus else ()),
    ]  # fmt: skip
    limits = asked.model_copy(update={"cpus": cpus, "memory": memory})
    return Grant(limits=limits, gpus=gpus, shortfall=" and ".join(missing))


def _gib(size: int) -> str:
    return f"{size / 2**30:,.4g}"
