"""Commits of a branch, their dates, tags and files, asked of git.

Along first parents a merge counts once, with the date at which it was merged, which the author of
what it merges cannot choose.
"""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.file_digests import cache_key
from evaluator.core.git.commands import Repo
from evaluator.core.git.listing import Entry

_CHANGES = ("--first-parent", "--diff-merges=first-parent", "--no-renames")


class Landed(NamedTuple):
    """A commit of a branch's own history."""

    commit: str
    at: dt.datetime
    """As its maker says: for display alone."""
    parents: list[str]
    subject: str


class Step(NamedTuple):
    """The same with what it changed."""

    commit: str
    at: dt.datetime
    paths: tuple[str, ...]
    """Paths that it changed, of those asked for."""


class ChangedFiles(NamedTuple):
    """What one commit of a branch's own history made of files."""

    at: dt.datetime
    entries: dict[str, Entry | None]
    """Path -> its entry since then; None for what was removed."""


def moment(seconds: str) -> dt.datetime:
    """Return git's seconds as a time in UTC."""
    return dt.datetime.fromtimestamp(int(seconds), dt.UTC)


def first_parents_of(repo: Repo, commit: str, *limits: str) -> list[Landed]:
    """Return a branch's own commits, newest first, as far as limits of ``git log`` let it."""
    out: str = repo.git.log("--first-parent", "--format=%H %ct %P%x00%s%x00", *limits, commit, "--")
    fields = out.split("\0")
    return [
        Landed(name, moment(seconds), parents, subject)
        for head, subject in zip(fields[::2], fields[1::2], strict=False)
        for name, seconds, *parents in [head.split()]
    ]


def steps(
    repo: Repo, commit: str, *options: str, folders: Sequence[str] = ()
) -> Iterator[tuple[Step, str]]:
    """Yield a branch's own commits that changed something, newest first, with their first lines.

    ``options`` are those of ``git log``.
    """
    out: str = repo.git.log(
        *_CHANGES, *options, "--format=%x00%H %ct %s", "--name-only", commit, "--", *folders
    )
    for chunk in out.split("\0")[1:]:
        head, *names = chunk.split("\n")
        name, seconds, subject = head.split(" ", 2)
        yield Step(name, moment(seconds), tuple(filter(None, names))), subject


def file_changes(repo: Repo, commit: str, pathspecs: Sequence[str]) -> Iterator[ChangedFiles]:
    """Yield a branch's own commits that changed files, newest first."""
    command = (repo.git.GIT_PYTHON_GIT_EXECUTABLE, "log", "-z", "--raw", "--no-abbrev", *_CHANGES)
    out: bytes = repo.git.execute(
        [*command, "--format=%x01%ct", commit, "--", *pathspecs],
        stdout_as_string=False,
        strip_newline_in_stdout=False,
    )
    fields = iter(out.decode("utf-8", "surrogateescape").split("\0"))
    step: ChangedFiles | None = None
    for head in fields:
        if head.startswith("\x01"):
            if step is not None:
                yield step
            step = ChangedFiles(moment(head[1:]), {})
        elif step is not None and head.lstrip("\n").startswith(":"):
            _, mode, _, blob, _ = head.split(" ")
            step.entries[next(fields)] = None if int(mode, 8) == 0 else Entry(mode, blob)
    if step is not None:
        yield step


def committed_at(repo: Repo, commit: str) -> dt.datetime:
    return moment(repo.git.show("--no-patch", "--format=%ct", commit))


def added_at(repo: Repo, commit: str, path: str) -> dt.datetime | None:
    """When a path was first there, along first parents; None if it never was."""
    options = ("--diff-filter=A", "--no-patch", "--format=%ct")
    out: str = repo.git.log(*_CHANGES[:2], *options, commit, "--", path)
    return moment(out.split()[-1]) if out else None


def last_change(repo: Repo, commit: str, paths: Sequence[str]) -> str | None:
    """Abbreviated id of the commit that last changed any of the paths; scores do not count."""
    scores = f":(exclude,glob)submissions/*/*/*/{SCORES}/**"
    return str(repo.git.log("-1", "--format=%h", commit, "--", *paths, scores)) or None


def commits_of(repo: Repo, commit: str, paths: Iterable[str]) -> list[str]:
    """Return the commits up to one that changed any of the paths, on side branches, too."""
    out: str = repo.git.log("--full-history", "--format=%H", commit, "--", *paths)
    return out.split()


def tags(repo: Repo, commit: str) -> list[tuple[str, str]]:
    out: str = repo.git.for_each_ref(
        "--merged", commit, "--format=%(refname:strip=2) %(if)%(*objectname)%(then)%(*objectname)"
        "%(else)%(objectname)%(end)", "refs/tags",
    )  # fmt: skip
    # Names of references hold no blanks.
    lines = (line.partition(" ") for line in out.splitlines())
    return [(name, target) for name, _, target in lines]


def history_digest(repo: Repo) -> str:
    """Digest of what git says of a commit's history beside the commit: tags, and where it ends."""
    shallow = Path(repo.common_dir) / "shallow"
    end = shallow.read_bytes() if shallow.exists() else b""
    return cache_key(str(repo.git.for_each_ref("refs/tags")), end)
