"""A job shop in which machines break down: the state, and what an action does to it.

Jobs are sequences of operations; each needs one machine for a number of time units, and a machine
works on one operation at a time. A machine that breaks down in the middle of an operation goes on
with it after the repair: work is kept. All times are whole numbers. Standard library alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Operation = tuple[int, int]
"""Machine, and how long it takes."""
Outage = tuple[int, int]
"""First moment at which a machine is down, and the moment at which it is up again."""


class InvalidActionError(ValueError):
    """The action is none of those that the mask allows."""


@dataclass
class Machine:
    """One machine at the present time."""

    outages: Iterator[Outage]
    """In order and without end, or empty."""
    job: int | None = None
    """The job that it holds."""
    left: int = 0
    """Time units of work left on it."""
    repaired: int | None = None
    """The moment of its repair where it is down."""
    failure: int | None = None
    """The moment of its next breakdown."""
    since: int = 0
    """Since when it has worked without a break."""
    until: int = 0
    """The moment of the repair after ``failure``."""

    def __post_init__(self) -> None:
        self.expect()

    def expect(self) -> None:
        self.failure, self.until = next(self.outages, (None, 0))


@dataclass(kw_only=True)
class Shop:
    """A shop at work. ``act`` is all that changes it."""

    jobs: Sequence[Sequence[Operation]]
    outages: Sequence[Iterator[Outage]] = ()
    """One for each machine; empty where none breaks down."""
    time: int = 0
    segments: list[tuple[int, int, int, int]] = field(default_factory=list)
    """What was worked without a break: job, machine, from, to."""
    downs: list[tuple[int, int, int]] = field(default_factory=list)
    """Breakdowns so far: machine, from, to."""

    def __post_init__(self) -> None:
        count = 1 + max(machine for job in self.jobs for machine, _ in job)
        outages = self.outages or [iter(()) for _ in range(count)]
        self.machines = [Machine(outages=one) for one in outages]
        self.next = [0 for _ in self.jobs]
        self.held = [False for _ in self.jobs]

    @property
    def wait(self) -> int:
        """The action that dispatches nothing."""
        return len(self.jobs)

    @property
    def done(self) -> bool:
        return all(at == len(job) for at, job in zip(self.next, self.jobs, strict=True))

    def mask(self) -> list[bool]:
        """Whether each action is allowed: a job for the machine that it needs, and to wait."""
        allowed = [self._may_start(job) for job in range(len(self.jobs))]
        waits = any(m.job is not None or m.repaired is not None for m in self.machines)
        return [*allowed, waits]

    def _may_start(self, job: int) -> bool:
        if self.held[job] or self.next[job] == len(self.jobs[job]):
            return False
        machine = self.machines[self.jobs[job][self.next[job]][0]]
        return machine.job is None and machine.repaired is None

    def act(self, action: int) -> int:
        """Do it, and go on to the next decision or the end; returns the time units that passed."""
        if not 0 <= action <= self.wait or not self.mask()[action]:
            raise InvalidActionError
        began = self.time
        if action == self.wait:
            self._advance()
        else:
            number, duration = self.jobs[action][self.next[action]]
            machine = self.machines[number]
            machine.job, machine.left, machine.since = action, duration, self.time
            self.held[action] = True
        while not self.done and not any(self.mask()[:-1]):
            self._advance()
        return self.time - began

    def _advance(self) -> None:
        """Go to the next event: an operation's end, a repair or a breakdown."""
        now = min(self._events())
        passed, self.time = now - self.time, now
        for number, machine in enumerate(self.machines):
            if machine.job is not None and machine.repaired is None:
                machine.left -= passed
                if machine.left == 0:
                    self._finish(number, machine)
            if machine.repaired == now:
                machine.repaired = None
                machine.since = now
                machine.expect()
            if machine.failure == now:
                self._fail(number, machine)

    def _events(self) -> Iterator[int]:
        for machine in self.machines:
            if machine.repaired is not None:
                yield machine.repaired
            elif machine.job is not None:
                yield self.time + machine.left
            if machine.repaired is None and machine.failure is not None:
                yield machine.failure

    def _finish(self, number: int, machine: Machine) -> None:
        job = machine.job
        assert job is not None
        self.segments.append((job, number, machine.since, self.time))
        self.held[job] = False
        self.next[job] += 1
        machine.job = None

    def _fail(self, number: int, machine: Machine) -> None:
        if machine.job is not None and machine.since < self.time:
            self.segments.append((machine.job, number, machine.since, self.time))
        machine.repaired = machine.until
        machine.failure = None
        self.downs.append((number, self.time, machine.until))

    def observe(self) -> dict[str, int | list[int]]:
        """What an agent is told. Nothing of it is about the future but the end of repairs."""
        waiting = [
            job[min(at, len(job) - 1)] if at < len(job) else (-1, 0)
            for at, job in zip(self.next, self.jobs, strict=True)
        ]
        left = [0 for _ in self.jobs]
        for machine in self.machines:
            if machine.job is not None:
                left[machine.job] = machine.left
        return {
            "time": self.time,
            "next_operation": list(self.next),
            "machine": [number for number, _ in waiting],
            "duration": [duration for _, duration in waiting],
            "left": left,
            "machine_job": [-1 if m.job is None else m.job for m in self.machines],
            "repair": [0 if m.repaired is None else m.repaired - self.time for m in self.machines],
            "action_mask": [int(allowed) for allowed in self.mask()],
        }
