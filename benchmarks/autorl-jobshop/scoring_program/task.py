"""What is played: an instance, its optimum, and the seeds of its episodes."""

import json
from dataclasses import dataclass
from pathlib import Path

from breakdowns import outages
from shop import Operation, Shop


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Seconds that an agent has; all are measured outside of it."""

    start: float = 10.0
    """From its process's start until it is ready: importing, and ``reset``."""
    decision: float = 2.0
    episode: float = 20.0
    """From its process's start until the end of the episode."""
    decisions: int = 20
    """For each operation of the instance; whoever waits more often has failed."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One instance."""

    name: str
    jobs: tuple[tuple[Operation, ...], ...]
    optimum: int
    """Least makespan without breakdowns, as the literature has it."""
    starts: tuple[tuple[int, ...], ...]
    """Of each operation, in a schedule that reaches the optimum."""
    seeds: tuple[str | None, ...]
    """One for each episode; None is one without breakdowns."""
    sealed: bool
    """Whether the seeds must not be told, nor what follows from them."""

    @property
    def machines(self) -> int:
        return 1 + max(machine for job in self.jobs for machine, _ in job)

    @property
    def worst(self) -> int:
        """Makespan of a failed episode: all operations one after another."""
        return sum(duration for job in self.jobs for _, duration in job)

    def gap(self, makespan: int) -> float:
        """How far it is from the optimum, in per cent; never more than that of a failure."""
        return 100 * (min(makespan, self.worst) / self.optimum - 1)

    def shop(self, episode: int) -> Shop:
        """Make the shop of an episode, before its first decision."""
        seed = self.seeds[episode]
        return Shop(jobs=self.jobs, outages=() if seed is None else outages(self.jobs, seed))


def read_task(path: Path) -> Task:
    found = json.loads(path.read_text(encoding="ascii"))
    return Task(
        name=found["instance"],
        jobs=tuple(tuple((m, d) for m, d in job) for job in found["jobs"]),
        optimum=found["optimum"],
        starts=tuple(map(tuple, found["starts"])),
        seeds=tuple(found["seeds"]),
        sealed=found["sealed"],
    )
