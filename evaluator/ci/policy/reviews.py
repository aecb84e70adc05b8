"""The contracts ``reviews`` and ``feedback``: what plugins say of an entry, and give its author.

A review can object to an entry before its approval.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import Actor, Problem
from evaluator.core.plugins import Contract

Verdict = Literal["refuse", "screen", "ask"]


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """An objection to the approval of an entry."""

    verdict: Verdict
    """``refuse``: no label overrules it; ``screen``: ``pr screen`` has to read the entry first;
    ``ask``: an organiser decides."""
    submission: str
    reason: str
    """A sentence; public."""


@dataclass(frozen=True)
class Review:
    """What one plugin says of a pull request. Its notes go to the ledger, as path and content."""

    pull: PullRequest

    def opinions(self, ledger: Ledger) -> Iterable[Opinion]:
        """Objections to an approval, by the ledger as it is now."""
        raise NotImplementedError

    def arrival_notes(self) -> Mapping[str, bytes]:
        """Notes for a pull request that arrives without errors."""
        return {}

    def verdict_notes(self, folder: Path) -> Mapping[str, bytes]:
        """Notes of the folder that ``pr screen`` wrote; its content may be forged."""
        del folder
        return {}


REVIEWS = Contract[Callable[[PullRequest], Review]]("reviews")
_HINTS: Mapping[Verdict, str] = {
    "refuse": "A label does not overrule this: the participant changes the entry, or the organiser "
    "changes the rule.",
    "screen": "Comment `/evaluate`: then the screen reads it first.",
    "ask": "",
}


def problems_of(objections: Iterable[Opinion], *verdicts: Verdict) -> list[Problem]:
    """The objections with these verdicts as problems."""
    return [
        Problem(
            file=f"submissions/{one.submission}", message=one.reason, hint=_HINTS[one.verdict],
            severity="warning" if one.verdict == "ask" else "error",
            actor=Actor.PARTICIPANT if one.verdict == "refuse" else Actor.ORGANISER,
        )
        for one in objections if one.verdict in verdicts
    ]  # fmt: skip


def opinions(reviews: Iterable[Review], ledger: Ledger) -> list[Opinion]:
    """Objections of all plugins to an approval, the gravest first."""
    objections = [one for review in reviews for one in review.opinions(ledger)]
    return sorted(objections, key=lambda one: get_args(Verdict).index(one.verdict))


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """What a plugin gives to the author of a pull request."""

    arrive: Callable[[PullRequest, str], tuple[dict[str, bytes], list[Problem]]]
    """Called with a head that came and who pushed it; returns notes for the ledger, and warnings
    for the comment."""
    finish: Callable[[PullRequest, CellTable], str]
    """Called when accepted records are in the ledger, to which it may add notes; returns what the
    comment says of it, or nothing."""
    is_due: Callable[[PullRequest], bool]
    """Whether `/retry` has something to give although each cell has a record."""


FEEDBACK = Contract[Feedback]("feedback")
