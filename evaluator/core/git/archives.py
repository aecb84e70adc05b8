"""Archived submissions: their files stand in a tree as the pointers in ``archives/`` name them.

So keys, kinds and boards are what they were; only who reads a content needs the archive.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.paths import shown
from evaluator.core.formats.pointer import ArchivedSubmission, read_pointer
from evaluator.core.git.listing import Listing


class Archived(NamedTuple):
    """What the pointers of a tree say."""

    submissions: Mapping[str, ArchivedSubmission]
    """By path."""
    problems: Sequence[Problem]


def add_archived(entries: Listing, contents: Mapping[str, bytes]) -> Archived:
    """Let archived submissions have their files; ``contents`` are pointers, by path."""
    submissions: dict[str, ArchivedSubmission] = {}
    problems: list[Problem] = []
    for file, content in sorted(contents.items()):
        try:
            pointer = read_pointer(content, file)
        except ValueError as error:
            problems.append(_problem(file, f"is no pointer to archived submissions: {error}"))
            continue
        for name, files in sorted(pointer.submissions.items()):
            path = f"submissions/{pointer.benchmark}/{name}"
            lines = "".join(
                f"{entry.replace(' ', ' blob ')}\t{path}/{one}\0" for one, entry in files.items()
            )
            added = entries.add_archived(path, lines.encode("utf-8", "surrogateescape"))
            if added:
                submissions[path] = ArchivedSubmission(file, pointer)
            elif added is not None:
                problems.append(
                    _problem(path, f"has files, though {shown(file)} says it is archived")
                )
    return Archived(submissions, problems)


def _problem(file: str, message: str) -> Problem:
    mine = file.startswith("submissions/")
    return Problem(
        file=shown(file), message=message,
        hint="Submit it under another name; an organiser brings it back by `pullbench restore`."
        if mine else "Take it as it was from git; `pullbench archive` alone writes it.",
        actor=Actor.PARTICIPANT if mine else Actor.ORGANISER,
    )  # fmt: skip
