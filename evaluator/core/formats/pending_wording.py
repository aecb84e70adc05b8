"""One waiting submission, in the words of the status page."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from evaluator.core.errors import Actor

WaitingState = Literal["missing", "stale", "retry", "refused", "waiting", "unreadable"]


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A submission with cells that have no valid record."""

    submission: str
    """``benchmark/participant/name``."""
    phase: str
    """Name of the phase; empty where it is not known."""
    state: WaitingState
    cells: int
    """How many wait; 0 where they cannot be counted."""
    since: dt.datetime | None
    """None where git has no date."""
    reason: str
    hint: str = ""
    actor: Actor | None
    """Who must act; None where time alone must pass."""
    has_page: bool = True

    @property
    def benchmark(self) -> str:
        return self.submission.partition("/")[0]

    @property
    def name(self) -> str:
        return self.submission.partition("/")[2]

    @property
    def page(self) -> str:
        """Address of its page, from the site's root; empty where it has none."""
        address = f"benchmarks/{self.benchmark}/submissions/{self.name}"
        return address if self.has_page else ""
