"""What this machine has for programs: processors, memory, GPUs."""

import os
import subprocess
from functools import lru_cache

from evaluator.core.compute.engine.spec import Capacity
from evaluator.core.errors import PlatformError, printable

_SECONDS = 60
_MOST = 64


def host_capacity() -> Capacity:
    """Return what programs on this host may use."""
    return Capacity(
        cpus=len(os.sched_getaffinity(0)),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )


@lru_cache(maxsize=1)
def count_gpus() -> int:
    """Return how many GPUs nvidia-smi lists on this machine."""
    return len(gpu_models(_MOST))


def gpu_models(count: int) -> tuple[str, ...]:
    """Model and memory of the first ``count`` GPUs, which are those that a program is given.

    Empty where nvidia-smi is not there or does not answer.
    """
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
    """Make the error of a machine that was sent a cell it cannot take."""
    return PlatformError(
        f"this machine has {lack}",
        hint="Install the driver and the container toolkit, or name a queue in the bundle whose "
        "runners have GPUs.",
    )
