"""Git's listing of a commit: files by path, and those of each submission separately.

A command looks at few of 10,000 submissions. So the files of one are read from git's answer when
somebody asks for one of them; until then a submission is a piece of that answer.
"""

import hashlib
import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.pointer import ArchivedSubmission, read_pointer

LINK, SUBMODULE, FOLDER = "120000", "160000", "040000"
"""Modes of what is no plain file."""
_CARD = "submission.yaml"
_DEPTH = 4
"""Segments of a submission's path."""
# All lines of a submission: "<mode> <type> <id>\t<path>\0". The head of a line holds no tab; a path
# may hold anything but NUL.
_SUBMISSION = re.compile(
    rb"(?<![^\0])[^\0\t]*\t(submissions/[^/\0]+/[^/\0]+/[^/\0]+)/[^\0]*\0(?:[^\0\t]*\t\1/[^\0]*\0)*"
)


class TreeEntry(NamedTuple):
    """One file: git's mode and blob id."""

    mode: str
    blob: str

    @property
    def is_regular(self) -> bool:
        """False for links and submodules."""
        return self.mode not in (LINK, SUBMODULE)

    def fault(self, path: str) -> str | None:
        """Why it is not accepted there, if it is not."""
        return path_fault(path) or (None if self.is_regular else "is a link or a submodule")


_NOWHERE: tuple[str, dict[str, TreeEntry]] = ("\0", {})
"""Where no path is."""


class SubmissionFiles:
    """The files of one submission; ``lines`` are those of ``git ls-tree -r -z``."""

    def __init__(self, path: str, lines: bytes) -> None:
        self.path = path
        self._lines: bytes | None = lines
        self._entries: dict[str, TreeEntry] | None = None
        self.digests: dict[frozenset[str], str] = {}
        """Of its content, by what they leave out, once somebody asked."""

    @property
    def entries(self) -> dict[str, TreeEntry]:
        if self._entries is None:
            self._entries = parse(self._listing_text())
        return self._entries

    def digest(self) -> str:
        return hashlib.blake2b(self._listing_text(), digest_size=16).hexdigest()

    def _listing_text(self) -> bytes:
        if self._lines is None:
            self._lines = _lines_of(self.entries)
        return self._lines

    def submitted_digest(self) -> str:
        scores = f"\t{self.path}/{SCORES}/".encode("utf-8", "surrogateescape")
        lines = self._listing_text()
        if scores in lines:
            each = lines.split(b"\0")[:-1]
            # A name may hold a tab and such a path: only behind the first tab is it the line's own.
            each = [b"%b\0" % x for x in each if not x.startswith(scores, x.index(b"\t"))]
            lines = b"".join(each)
        return hashlib.blake2b(lines, digest_size=16).hexdigest()

    def may_hold(self, blob: str) -> bool:
        """Whether a content may be among its files; where not, it is not."""
        return blob.encode() in self._listing_text()

    @property
    def submitted(self) -> list[str]:
        scores = f"{self.path}/{SCORES}/"
        return [path for path in self.entries if not path.startswith(scores)]

    @property
    def records(self) -> list[str]:
        scores = f"{self.path}/{SCORES}/"
        return [path for path in self.entries if path.startswith(scores)]

    def put(self, path: str, entry: TreeEntry | None) -> None:
        _put(self.entries, path, entry)
        self._lines, self.digests = None, {}


class Listing(Mapping[str, TreeEntry]):
    """Files by path."""

    def __init__(self, answer: bytes = b"") -> None:
        """``answer`` is that of ``git ls-tree -r -z --full-tree``."""
        self.folders: dict[str, SubmissionFiles] = {}
        """Submissions by path, those that have files."""
        remaining: list[bytes] = []
        done = 0
        for lines in _SUBMISSION.finditer(answer):
            remaining.append(answer[done : lines.start()])
            done = lines.end()
            name = lines[1].decode("utf-8", "surrogateescape")
            self.folders[name] = SubmissionFiles(name, lines[0])
        self._rest = parse(b"".join((*remaining, answer[done:])))
        self._sorted: list[str] | None = None
        self._near = _NOWHERE

    def __getitem__(self, path: str) -> TreeEntry:
        return self._beside(path)[path]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._beside(path)

    def _beside(self, path: str) -> dict[str, TreeEntry]:
        """The files among which a path is, if it is anywhere."""
        prefix, entries = self._near  # who asks for one file of a submission asks for the next
        if path.startswith(prefix):
            return entries
        name = _folder_of(path)
        folder = self.folders.get(name)
        if folder is None:
            return self._rest
        self._near = f"{name}/", folder.entries
        return folder.entries

    def __iter__(self) -> Iterator[str]:
        yield from self._rest
        for folder in self.folders.values():
            yield from folder.entries

    def __len__(self) -> int:
        return len(self._rest) + sum(len(folder.entries) for folder in self.folders.values())

    @property
    def outside(self) -> Iterable[str]:
        return self._rest

    def below(self, path: str) -> list[str]:
        prefix = f"{path}/"
        near = self.folders.get(_folder_of(prefix))
        if near is not None:
            return sorted(name for name in near.entries if name.startswith(prefix))
        if self._sorted is None:
            self._sorted = sorted(self._rest)
        # "0" follows "/" in ASCII.
        first, last = (bisect_left(self._sorted, end) for end in (prefix, f"{path}0"))
        paths = self._sorted[first:last]
        if prefix.startswith("submissions/"):
            for name, folder in self.folders.items():
                if name.startswith(prefix):
                    paths += folder.entries
        return sorted(paths)

    def add_archived(self, path: str, lines: bytes) -> bool | None:
        """Add lines of ``git ls-tree -r -z``; False if it has other files, None if it is absent."""
        folder = self.folders.get(path)
        if folder is None or not folder.submitted:
            return None
        if folder.submitted != [f"{path}/{_CARD}"]:
            return False
        self.folders[path] = SubmissionFiles(path, folder._listing_text() + lines)
        self._near = _NOWHERE
        return True

    def put(self, path: str, entry: TreeEntry | None) -> None:
        self._near = _NOWHERE
        name = _folder_of(path)
        if not name:
            _put(self._rest, path, entry)
            self._sorted = None
            return
        folder = self.folders.setdefault(name, SubmissionFiles(name, b""))
        folder.put(path, entry)
        if not folder.entries:
            del self.folders[name]

    def with_changes(self, changes: Mapping[str, TreeEntry | None]) -> "Listing":
        """A listing with other entries, in git's order; this one stays as it is."""
        later = Listing()
        later.folders, later._rest = dict(self.folders), dict(self._rest)
        changed = {_folder_of(path) for path in changes}
        for name in changed & self.folders.keys():
            later.folders[name] = SubmissionFiles(name, self.folders[name]._listing_text())
        for path, entry in changes.items():
            later.put(path, entry)
        for name in changed & later.folders.keys():
            later.folders[name] = SubmissionFiles(name, later.folders[name]._listing_text())
        later.folders = dict(sorted(later.folders.items(), key=lambda item: _bytes(f"{item[0]}/")))
        later._rest = dict(sorted(later._rest.items(), key=lambda item: _bytes(item[0])))
        return later


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def parse(answer: bytes) -> dict[str, TreeEntry]:
    entries: dict[str, TreeEntry] = {}
    same = sys.intern
    # "<mode> <type> <id>\t<path>", the mode of six characters, and nothing after the last
    for line in answer.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, path = line.partition("\t")
        entries[path] = TreeEntry(same(head[:6]), head[head.rindex(" ") + 1 :])
    return entries


def _lines_of(entries: Mapping[str, TreeEntry]) -> bytes:
    """What git says of files, in its order: that of their names' bytes."""
    ordered = sorted((_bytes(path), entry) for path, entry in entries.items())
    return b"".join(
        b"%b %b %b\t%b\0"
        % (entry.mode.encode(), b"commit" if entry.mode == SUBMODULE else b"blob",
           entry.blob.encode(), path)
        for path, entry in ordered
    )  # fmt: skip


def _put(entries: dict[str, TreeEntry], path: str, entry: TreeEntry | None) -> None:
    if entry is None:
        entries.pop(path, None)
    else:
        entries[path] = entry


def _folder_of(path: str) -> str:
    parts = path.split("/", _DEPTH)
    return "/".join(parts[:_DEPTH]) if len(parts) > _DEPTH and parts[0] == "submissions" else ""


def add_archived(
    entries: Listing, contents: Mapping[str, bytes]
) -> tuple[dict[str, ArchivedSubmission], list[Problem]]:
    """Add the files that pointers in ``archives/`` name: only to read one needs the archive."""
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
    return submissions, problems


def _problem(file: str, message: str) -> Problem:
    actor = Actor.of(file)
    hint = {
        Actor.PARTICIPANT: "Submit it under another name; an organiser brings it back by "
        "`pullbench restore`.",
        Actor.ORGANISER: "Take it as it was from git; `pullbench archive` alone writes it.",
    }[actor]
    return Problem(file=shown(file), message=message, hint=hint, actor=actor)
