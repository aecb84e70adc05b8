"""Versions of submissions at each commit of a branch, and the work that each enters."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from evaluator.ci.git.history import file_changes
from evaluator.core.formats.cell import SCORES, digest
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.listing import TreeEntry
from evaluator.core.git.tree import Tree

NO_CONTENT = frozenset({SCORES, FILE_NAME})
DEPTH = 4
"""Segments of a submission's path."""
_FEW = 20
"""Participants or benchmarks that git is asked about by name: it compares each path with each."""


class Work(NamedTuple):
    """What is entered: one content, into one phase, as one kind. Its name and place are no part."""

    phase: str
    kind: str
    content: str
    """Digest of the files, without scores and submission.yaml, and of the environment's name."""


def entered_content(files: str, environment: str) -> str:
    """Digest of files in an environment: in another one they are another work."""
    return digest([files, environment]) if environment else files


def work_of(tree: Tree, submission: Submission) -> Work:
    content = tree.digest(submission.path, NO_CONTENT)
    content = entered_content(content, submission.environment)
    return Work(submission.phase, submission.kind_name, content)


@dataclass(frozen=True, kw_only=True)
class Version:
    """A submission as one commit left it."""

    at: dt.datetime
    """When it came to the branch, in UTC."""
    files: Mapping[str, TreeEntry]
    """By path from its directory, without scores; empty where it was removed."""

    @cached_property
    def content(self) -> str:
        """Digest of the files, as ``work_of`` takes it; empty where there are none."""
        files = sorted(self.files.items())
        entries = [[name, *entry] for name, entry in files if name.partition("/")[0] != FILE_NAME]
        return digest(entries) if entries else ""


def versions(
    tree: Tree, wanted: Mapping[str, Collection[str] | None]
) -> Mapping[str, Sequence[Version]]:
    """Map submissions to versions, the oldest first. Asks git once.

    ``wanted`` are benchmarks, each with participants in lower case, or None for all of them.
    """
    folders = [
        f":(icase,literal)submissions/{benchmark}/{name}/"
        for benchmark, names in wanted.items() for name in sorted(names or ())
    ]  # fmt: skip
    if None in wanted.values() or len(folders) >= _FEW:
        folders = [f"submissions/{name}" for name in wanted if len(wanted) < _FEW]
    files: dict[str, dict[str, TreeEntry]] = defaultdict(dict)
    history: dict[str, list[Version]] = defaultdict(list)
    pathspecs = (*(folders or ["submissions"]), f":(exclude,glob)submissions/*/*/*/{SCORES}/**")
    changes = file_changes(tree.repository, tree.commit, pathspecs) if tree.commit else ()
    for step in reversed(list(changes)):
        touched: set[str] = set()
        for path, entry in step.entries.items():
            parts = path.split("/", DEPTH)
            if len(parts) <= DEPTH or parts[1] not in wanted:
                continue
            names = wanted[parts[1]]
            if names is not None and parts[2].casefold() not in names:
                continue
            name = "/".join(parts[1:DEPTH])
            touched.add(name)
            if entry is None:
                files[name].pop(parts[DEPTH], None)
            else:
                files[name][parts[DEPTH]] = entry
        for name in touched:
            history[name].append(Version(at=step.at, files=dict(files[name])))
    return history


def unchanged_since(versions: Sequence[Version]) -> dt.datetime | None:
    since = None
    content = ""
    for version in versions:
        if since is not None and version.files and not version.content:
            continue  # it was archived, and is what it was
        if since is None or version.content != content:
            since, content = version.at, version.content
    return since
