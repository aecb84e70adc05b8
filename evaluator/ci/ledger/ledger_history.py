"""History of the ledger and of a branch's records, from git's commits."""

from typing import NamedTuple

from evaluator.ci.git import reach
from evaluator.ci.git.raw_trees import only_adds
from evaluator.core.formats.cell import SCORES
from evaluator.core.git.commands import Repo


def descends(repo: Repo, commit: str, ancestor: str) -> bool:
    status, _, _ = repo.git.merge_base(
        "--is-ancestor", ancestor, commit, with_extended_output=True, with_exceptions=False
    )
    return bool(status == 0)


def grew(repo: Repo, commit: str, seen: str, remote: str | None) -> bool:
    """Whether a commit of the ledger holds all that another held, as it held it."""
    if commit == seen:
        return True
    reach(repo, remote, commit, seen, "--filter=tree:0")
    return descends(repo, commit, seen) and only_adds(repo, seen, commit)


class Change(NamedTuple):
    """That a commit of a branch changed a file, or took it off."""

    path: str
    commit: str
    author: str
    subject: str


def last_change_of(repo: Repo, commit: str, path: str) -> str | None:
    """Full id of the branch's own commit that last changed a file; None where it never was."""
    out: str = repo.git.log("-1", "--first-parent", "--format=%H", commit, "--", path)
    return out or None


def changed_scores(repo: Repo, since: str, commit: str) -> list[Change]:
    """Return the scores files that a branch's own commits changed or took off, newest first."""
    out: str = repo.git.log(
        "--first-parent", "--diff-merges=first-parent", "--no-renames", "--diff-filter=DM",
        "--format=%x00%H%x01%an%x01%s", "--name-only", f"{since}..{commit}", "--",
        f":(glob)submissions/*/*/*/{SCORES}/*.json",
    )  # fmt: skip
    changes: list[Change] = []
    for chunk in out.split("\0")[1:]:
        head, *paths = chunk.split("\n")
        name, author, subject = head.split("\x01", 2)
        changes += [Change(path, name, author, subject) for path in filter(None, paths)]
    return changes


def author_name(repo: Repo) -> str:
    """Return the name that git writes into commits of this clone; empty where it knows none."""
    status, out, _ = repo.git.var(
        "GIT_AUTHOR_IDENT", with_extended_output=True, with_exceptions=False
    )
    return str(out).partition(" <")[0] if status == 0 else ""
