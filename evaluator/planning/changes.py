"""Whether what a head shows is what its merge does."""

from collections.abc import Iterable, Sequence

from evaluator.formats.cell import digest
from evaluator.formats.paths import shown
from evaluator.planning.listing import Entry
from evaluator.planning.raw_trees import Change
from evaluator.planning.repository import Repo, ask, list_entries

_AT_ONCE = 200
"""Paths in one command line."""
_NAMED = 5
"""Paths in one refusal."""


def merge_bases(repo: Repo, one: str, other: str) -> list[str]:
    """Return the last commits that two others have in common; several after crosswise merges."""
    return (ask(repo, "merge-base", "--all", one, other) or "").split()


def differences(
    repo: Repo, base: str, visible: Sequence[Change], landing: Sequence[Change]
) -> list[str]:
    """Paths in which what a head shows and what its merge does are not the same.

    ``visible`` is what it changes since its merge base, ``landing`` what the merge changes of the
    base. A change that the base has already is no difference.
    """
    landed = {change.path for change in landing}
    seen = {change.path for change in visible}
    lost = [change for change in visible if change.path not in landed]
    there: dict[str, Entry] = {}
    for start in range(0, len(lost), _AT_ONCE):
        paths = [change.path for change in lost[start : start + _AT_ONCE]]
        there.update(list_entries(repo, base, *paths))
    return sorted(
        {change.path for change in lost if there.get(change.path) != change.new} | landed - seen
    )


def digest_of(landing: Iterable[Change]) -> str:
    """Digest of a set of changed paths: each with its mode and content."""
    return digest([[change.path, *(change.new or ("", ""))] for change in landing])


def named(paths: Sequence[str]) -> str:
    """Return the first of several paths as they may be printed, and how many more there are."""
    more = len(paths) - _NAMED
    first = ", ".join(shown(path)[:200] for path in paths[:_NAMED])
    return f"{first} and {more:,} more" if more > 0 else first
