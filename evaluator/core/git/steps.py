"""Changes of a branch's commits, one after the other along first parents."""

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaluator.core.git.commands import Repo
from evaluator.core.git.history import moment
from evaluator.core.git.listing import Entry


class Step(NamedTuple):
    """One commit of a branch's own history."""

    commit: str
    at: dt.datetime
    paths: tuple[str, ...]
    """Paths that it changed, of those asked for."""


def first_parents(repo: Repo, commit: str, folder: str) -> Iterator[Step]:
    """Yield commits that changed something below a folder, newest first.

    Along first parents: a merge counts once, with the date at which it was merged, which the
    author of what it merges cannot choose.
    """
    out: str = repo.git.log(
        "--first-parent", "--diff-merges=first-parent", "--no-renames",
        "--format=%x00%H %ct", "--name-only", commit, "--", folder,
    )  # fmt: skip
    for chunk in out.split("\0")[1:]:
        head, *names = chunk.split("\n")
        name, seconds = head.split(" ")
        yield Step(name, moment(seconds), tuple(path for path in names if path))


class ChangedFiles(NamedTuple):
    """What one commit of a branch's own history made of files."""

    at: dt.datetime
    entries: dict[str, Entry | None]
    """Path -> its entry since then; None for what was removed."""


def file_changes(repo: Repo, commit: str, pathspecs: Sequence[str]) -> Iterator[ChangedFiles]:
    """Yield commits that changed files, newest first, along first parents as above."""
    out: bytes = repo.git.execute(
        [
            repo.git.GIT_PYTHON_GIT_EXECUTABLE, "log", "-z", "--raw", "--no-abbrev",
            "--first-parent", "--diff-merges=first-parent", "--no-renames", "--format=%x01%ct",
            commit, "--", *pathspecs,
        ],
        stdout_as_string=False, strip_newline_in_stdout=False,
    )  # fmt: skip
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


def named_steps(repo: Repo, commit: str, mention: str) -> Iterator[tuple[Step, str]]:
    """Yield commits whose message has what a pattern finds, newest first, with its first line.

    Along first parents, each with the files that it added or changed. Those without a parent are
    left out: a shallow clone's oldest commit has all files as its own.
    """
    out: str = repo.git.log(
        "--first-parent", "--diff-merges=first-parent", "--no-renames", "--diff-filter=d",
        "--extended-regexp", f"--grep={mention}", "--min-parents=1",
        "--format=%x00%H %ct %s", "--name-only", commit, "--",
    )  # fmt: skip
    for chunk in out.split("\0")[1:]:
        head, *names = chunk.split("\n")
        name, seconds, subject = head.split(" ", 2)
        yield Step(name, moment(seconds), tuple(path for path in names if path)), subject
