"""A merge that nothing checks out, and whether it does what its head shows."""

import datetime as dt
from collections.abc import Iterable, Sequence

from evaluator.ci.git.raw_trees import Change, FilesByPath
from evaluator.ci.git.remote import failure
from evaluator.core.errors import RefusedError, some_of
from evaluator.core.formats.cell import digest, is_score
from evaluator.core.formats.paths import shown
from evaluator.core.git.repository import GitFailedError, Repo

MAX_COMMITS = 250
"""Of one pull request; forges show no more."""
_NAMED = 5
"""Paths in one refusal."""


def merge_bases(repo: Repo, first: str, second: str) -> list[str]:
    """The last commits that two others have in common; several after crosswise merges."""
    return (repo.git.ask("merge-base", "--all", first, second) or "").split()


def forks(repo: Repo, base: str, head: str) -> dict[str, str | None]:
    """Map a head's commits to the one commit of the base below, or None. Raises RefusedError."""
    listing = repo.git.ask("rev-list", "--topo-order", "--reverse", "--parents",
               f"--max-count={MAX_COMMITS + 1}", f"{base}..{head}")  # fmt: skip
    lines = (listing or "").splitlines()
    if len(lines) > MAX_COMMITS:
        raise RefusedError(
            f"it has more than {MAX_COMMITS} commits", hint="Squash them into one, and push again."
        )
    fork_of: dict[str, str | None] = {}
    for commit, *parents in map(str.split, lines):
        if len(parents) > MAX_COMMITS:
            raise RefusedError(
                f"its commit {commit[:12]} has more than {MAX_COMMITS} parents", hint="Rebase it."
            )
        places = {fork_of.get(parent, parent) for parent in parents}
        if len(places) > 1 and None not in places:
            last = repo.git.ask("merge-base", "--independent", *map(str, places))
            places = set((last or "").split())
        fork_of[commit] = places.pop() if len(places) == 1 else None
    return fork_of


def differences(
    repo: Repo, base: str, visible: Sequence[Change], by_merge: Sequence[Change]
) -> list[str]:
    """Paths that a head shows as ``visible`` otherwise than its merge changes them."""
    landed = {change.path for change in by_merge}
    shown = {change.path for change in visible}
    lost = [change for change in visible if change.path not in landed]
    files = FilesByPath(repo, base)
    files.read_folders(change.path for change in lost)
    entries = {change.path: files[change.path] for change in lost if change.path in files}
    differing = {change.path for change in lost if entries.get(change.path) != change.new}
    return sorted(differing | landed - shown)


def digest_of(repo: Repo, merged: str, changes: Iterable[Change]) -> str:
    """Digest of what a merge changes, and of all else of these submissions but their scores."""
    rows = [[change.path, *(change.new or ("", ""))] for change in changes]
    paths = {row[0] for row in rows}
    parts = [path.split("/") for path in paths if not is_score(path)]
    folders = {"/".join(part[:4]) for part in parts if part[0] == "submissions"}
    files = FilesByPath(repo, merged)
    files.read_folders(f"{folder}/" for folder in folders)
    rest = {path for folder in folders for path in files.below(folder)} - paths
    return digest(rows + [["", path, *files[path]] for path in sorted(rest) if not is_score(path)])


def list_paths(paths: Sequence[str]) -> str:
    return some_of([shown(path)[:200] for path in paths], _NAMED)


def merge_commit(repo: Repo, base: str, head: str, at: dt.datetime) -> str:
    """Write a merge, at a time by which quotas judge. Raises RefusedError on a conflict."""
    asked = ("merge-tree", "--write-tree", "--no-messages", base, head)
    process = repo.git.start("-c", "merge.renames=false", *asked)
    written, errors = (stream.decode("utf-8", "replace") for stream in process.communicate())
    # A tree that is missing is an empty one to git, which complains and goes on.
    if process.returncode not in (0, 1) or "error:" in errors:
        error = GitFailedError(process.returncode, errors, repo.working_dir)
        raise failure("git could not merge", error)
    if process.returncode:
        message = "the pull request conflicts with the base branch"
        raise RefusedError(message, hint="Rebase onto it, and push again.")
    tree, *_ = written.split("\n")
    moment = f"{int(at.timestamp())} +0000"
    who = {"NAME": "pullbench", "EMAIL": "pullbench@localhost", "DATE": moment}
    roles = ("AUTHOR", "COMMITTER")
    identity = {f"GIT_{role}_{part}": value for role in roles for part, value in who.items()}
    message = f"Proposal of {head}"
    return str(repo.git.commit_tree(tree, "-p", base, "-p", head, "-m", message, env=identity))
