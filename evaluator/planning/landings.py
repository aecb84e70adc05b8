"""Landed content of a branch, compared with what its pull requests showed and was approved.

A forge merges later than anybody judged: into another tip, through a queue, as one commit.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from evaluator.errors import RefusedError
from evaluator.formats.pull_requests import Landing, number_of
from evaluator.git.commands import Repo
from evaluator.git.history import committed_at, first_parents_of
from evaluator.git.merge_changes import differences, digest_of, merge_bases, named
from evaluator.git.raw_trees import changes

if TYPE_CHECKING:
    from evaluator.git.tree import Tree

if TYPE_CHECKING:  # a site begins before what reads notes is loaded
    from collections.abc import Iterator

    from evaluator.planning.ledger import Ledger

DAYS = 30
MAX_COMMITS = 100
"""Those that are compared, the latest."""


def landings_of(tree: Tree) -> list[Landing]:
    """Return those of the commit that a tree is read from."""
    return [] if tree.commit is None else landings(tree.repository, tree.commit)


def landings(repo: Repo, tip: str, ledger: Ledger | None = None) -> list[Landing]:
    """Return the last commits of a branch that did something else than was shown or approved.

    A merge says itself what was shown. Of a squashed pull request the ledger says what was
    approved; without the ledger it is passed over. Commits that name none are in ``rebases``.
    """
    different = []
    for commit, at, parents, subject in landed_since(repo, tip):
        number = number_of(subject)
        try:
            fault = next(_faults(repo, commit, parents, number, ledger), None)
        except RefusedError as error:
            fault = error.message
        if fault:
            different.append(Landing(commit=commit, at=at, pull_request=number, fault=fault))
    return different


def landed_since(repo: Repo, tip: str) -> Iterator[tuple[str, dt.datetime, list[str], str]]:
    """Yield the commits that are compared, newest first: id, time, parents, first line."""
    since = committed_at(repo, tip) - dt.timedelta(days=DAYS)
    return first_parents_of(repo, tip, since, MAX_COMMITS)


def _faults(
    repo: Repo, commit: str, parents: list[str], number: int | None, ledger: Ledger | None
) -> Iterator[str]:
    if len(parents) > 2:
        yield "merges several heads at once, which were not judged together"
    if not parents:
        return
    landed = changes(repo, parents[0], commit)
    if len(parents) == 2:
        bases = merge_bases(repo, *parents)
        if not bases:
            yield "merges a head without a common history"
            return
        visible = changes(repo, bases[0], parents[1])
        different = differences(repo, parents[0], visible, landed)
        shown_as = {change.path: change for change in visible}
        different += [
            change.path
            for change in landed
            if (seen := shown_as.get(change.path))
            and seen.old == change.old and seen.new != change.new
        ]  # fmt: skip
        if different:
            yield f"changed what the pull request did not show: {named(sorted(different))}"
        if len(bases) > 1:
            yield f"merges a head with {len(bases)} merge bases"
    approved = ledger.approved_changes(number) if ledger and number else None
    if approved is not None and digest_of(landed) not in approved:
        yield f"changed something else than was approved: {named([item.path for item in landed])}"
