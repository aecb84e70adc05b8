"""A merge that nothing checks out, and whether it does what its head shows."""

import datetime as dt
from collections.abc import Iterable, Sequence

import git

from evaluator.ci.git.history import ask
from evaluator.ci.git.raw_trees import Change
from evaluator.ci.git.remote import last_line
from evaluator.core.errors import PlatformError, RefusedError
from evaluator.core.formats.cell import digest
from evaluator.core.formats.paths import shown
from evaluator.core.git.commands import Repo, list_entries
from evaluator.core.git.listing import Entry

MAX_COMMITS = 250
"""Of one pull request; forges show no more."""
_AT_ONCE = 200
"""Paths in one command line."""
_NAMED = 5
"""Paths in one refusal."""


def merge_bases(repo: Repo, first: str, second: str) -> list[str]:
    """Return the last commits that two others have in common; several after crosswise merges."""
    return (ask(repo, "merge-base", "--all", first, second) or "").split()


def forks(repo: Repo, base: str, head: str) -> dict[str, str | None]:
    """Return every commit that a head brings, and the one commit of the base that it stands on.

    None for one that is based on several, or on none. Raises RefusedError.
    """
    listing = ask(repo, "rev-list", "--topo-order", "--reverse", "--parents",
               f"--max-count={MAX_COMMITS + 1}", f"{base}..{head}")  # fmt: skip
    lines = (listing or "").splitlines()
    if len(lines) > MAX_COMMITS:
        raise RefusedError(
            f"it has more than {MAX_COMMITS} commits", hint="Squash them into one, and push again."
        )
    fork_of: dict[str, str | None] = {}
    for commit, *parents in map(str.split, lines):
        places = {fork_of.get(parent, parent) for parent in parents}
        if len(places) > 1 and None not in places:
            last = ask(repo, "merge-base", "--independent", *map(str, places))
            places = set((last or "").split())
        fork_of[commit] = places.pop() if len(places) == 1 else None
    return fork_of


def differences(
    repo: Repo, base: str, visible: Sequence[Change], by_merge: Sequence[Change]
) -> list[str]:
    """Paths in which what a head shows and what its merge does are not the same.

    ``visible`` is what it changes since its merge base, ``by_merge`` what the merge
    changes of the base. A change that the base has already is no difference.
    """
    landed = {change.path for change in by_merge}
    seen = {change.path for change in visible}
    lost = [change for change in visible if change.path not in landed]
    entries: dict[str, Entry] = {}
    for start in range(0, len(lost), _AT_ONCE):
        paths = [change.path for change in lost[start : start + _AT_ONCE]]
        entries.update(list_entries(repo, base, *paths))
    return sorted(
        {change.path for change in lost if entries.get(change.path) != change.new} | landed - seen
    )


def digest_of(changes: Iterable[Change]) -> str:
    """Digest of a set of changed paths: each with its mode and content."""
    return digest([[change.path, *(change.new or ("", ""))] for change in changes])


def list_paths(paths: Sequence[str]) -> str:
    """Return the first of several paths as they may be printed, and how many more there are."""
    more = len(paths) - _NAMED
    first = ", ".join(shown(path)[:200] for path in paths[:_NAMED])
    return f"{first} and {more:,} more" if more > 0 else first


def merge_commit(repo: git.Repo, base: str, head: str, at: dt.datetime) -> str:
    """Write the merge of two commits into the object database and return its id.

    No working tree, no hook, no filter; the commit bears the time given, since quotas and
    windows are judged by it. Raises RefusedError where the two conflict.
    """
    try:
        tree = str(
            repo.git.execute(
                [
                    repo.git.GIT_PYTHON_GIT_EXECUTABLE, "-c", "merge.renames=false",
                    "merge-tree", "--write-tree", "--no-messages", base, head,
                ]
            )
        ).split("\n")[0]  # fmt: skip
    except git.GitCommandError as error:
        if error.status == 1:
            raise RefusedError(
                "the pull request conflicts with the base branch",
                hint="Rebase onto it, and push again.",
            ) from None
        raise PlatformError(f"git could not merge: {last_line(error)}") from None
    moment = f"{int(at.timestamp())} +0000"
    identity = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (
            ("NAME", "pullbench"),
            ("EMAIL", "pullbench@localhost"),
            ("DATE", moment),
        )
    }
    return str(
        repo.git.execute(
            [
                repo.git.GIT_PYTHON_GIT_EXECUTABLE, "commit-tree", tree, "-p", base, "-p", head,
                "-m", f"Proposal of {head}",
            ],
            env=identity,
        )
    )  # fmt: skip
