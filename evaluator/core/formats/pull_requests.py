"""Pull requests, as the messages of the commits that merged them name them."""

import datetime as dt
import re
from dataclasses import dataclass

MENTION = r"\(#[0-9]+\)|^Merge pull request #[0-9]+ "
"""Found in each message that may name one; for git, too."""
_NUMBER = "#([1-9][0-9]{0,8})"
_SUBJECTS = (
    # Merged by GitHub, by Gitea, and squashed by either, which add the number themselves: titles
    # are the participant's, so that only what stands behind them counts.
    re.compile(rf"Merge pull request {_NUMBER} from \S+"),
    re.compile(rf"Merge pull request '.*' \({_NUMBER}\) from \S+ into \S+", re.DOTALL),
    re.compile(rf".* \({_NUMBER}\)", re.DOTALL),
)


@dataclass(frozen=True, kw_only=True)
class PullRequest:
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


def number_of(subject: str) -> int | None:
    """Return the number that the first line of a commit's message names; None where it has none."""
    for pattern in _SUBJECTS:
        match = pattern.fullmatch(subject)
        if match:
            return int(match[1])
    return None
