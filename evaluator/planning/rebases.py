"""Pull requests that landed commit by commit, compared with what was approved.

A forge that rebases leaves commits with messages of the participant's. They are assigned to a pull
request by the submission that they bring, with the content that it was received with.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from evaluator.errors import RefusedError
from evaluator.formats.cell import SCORES
from evaluator.formats.pull_requests import Landing, number_of
from evaluator.formats.submission import FILE_NAME
from evaluator.git.commands import Repo, list_entries
from evaluator.git.merge_changes import digest_of, named
from evaluator.git.raw_trees import Change, changes
from evaluator.git.tree import Tree
from evaluator.planning.arrivals import pull_requests_of
from evaluator.planning.landings import landed_since, landings
from evaluator.planning.ledger import Ledger
from evaluator.planning.ledger_notes import APPROVED

_NO_CONTENT = frozenset({SCORES, FILE_NAME})
_DEPTH = 4
"""Segments of a submission's path."""


class _Step(NamedTuple):
    """A commit with one parent."""

    landing: Landing
    """With the pull request that its message names: ``landings`` compares it with that one."""
    changes: Sequence[Change]


def all_landings(repo: Repo, tip: str, ledger: Ledger) -> list[Landing]:
    """Return the last commits of a branch that did something else than was shown or approved."""
    return [*landings(repo, tip, ledger), *rebases(repo, tip, ledger)]


def rebases(repo: Repo, tip: str, ledger: Ledger) -> Iterator[Landing]:
    """Yield the last commits of pull requests that landed with other content than approved.

    What such a pull request brought after its last change of a submission looks like any push of an
    organiser's: git alone does not distinguish them.
    """
    seen: set[int] = set()
    for run in _runs(repo, tip) if ledger.entries.names(APPROVED) else ():
        for position, step in enumerate(run):
            for number in _brought(repo, step, ledger) - seen - {step.landing.pull_request}:
                approved = ledger.approved_changes(number)
                if approved is None:
                    continue
                seen.add(number)
                if approved.isdisjoint(_digests(run[position:])):
                    paths = named([change.path for change in step.changes])
                    yield Landing(
                        commit=step.landing.commit, at=step.landing.at, pull_request=number,
                        fault=f"is the end of commits that changed something else than was "
                        f"approved: {paths}",
                    )  # fmt: skip


def _runs(repo: Repo, tip: str) -> Iterator[list[_Step]]:
    """Yield commits that may have landed together, the newest first."""
    run: list[_Step] = []
    for commit, at, parents, subject in landed_since(repo, tip):
        step = None
        if len(parents) == 1:
            try:
                number = number_of(subject)
                landing = Landing(commit=commit, at=at, pull_request=number, fault="")
                step = _Step(landing, changes(repo, parents[0], commit))
            except RefusedError:
                pass  # `landings` names it
        if step is None:
            yield run
            run = []
        else:
            run.append(step)
    yield run


def _brought(repo: Repo, step: _Step, ledger: Ledger) -> set[int]:
    """Return the pull requests that were received with what a commit makes of submissions."""
    numbers: set[int] = set()
    for folder in {_submission(change.path) for change in step.changes} - {""}:
        commit = step.landing.commit
        tree = Tree(repo, commit, list_entries(repo, commit, folder), frozenset())
        content = tree.digest(folder, _NO_CONTENT)
        numbers |= pull_requests_of(ledger, folder.partition("/")[2], content)
    return numbers


def _submission(path: str) -> str:
    """Return the folder of the submission whose content a file is part of; empty for none."""
    parts = path.split("/", _DEPTH)
    if parts[0] != "submissions" or len(parts) <= _DEPTH:
        return ""
    return "" if parts[_DEPTH].partition("/")[0] in _NO_CONTENT else "/".join(parts[:_DEPTH])


def _digests(steps: Iterable[_Step]) -> Iterator[str]:
    """Yield the digest of what the first commit did, of the first two together, and so on."""
    combined: dict[str, Change] = {}
    for step in steps:
        for change in step.changes:
            later = combined.get(change.path, change)
            combined[change.path] = later._replace(old=change.old)
        yield digest_of(_differing(combined))


def _differing(combined: Mapping[str, Change]) -> list[Change]:
    return [combined[path] for path in sorted(combined) if combined[path].old != combined[path].new]
