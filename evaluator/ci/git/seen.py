"""The last tip of a branch that this clone saw: a reference of its own, which keeps it alive."""

import contextlib
import hashlib

import git

from evaluator.core.git.partial_clone import address_of


def seen_tip(repo: git.Repo, branch: str, remote: str | None) -> str | None:
    """Commit id of the last tip that was remembered; None before the first."""
    try:
        return str(repo.git.rev_parse("--verify", "--quiet", _name(repo, branch, remote)))
    except git.GitCommandError as error:
        if error.status != 1:
            raise
        return None


def remember_tip(
    repo: git.Repo, branch: str, remote: str | None, tip: str, before: str | None
) -> None:
    """Remember a tip, unless another process has remembered one since ``before`` was read."""
    if tip != before:
        with contextlib.suppress(git.GitCommandError):
            repo.git.update_ref(_name(repo, branch, remote), tip, before or "0" * len(tip))


def _name(repo: git.Repo, branch: str, remote: str | None) -> str:
    where = address_of(repo, remote) if remote is not None else ""
    digest = hashlib.sha256(f"{where}\0{branch}".encode()).hexdigest()[:16]
    return f"refs/pullbench/ledger-seen/{digest}"
