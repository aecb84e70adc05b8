"""Landed content of a branch, compared with what its pull requests showed.

A forge merges later than anybody judged: into another tip, through a queue, as one commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.ci.git.merge_changes import differences, merge_bases, named
from evaluator.ci.git.merges import number_of
from evaluator.ci.git.raw_trees import changes
from evaluator.core.errors import RefusedError
from evaluator.core.formats.repository_status import Landing
from evaluator.core.git.commands import Repo
from evaluator.core.git.history import Landed, first_parents_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evaluator.core.git.tree import Tree

MAX_COMMITS = 100
"""Those that are compared where nobody knows what was compared before: the last."""


def landings_of(tree: Tree) -> list[Landing]:
    """Return those of the commit that a tree is read from, without what the ledger knows."""
    if tree.commit is None:
        return []
    latest = first_parents_of(tree.repository, tree.commit, f"--max-count={MAX_COMMITS}")
    return list(landings(tree.repository, latest))


def landings(repo: Repo, commits: Iterable[Landed]) -> Iterator[Landing]:
    """Yield commits of a branch that did something else than was shown: a merge says it itself."""
    for commit, at, parents, subject in commits:
        try:
            fault = next(_faults(repo, commit, parents), None)
        except RefusedError as error:
            fault = error.message
        if fault:
            yield Landing(commit=commit, at=at, pull_request=number_of(subject), fault=fault)


def _faults(repo: Repo, commit: str, parents: list[str]) -> Iterator[str]:
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
