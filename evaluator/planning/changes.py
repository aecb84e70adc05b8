"""What differs between two commits: read as git says it, and never beyond a bound.

One side may be a stranger's. A few kilobytes of git objects can stand for more files than any
machine can list, and a tree written by hand may name one file twice.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from evaluator.errors import RefusedError
from evaluator.formats.cell import digest
from evaluator.formats.paths import shown
from evaluator.planning.listing import FOLDER, Entry
from evaluator.planning.repository import Repo, ask, list_entries, stream

MAX_PATHS = 50_000
"""Files and folders that differ; who has more to change does it in several steps."""
_MAX_PATH_BYTES = 4096
"""No system opens a longer one."""
_AT_ONCE = 200
"""Paths in one command line."""
_NAMED = 5
"""Paths in one refusal."""


class Change(NamedTuple):
    """One path that differs between two commits; None where it is not there."""

    path: str
    old: Entry | None
    new: Entry | None


def merge_bases(repo: Repo, one: str, other: str) -> list[str]:
    """Return the last commits that two others have in common; several after crosswise merges."""
    return (ask(repo, "merge-base", "--all", one, other) or "").split()


def changes(repo: Repo, old: str, new: str) -> list[Change]:
    """Every path that differs, by path; a renamed one is gone here and new there.

    Raises RefusedError.
    """
    answer = stream(
        repo, "diff-tree", "-r", "-t", "-z", "--raw", "--no-renames", "--full-index",
        "--no-ext-diff", "--end-of-options", old, new,
    )  # fmt: skip
    with closing(answer):
        return [item for item in _in_order(_differing(answer)) if not _is_folder(item)]


def _is_folder(change: Change) -> bool:
    return any(side is not None and side.mode == FOLDER for side in (change.old, change.new))


def _differing(answer: Iterable[bytes]) -> Iterator[Change]:
    fields = _fields(answer)
    for count, head in enumerate(fields):
        if count == MAX_PATHS:
            raise RefusedError(
                f"it changes more than {MAX_PATHS:,} files and folders",
                hint="Leave out what is not needed, or change it in several steps.",
            )
        # ":<old mode> <new mode> <old id> <new id> <letter>", then the path
        modes_and_ids = head[1:].split(" ")
        sides = [
            None if int(mode, 8) == 0 else Entry(mode, blob)
            for mode, blob in zip(modes_and_ids[:2], modes_and_ids[2:4], strict=True)
        ]
        yield Change(next(fields), *sides)


def _fields(answer: Iterable[bytes]) -> Iterator[str]:
    """Yield what ends with NUL."""
    rest = b""
    for piece in answer:
        *fields, rest = (rest + piece).split(b"\0")
        if any(len(field) > _MAX_PATH_BYTES for field in (*fields, rest)):
            raise RefusedError(
                f"it has a path of more than {_MAX_PATH_BYTES:,} bytes",
                hint="No system can hold that: leave it out, or give it fewer folders.",
            )
        yield from (field.decode("utf-8", "surrogateescape") for field in fields)


def _in_order(differing: Iterable[Change]) -> Iterator[Change]:
    """Refuse a tree that git would not write: with entries twice, or out of order."""
    last = b""
    files: set[str] = set()
    for change in differing:
        is_folder = _is_folder(change)
        place = f"{change.path}{'/' if is_folder else ''}".encode("utf-8", "surrogateescape")
        within = change.path if is_folder else change.path.rpartition("/")[0]
        if place <= last or (change.new is not None and within in files):
            raise RefusedError(
                f"it has a tree with entries twice or out of order, at {shown(change.path)}",
                hint="No version of git writes such trees; commit the files anew with git.",
            )
        last = place
        if change.new is not None and not is_folder:
            files.add(change.path)
        yield change


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
