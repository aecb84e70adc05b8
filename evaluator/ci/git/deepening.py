"""A shallow clone gets as much history as a question needs, step by step.

In a whole clone all of it is there, and nothing is fetched.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import git

from evaluator.core.git.partial_clone import exchange

_STEPS = (50, 500, 5000)
_ALL = 2**31 - 2
"""Commits. One more would mean all of every branch that is shallow here."""


def join(repo: git.Repo, remote: str | None, first: str, second: str) -> None:
    """Fetch history until it is known for sure what two commits have in common.

    What is missing of it lies behind their last common commits: then neither can have another one
    in common, nor does it lack any that is its own.
    """
    for depth in _depths(repo, remote):
        bases = str(repo.git.execute(
            [repo.git.GIT_PYTHON_GIT_EXECUTABLE, "merge-base", "--all", first, second],
            with_exceptions=False,
        )).split()  # fmt: skip
        if bases:
            above = repo.git.rev_list(first, second, "--not", *bases).split()
            if boundary(repo).isdisjoint(above):
                return
        deepen(repo, remote, depth, first, second)


def reach(repo: git.Repo, remote: str | None, tip: str, seen: str, *options: str) -> None:
    """Fetch history until a commit has another in it, or all of its history is here."""
    for depth in _depths(repo, remote):
        status, _, _ = repo.git.merge_base(
            "--is-ancestor", seen, tip, with_extended_output=True, with_exceptions=False
        )
        if status == 0 or boundary(repo).isdisjoint(repo.git.rev_list(tip).split()):
            return
        deepen(repo, remote, depth, tip, options=options)


def complete(repo: git.Repo, remote: str | None, tip: str) -> None:
    """Fetch all of the history of a commit."""
    edge = boundary(repo)
    behind = edge.intersection(repo.git.rev_list(tip).split()) if edge else ()
    if behind:
        deepen(repo, remote, _ALL, *sorted(behind))


def boundary(repo: git.Repo) -> frozenset[str]:
    """Return the commits whose parents are not here although they have some."""
    file = Path(repo.common_dir) / "shallow"
    return frozenset(file.read_text().split() if file.is_file() else ())


def deepen(
    repo: git.Repo, remote: str | None, depth: int, *tips: str, options: Iterable[str] = ()
) -> None:
    """Fetch so many commits of the history of some others."""
    if remote is not None:
        exchange(
            repo, remote, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
            "--no-auto-maintenance", *options, f"--depth={depth}", remote, *tips,
        )  # fmt: skip


def _depths(repo: git.Repo, remote: str | None) -> Iterator[int]:
    if remote is not None and boundary(repo):
        yield from (*_STEPS, _ALL)
