"""What verbs of the core ask of those that know pull requests."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from evaluator.core.errors import Problem, UsageError
from evaluator.core.plugins import load

if TYPE_CHECKING:
    from evaluator.core.planning.snapshot import Snapshot


class PullRequests(Protocol):
    """Reads and judges a pull request from ``head`` to ``base``, branches or commits of a remote.

    An empty ``remote`` is this clone. All raise UsageError, PlatformError.
    """

    def judge(
        self,
        start: Path,
        base: str,
        head: str,
        remote: str,
        number: int | None,
        actor: str,
        now: dt.datetime,
    ) -> tuple[Sequence[Problem], str, str]:
        """Return its problems, the verdict as Markdown, and what is changed, in words."""
        ...  # fmt: skip

    def proposed(
        self, start: Path, base: str, head: str, remote: str, number: int | None, now: dt.datetime
    ) -> "Snapshot":
        """Return the base branch with its changes laid over it."""
        ...

    def validate_here(
        self, snapshot: "Snapshot", places: Sequence[str], actor: str | None, now: dt.datetime
    ) -> tuple[Sequence[Problem], str]:
        """Return the problems of what this clone would propose, and the branch it is compared with.

        The branch is empty if there is none.
        """
        ...


def pull_requests() -> PullRequests:
    """Return what is installed for them. Raises UsageError if nothing is."""
    try:
        return cast("PullRequests", load("pull_requests", "pull_requests"))
    except KeyError:
        raise UsageError(
            "nothing is installed that knows pull requests",
            hint="Install all of pullbench: its folder evaluator/ci was deleted.",
        ) from None
