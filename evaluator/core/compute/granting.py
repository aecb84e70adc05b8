"""Resources that a machine grants to a container, compared with what the bundle asks for.

Nothing is cut to size in silence: a cell for which a machine is too small is not evaluated there,
or, with ``--with-less``, within what there is; then its record and the board show it.
"""

from dataclasses import dataclass

from evaluator.core.compute.engine.spec import Capacity
from evaluator.core.compute.engine.this_machine import count_gpus
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.record import Granted


@dataclass(frozen=True, kw_only=True)
class Grant:
    """What the containers of a cell get."""

    limits: Limits
    gpus: int
    less: str = ""
    """What they were to have and do not get, such as ``2 of 4 cores``; empty where that is none."""

    @property
    def granted(self) -> Granted:
        """In a record's form."""
        return Granted(cpus=self.limits.cpus, memory=self.limits.memory, gpus=self.gpus)


def grant(asked: Limits, asked_gpus: int, capacity: Capacity | None) -> Grant:
    """Return what a step gets of a machine; all that it asks for without a machine."""
    if capacity is None:
        return Grant(limits=asked, gpus=asked_gpus)
    cpus, memory = min(asked.cpus, capacity.cpus), min(asked.memory, capacity.memory)
    gpus = min(asked_gpus, count_gpus()) if asked_gpus else 0
    less = [
        *([f"{cpus:g} of {asked.cpus:g} cores"] if cpus < asked.cpus else ()),
        *([f"{_gib(memory)} of {_gib(asked.memory)} GiB of memory"] if memory < asked.memory
          else ()),
        *([f"{gpus} of {asked_gpus} GPUs"] if gpus < asked_gpus else ()),
    ]  # fmt: skip
    limits = asked.model_copy(update={"cpus": cpus, "memory": memory})
    return Grant(limits=limits, gpus=gpus, less=" and ".join(less))


def _gib(size: int) -> str:
    return f"{size / 2**30:,.4g}"
