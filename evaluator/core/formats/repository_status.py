"""What is known of submissions on their way, for the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluator.core.formats.ledger_state import Withdrawal
from evaluator.core.formats.pending_wording import Waiting
from evaluator.core.formats.pull_requests import PullRequest, UnreviewedCommit


@dataclass(frozen=True, kw_only=True)
class RepositoryStatus:
    """Of one commit; empty if nothing that knows pull requests is installed."""

    waiting: Sequence[Waiting] = ()
    """Submissions that wait for something, the longest first."""
    unreviewed: Sequence[UnreviewedCommit] = ()
    """Commits that did something else than was shown."""
    withdrawn: Sequence[Withdrawal] = ()
    """Records that were withdrawn, the last first."""
    pull_requests: Mapping[str, Sequence[PullRequest]] = field(default_factory=dict)
    """Submission's id -> those that changed it, the oldest first."""
