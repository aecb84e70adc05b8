"""Base and head of a pull request, and the one commit at which they went apart."""

from dataclasses import dataclass
from functools import partial

from evaluator.ci.git.branch import tip_of
from evaluator.ci.git.merge_changes import merge_bases
from evaluator.ci.git.remote import boundary, fetch_commit
from evaluator.core.errors import RefusedError, UsageError
from evaluator.core.git.commands import Repo, commit_id

_LATEST = 50
"""Commits of base and head that a shallow clone fetches at first."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a proposal comes from."""

    base: str
    head: str
    remote: str | None = None
    """Remote that has both; None reads this clone."""
    pull_request: int | None = None


class MovedError(UsageError):
    """The pull request's head is no longer the commit that is asked for."""


REBASE = "Put its changes into commits on top of the base branch: `git rebase`, then push again."


def fork_of(repo: Repo, base: str, head: str) -> str:
    """Return the one commit from which base and head went apart. Raises RefusedError."""
    bases = merge_bases(repo, base, head)
    if not bases:
        raise RefusedError("it has no common history with the base branch", hint=REBASE)
    if len(bases) > 1:
        raise RefusedError(
            f"it has {len(bases)} merge bases with the base branch, so that its merge may change "
            "what nobody is shown",
            hint=REBASE,
        )
    return bases[0]


def base_commit(repo: Repo, name: str, remote: str | None) -> str:
    """Full id of a branch's tip, which is fetched, or of a commit. Raises UsageError."""
    commit = tip_of(repo, name, remote)
    if commit is None:
        commit = commit_id(repo, name)
    if commit is None:
        raise UsageError(f"there is no branch '{name}'", hint="Name another with --base.")
    return commit


def head_commit(repo: Repo, source: Source, base: str) -> str:
    """Full id of the head, fetched where it is not here; it must be where the head is now."""
    if source.remote is None:
        return base_commit(repo, source.head, None)
    # Else all of the history that a shallow clone does not have would come along.
    latest = {"options": [f"--depth={_LATEST}"], "beside": [base]} if boundary(repo) else {}
    fetch = partial(fetch_commit, repo, source.remote, strangers=True, **latest)
    if source.pull_request is None:
        commit = fetch(f"refs/heads/{source.head}", source.head)
        if commit is None:
            raise UsageError(f"'{source.remote}' has no '{source.head}'")
        return commit
    now = fetch(f"refs/pull/{source.pull_request}/head")
    if now != source.head:
        raise MovedError(
            f"the head of pull request {source.pull_request} is now {str(now)[:12]}, "
            f"not {source.head[:12]}",
            hint="What was approved is void; an organiser looks again and sets the label.",
        )
    return source.head
