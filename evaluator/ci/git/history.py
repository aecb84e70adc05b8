"""What git says of the commits and branches of a clone."""

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from evaluator.core.git.commands import FIRST_PARENTS, Repo, moment
from evaluator.core.git.listing import TreeEntry
from evaluator.core.git.objects import contents


class ChangedPaths(NamedTuple):
    """What one commit of a branch's own history changed."""

    commit: str
    at: dt.datetime
    """As its maker says: for display alone."""
    subject: str
    paths: tuple[str, ...]
    """Of those asked for."""


class ChangedFiles(NamedTuple):
    """What one commit of a branch's own history made of files."""

    at: dt.datetime
    entries: dict[str, TreeEntry | None]
    """Path -> its entry since then; None for what was removed."""


def tree_id(repo: Repo, commit: str) -> str:
    """Git's own id of everything that a commit holds."""
    content = next(contents(str(repo.git_dir), [commit]))
    if content is not None and content.startswith(b"tree "):
        return content[5:].partition(b"\n")[0].decode()
    # To look at the tree itself would fetch all of it to a partial clone.
    return str(repo.git.log("-1", "--no-show-signature", "--format=%T", commit, "--"))


def base_of(repo: Repo, branch: str) -> tuple[str, str | None]:
    """The branch that this clone's work goes to, of a fork `upstream`'s; None for itself."""
    for name in (f"upstream/{branch}", f"origin/{branch}"):
        commit = last_of(repo, f"refs/remotes/{name}")
        if commit is not None:
            return name, commit
    commit = None if repo.branch == branch else last_of(repo, f"refs/heads/{branch}")
    return (branch, commit) if commit is not None else ("", None)


def last_of(repo: Repo, *references: str) -> str | None:
    """The commit of references that holds those of the others, as far as is known here."""
    out: str = repo.git.for_each_ref("--format=%(objectname)", *references)
    tips = out.split()
    return str(repo.git.merge_base("--independent", *tips).split()[0]) if tips else None


def merge_of(repo: Repo, tip: str, head: str) -> tuple[str, str, str] | None:
    """The commit by which a branch merged a head, its first parent and its subject."""
    options = (*FIRST_PARENTS, "--merges", "--format=%s%x00%H %P")
    for line in repo.git.log(*options, f"{head}..{tip}", "--").splitlines():
        subject, _, ids = line.partition("\0")
        commit, first, *heads = ids.split()
        if head in heads:
            return commit, first, subject
    return None


def changed_paths(
    repo: Repo, commit: str, *options: str, folders: Sequence[str] = ()
) -> Iterator[ChangedPaths]:
    """Yield commits of a branch's own that changed something, by options of ``git log``."""
    options = (*FIRST_PARENTS, "--no-renames", *options, "--format=%x00%H %ct %s", "--name-only")
    out: str = repo.git.log(*options, commit, "--", *folders)
    for chunk in out.split("\0")[1:]:
        head, *names = chunk.split("\n")
        name, seconds, subject = head.split(" ", 2)
        yield ChangedPaths(name, moment(seconds), subject, tuple(filter(None, names)))


def file_changes(repo: Repo, commit: str, pathspecs: Sequence[str]) -> Iterator[ChangedFiles]:
    """Yield a branch's own commits that changed files, newest first."""
    options = (*FIRST_PARENTS, "--no-renames", "-z", "--raw", "--no-abbrev", "--format=%x01%ct")
    out = repo.git.run("log", *options, commit, "--", *pathspecs)
    fields = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    step: ChangedFiles | None = None
    for head in fields:
        if head.startswith("\x01"):
            if step is not None:
                yield step
            step = ChangedFiles(moment(head[1:]), {})
        elif step is not None and head.lstrip("\n").startswith(":"):
            _, mode, _, blob, _ = head.split(" ")
            step.entries[next(fields)] = None if int(mode, 8) == 0 else TreeEntry(mode, blob)
    if step is not None:
        yield step


_FEW = 20
"""Paths that git is asked about by name: it compares each of a commit's with each of them."""


def first_committed(
    repo: Repo, commit: str | None, paths: Collection[str]
) -> dict[str, dt.datetime]:
    """When each of some submission files came to a branch first, in UTC. Asks git once."""
    if commit is None or not paths:
        return {}
    name = next(iter(paths)).rpartition("/")[2]
    every = [f":(glob)submissions/*/*/*/{name}"]
    specs = [f":(literal){path}" for path in paths] if len(paths) < _FEW else every
    first: dict[str, dt.datetime] = {}
    for step in file_changes(repo, commit, specs):  # the newest first
        first |= {path: step.at for path, entry in step.entries.items() if entry and path in paths}
    return first
