"""Git's listing of a commit: files by path, and those of each submission apart.

Of 10,000 submissions most are looked at by few: so their files are read from git's answer when
somebody asks for one of them, and until then each is a piece of that answer.
"""

import hashlib
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from evaluator.core.formats.cell import SCORES

LINK, SUBMODULE, FOLDER = "120000", "160000", "040000"
"""Modes of what is no plain file."""
_ENTERED = "submissions"
_CARD = "submission.yaml"
_DEPTH = 4
"""Segments of a submission's path."""
# Of "<mode> <type> <id>\t<path>\0" a folder's; what follows NUL begins a line, whatever names hold.
_FOLDER = b"\x00040000 tree "


class Entry(NamedTuple):
    """One file: git's mode and blob id."""

    mode: str
    blob: str

    @property
    def is_regular(self) -> bool:
        """False for links and submodules."""
        return self.mode not in (LINK, SUBMODULE)


_NOWHERE: tuple[str, dict[str, Entry]] = ("\0", {})
"""Where no path is."""


class Folder:
    """The files of one submission."""

    def __init__(self, path: str, lines: bytes) -> None:
        """``lines`` are those of ``git ls-tree -r -z``."""
        self.path = path
        self._lines: bytes | None = lines
        self._entries: dict[str, Entry] | None = None

    @property
    def entries(self) -> dict[str, Entry]:
        """By path from the repository's root."""
        if self._entries is None:
            self._entries = parse(self._listing_text())
        return self._entries

    def digest(self) -> str:
        return _digest(self._listing_text())

    def submitted_digest(self) -> str:
        return _digest(self._submitted_listing())

    def _listing_text(self) -> bytes:
        if self._lines is None:
            self._lines = _lines_of(self.entries)
        return self._lines

    def _submitted_listing(self) -> bytes:
        lines = self._listing_text()
        scores = f"{self.path}/{SCORES}/".encode("utf-8", "surrogateescape")
        tab = lines.find(b"\t" + scores)
        while tab >= 0:
            start = lines.rfind(b"\0", 0, tab) + 1
            if lines.find(b"\t", start) == tab:  # and is not within a name
                return lines[:start] + lines[_end(lines, scores) :]
            tab = lines.find(b"\t" + scores, tab + 1)
        return lines

    @property
    def submitted_count(self) -> int:
        return self._submitted_listing().count(b"\0")

    def with_lines(self, lines: bytes) -> "Folder":
        return Folder(self.path, self._listing_text() + lines)

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

    def put(self, path: str, entry: Entry | None) -> None:
        _put(self.entries, path, entry)
        self._lines = None


class Listing(Mapping[str, Entry]):
    """Files by path."""

    def __init__(self, answer: bytes = b"") -> None:
        """``answer`` is that of ``git ls-tree -r -t -z --full-tree``."""
        self.folders: dict[str, Folder] = {}
        """Submissions by path, those that have files."""
        remaining: list[bytes] = []
        lines: list[bytes] = []
        path, done = b"", 0
        for start, end, folder in _folders(answer):
            between, done = answer[done:start], end
            if path and folder.startswith(path):
                lines.append(between)
                continue
            last = _end(between, path) if path else 0
            remaining.append(between[last:])
            if listed := b"".join((*lines, between[:last])):  # git can hold folders without files
                name = path[:-1].decode("utf-8", "surrogateescape")
                self.folders[name] = Folder(name, listed)
            is_one = folder.count(b"/") == _DEPTH and folder.startswith(f"{_ENTERED}/".encode())
            lines, path = [], folder if is_one else b""
        self._rest = parse(b"".join(remaining))
        self._sorted: list[str] | None = None
        self._near = _NOWHERE

    def __getitem__(self, path: str) -> Entry:
        return self._beside(path)[path]

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and path in self._beside(path)

    def _beside(self, path: str) -> dict[str, Entry]:
        """Return the files among which a path is, if it is anywhere."""
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
        """Paths of the files below a folder, sorted."""
        prefix = f"{path}/"
        near = self.folders.get(_folder_of(prefix))
        if near is not None:
            return sorted(name for name in near.entries if name.startswith(prefix))
        if self._sorted is None:
            self._sorted = sorted(self._rest)
        # "0" follows "/" in ASCII.
        first, last = (bisect_left(self._sorted, end) for end in (prefix, f"{path}0"))
        paths = self._sorted[first:last]
        if prefix.startswith(f"{_ENTERED}/"):
            for name, folder in self.folders.items():
                if name.startswith(prefix):
                    paths += folder.entries
        return sorted(paths)

    def add_archived(self, path: str, lines: bytes) -> bool | None:
        """Let a submission have files that lie elsewhere, as lines of ``git ls-tree -r -z``.

        False where it has others beside its submission.yaml; None where it is not there.
        """
        folder = self.folders.get(path)
        if folder is None or not folder.submitted_count:
            return None
        if folder.submitted_count > 1 or f"{path}/{_CARD}" not in folder.entries:
            return False
        self.folders[path] = folder.with_lines(lines)
        self._near = _NOWHERE
        return True

    def put(self, path: str, entry: Entry | None) -> None:
        self._near = _NOWHERE
        name = _folder_of(path)
        if not name:
            _put(self._rest, path, entry)
            self._sorted = None
            return
        folder = self.folders.setdefault(name, Folder(name, b""))
        folder.put(path, entry)
        if not folder.entries:
            del self.folders[name]


def parse(answer: bytes) -> dict[str, Entry]:
    """Read lines of git."""
    entries: dict[str, Entry] = {}
    same = sys.intern
    # "<mode> <type> <id>\t<path>", the mode of six characters, and nothing after the last
    for line in answer.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, path = line.partition("\t")
        entries[path] = Entry(same(head[:6]), head[head.rindex(" ") + 1 :])
    return entries


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _lines_of(entries: Mapping[str, Entry]) -> bytes:
    """Return what git says of files, in its order: that of their names' bytes."""
    ordered = sorted(
        (path.encode("utf-8", "surrogateescape"), entry) for path, entry in entries.items()
    )
    return b"".join(
        b"%b %b %b\t%b\0"
        % (entry.mode.encode(), b"commit" if entry.mode == SUBMODULE else b"blob",
           entry.blob.encode(), path)
        for path, entry in ordered
    )  # fmt: skip


def _put(entries: dict[str, Entry], path: str, entry: Entry | None) -> None:
    if entry is None:
        entries.pop(path, None)
    else:
        entries[path] = entry


def _folder_of(path: str) -> str:
    """Return the path of the submission that a file is in; empty for none."""
    parts = path.split("/", _DEPTH)
    return "/".join(parts[:_DEPTH]) if len(parts) > _DEPTH and parts[0] == _ENTERED else ""


def _folders(answer: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield where the line of each folder begins and ends, and its path with a slash.

    At last comes one without a path, behind all lines.
    """
    start = 0 if answer.startswith(_FOLDER[1:]) else answer.find(_FOLDER) + 1 or -1
    while start >= 0:
        end = answer.index(b"\0", start)
        yield start, end + 1, answer[answer.index(b"\t", start) + 1 : end] + b"/"
        start = answer.find(_FOLDER, end) + 1 or -1
    yield len(answer), len(answer), b""


def _end(lines: bytes, prefix: bytes) -> int:
    """Return the end of the last line whose path begins so."""
    end = len(lines)
    while end:
        start = lines.rfind(b"\0", 0, end - 1) + 1
        if lines.startswith(prefix, lines.index(b"\t", start) + 1):
            break
        end = start
    return end
