"""What is known of submissions on their way: ``ci`` says it, and the site shows it."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec

from evaluator.core.errors import Actor, UsageError
from evaluator.core.formats.json_reader import UnreadableError, form_reader

WaitingState = Literal[
    "missing", "stale", "retry", "refused", "waiting", "unreadable", "awaiting approval"
]


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A submission with cells that have no valid record, or on which an organiser must decide."""

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
        """Address of its page, from the site's root; empty if it has none."""
        address = f"benchmarks/{self.benchmark}/submissions/{self.name}"
        return address if self.has_page else ""


@dataclass(frozen=True, kw_only=True)
class MergedPullRequest:
    """A pull request that changed a submission."""

    number: int
    commit: str
    """Whose message names it."""
    at: dt.datetime
    """When that was made, in UTC."""


@dataclass(frozen=True, kw_only=True)
class UnreviewedCommit:
    """A commit of the branch that did something else than was shown or approved."""

    commit: str
    at: dt.datetime
    pull_request: int | None
    """None where its message names none."""
    fault: str
    """What is different, with its paths."""

    @property
    def name(self) -> str:
        return f"#{self.pull_request}" if self.pull_request else self.commit[:12]


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record that was removed from the branch, and why."""

    cell: str
    record: str
    """Its identity, see ``ci.ledger.ledger_notes``."""
    reason: str
    by: str
    at: str
    """Of the withdrawal, in ISO 8601."""


@dataclass(frozen=True, kw_only=True)
class RepositoryStatus:
    """Of one commit; empty if nothing that knows pull requests is installed."""

    waiting: Sequence[Waiting] = ()
    """Submissions that wait for something, the longest first."""
    unreviewed: Sequence[UnreviewedCommit] = ()
    withdrawn: Sequence[Withdrawal] = ()
    """Records that were withdrawn, the last first."""
    pull_requests: Mapping[str, Sequence[MergedPullRequest]] = field(default_factory=dict)
    """Submission's id -> those that changed it, the oldest first."""


MAX_QUEUE = 200
"""Of each list of a policy's report."""
_Text = Annotated[str, msgspec.Meta(max_length=1000)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**31)]
_Amount = Annotated[float, msgspec.Meta(ge=0, le=1e12)]


class _Reported(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What ``pullbench pr list --json`` writes and the site reads."""


class WaitingPullRequest(_Reported, frozen=True, kw_only=True):
    """A pull request that waits for somebody."""

    pull_request: _Count
    since: dt.datetime
    why: _Text
    actor: Actor | None
    reason: _Text


class BudgetToday(_Reported, frozen=True, kw_only=True):
    """What was spent for a benchmark in 24 hours; a limit is None if there is none."""

    benchmark: _Text
    minutes: _Amount
    minutes_limit: _Amount | None


class ShownScores(_Reported, frozen=True, kw_only=True):
    """How many scores of labels that nobody may read a phase has shown: each tells of some."""

    benchmark: _Text
    phase: _Text
    scores: _Count
    most: _Count
    """To one participant, or one team."""
    bits: _Amount | None
    """What all of them tell at most, if scores are from 0 to 1; None if all digits are shown."""
    gain: _Amount | None = None
    """What one participant gains at most by a vote of random files, as a share of the labels; None
    if the bundle does not say how many labels there are."""


class PolicyReport(_Reported, frozen=True, kw_only=True):
    """What waits for a person, and what policies did in 24 hours without one."""

    version: Literal[1] = 1
    at: dt.datetime
    stopped: _Text
    """Reason of the emergency stop; empty if there is none."""
    people: Annotated[list[WaitingPullRequest], msgspec.Meta(max_length=MAX_QUEUE)]
    """The oldest first."""
    more: _Count
    """How many of them are left out."""
    budgets: Annotated[list[BudgetToday], msgspec.Meta(max_length=MAX_QUEUE)]
    shown: Annotated[list[ShownScores], msgspec.Meta(max_length=MAX_QUEUE)] = []
    approved: _Count
    merged: _Count
    refused: _Count
    waiting: _Count
    """Those that go on by themselves."""


_report = form_reader(PolicyReport, max_bytes=2**22)


def read_report(content: bytes) -> PolicyReport | None:
    """Read what ``pullbench pr list --json`` wrote; None if it is empty. Raises UsageError."""
    try:
        return _report(content) if content else None
    except UnreadableError as error:
        raise UsageError(
            f"the queue cannot be read: it {error}", hint="`pullbench pr list --json` writes it."
        ) from None
