"""Base and head of a pull request, and the one commit at which they went apart."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.git.branch import no_branch, tip_of
from evaluator.ci.git.merge_changes import merge_bases
from evaluator.ci.git.remote import boundary, fetch_commit
from evaluator.core.errors import RefusedError, UsageError, printable
from evaluator.core.formats.settings import Settings
from evaluator.core.git.commands import Repo, commit_id
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import read_settings

_LATEST = 50
"""Commits of base and head that a shallow clone fetches at first."""


@dataclass(frozen=True, kw_only=True)
class PullRequestRef:
    """Names a pull request: its base branch, its head and where both are."""

    base: str
    head: str
    remote: str | None = None
    """Remote that has both; None reads this clone."""
    number: int | None = None
    is_asked: bool = False
    """Whether the forge was asked for the head, since no event of the pull request named it."""


class MovedError(UsageError):
    """The pull request's head is no longer the commit that is asked for."""


REBASE = "Put its changes into commits on top of the base branch: `git rebase`, then push again."


def fork_of(repo: Repo, base: str, head: str) -> str:
    """The one commit from which base and head went apart. Raises RefusedError."""
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
    commit = tip_of(repo, name, remote) or commit_id(repo, name)
    if commit is None:
        raise no_branch(name, remote)
    return commit


def settings_of(start: Path, ref: PullRequestRef) -> Settings:
    """Read the base branch's: a pull request's own count for nothing."""
    repo = open_repository(start)
    return read_settings(read_tree(repo, base_commit(repo, ref.base, ref.remote)))


def ask_forge(start: Path, ref: PullRequestRef) -> tuple[PullRequestRef, str] | None:
    """An open pull request and its author by its number alone, None if it is closed.

    Raises UsageError.
    """
    number, forge = ref.number, find_forge(settings_of(start, ref).forge)
    if forge is None or number is None:
        raise UsageError(
            "nothing says which commit the pull request asks to merge",
            hint="Name it with --head; or give --pull-request, and a token of the forge.",
        )
    pull = forge.pull_request(number)
    if pull.state == "closed":
        return None
    if pull.base.ref != ref.base:
        raise UsageError(
            f"pull request {number} goes to '{printable(pull.base.ref)}'",
            hint=f"Only one that goes to '{ref.base}' is evaluated.",
        )
    author = pull.user.login if pull.user else ""
    return replace(ref, head=pull.head.sha, is_asked=True), author


def head_commit(repo: Repo, ref: PullRequestRef, base: str) -> str:
    """Full id of the head, fetched where it is not here; it must be where the head is now."""
    if ref.remote is None:
        return base_commit(repo, ref.head, None)
    # Else all of the history that a shallow clone does not have would come along.
    latest = {"options": [f"--depth={_LATEST}"], "beside": [base]} if boundary(repo) else {}
    fetch = partial(fetch_commit, repo, ref.remote, strangers=True, **latest)
    if ref.number is None:
        commit = fetch(f"refs/heads/{ref.head}", ref.head)
        if commit is None:
            raise UsageError(f"'{ref.remote}' has no '{ref.head}'")
        return commit
    now = fetch(f"refs/pull/{ref.number}/head")
    if now != ref.head:
        raise MovedError(
            f"the head of pull request {ref.number} is now {str(now)[:12]}, not {ref.head[:12]}",
            hint="What was approved is void; an organiser looks again and sets the label.",
        )
    return ref.head
