"""What plugins say of an entry before it is approved: the contract ``reviews``."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from evaluator.ci.ledger.ledger import Ledger
from evaluator.core.errors import Actor, Problem

if TYPE_CHECKING:
    from evaluator.ci.pull_requests.pull_request import PullRequest

Verdict = Literal["refuse", "screen", "ask"]


@dataclass(frozen=True, kw_only=True)
class Opinion:
    """What speaks against the approval of an entry."""

    verdict: Verdict
    """``refuse``: no label overrules it; ``screen``: ``pr screen`` has to read the entry first;
    ``ask``: an organiser decides."""
    submission: str
    reason: str
    """A sentence, which is public."""


@dataclass(frozen=True)
class Review:
    """What one plugin says of a pull request; each of its files becomes a note in the ledger."""

    pull: "PullRequest"

    def opinions(self, ledger: Ledger) -> Iterable[Opinion]:
        """Return what speaks against an approval by the ledger as it is now."""
        raise NotImplementedError

    def received(self) -> Mapping[str, bytes]:
        """Return what is noted when it comes and nothing is wrong with it."""
        return {}

    def handed_over(self, folder: Path) -> Mapping[str, bytes]:
        """Return what is noted of the folder that ``pr screen`` left, which may be forged."""
        del folder
        return {}


def problems_of(said: Iterable[Opinion], verdict: Verdict) -> list[Problem]:
    return [
        Problem(
            file=f"submissions/{one.submission}", message=one.reason,
            severity="error" if verdict == "refuse" else "warning",
            actor=Actor.PARTICIPANT if verdict == "refuse" else Actor.ORGANISER,
            hint="A label does not overrule this: the participant changes the entry, or the "
            "organiser what refuses it." if verdict == "refuse" else "",
        )
        for one in said if one.verdict == verdict
    ]  # fmt: skip


def opinions(pull: "PullRequest", ledger: Ledger) -> list[Opinion]:
    """Return what speaks against an approval, what weighs most first."""
    said = [one for review in pull.reviews for one in review.opinions(ledger)]
    return sorted(said, key=lambda one: get_args(Verdict).index(one.verdict))
