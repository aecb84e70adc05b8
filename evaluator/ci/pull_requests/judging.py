"""What verbs of the core ask about pull requests."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from evaluator.ci.pull_requests import judge, proposed, verdict
from evaluator.ci.pull_requests.comment import to_markdown
from evaluator.ci.pull_requests.heads import Source
from evaluator.ci.pull_requests.unopened import validate_here
from evaluator.core.errors import Problem, counted
from evaluator.core.planning.snapshot import Snapshot


def _source(base: str, head: str, remote: str, number: int | None) -> Source:
    return Source(base=base, head=head, remote=remote or None, pull_request=number)


class JudgedPullRequests:
    """``PullRequests`` of ``core.cli.proposals``."""

    validate_here = staticmethod(validate_here)

    def judge(
        self, start: Path, base: str, head: str, remote: str, number: int | None, actor: str,
        now: dt.datetime,
    ) -> tuple[Sequence[Problem], str, str]:  # fmt: skip
        """Judge one by the rules of its base branch."""
        judged = judge(start, _source(base, head, remote, number), actor, now)
        changed = f"{counted(len(judged.proposal.changes), 'paths')} changed"
        return judged.problems, to_markdown(verdict(judged)), changed

    def proposed(
        self, start: Path, base: str, head: str, remote: str, number: int | None, now: dt.datetime
    ) -> Snapshot:
        """Read the base branch with its changes laid over it."""
        return proposed(start, _source(base, head, remote, number), now)


PULL_REQUESTS = JudgedPullRequests()
