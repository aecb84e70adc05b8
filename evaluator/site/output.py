"""The folder of the built site: what is there already is not written again.

What changed is written into a folder beside it, which at the end takes its place with names of all
files that stay: whoever reads the site sees the one before or this one, and so does a kill.

A manifest beside it says of each file what it was made of and what was in it. An entry holds only
while the file has the size and the time of its last writing; else the file itself is compared.
"""

import filecmp
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from evaluator.site.left_out import note

_VERSION = 1
T = TypeVar("T")


class Entry(NamedTuple):
    """One file of the site in the manifest."""

    inputs: str
    """Digest of all that it was made of; empty where that is not known."""
    content: str
    size: int
    modified: int
    """Nanoseconds."""


class Changes(NamedTuple):
    """What a function wrote, for the process that writes the manifest."""

    entries: Mapping[str, Entry]
    written: int
    left_out: Mapping[str, str]
    """What could not be made, and why."""


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """Return the digest of a content that comes in parts, however it is cut."""
    hashed = hashlib.blake2b(digest_size=16)
    for part in parts:
        hashed.update(part)
    return hashed.hexdigest()


def listing_digest(folder: Path) -> str:
    """Digest of the names, sizes and times of all files below a folder."""
    return _digest_of_listing(_files(folder))


def _digest_of_listing(files: Iterable[tuple[str, tuple[int, int]]]) -> str:
    return digest_of_parts(repr(file).encode() for file in sorted(files))


def _write_through(parts: Iterable[bytes], stream: BinaryIO) -> Iterator[bytes]:
    for part in parts:
        stream.write(part)
        yield part


class Output:
    """Writes files below a folder, and removes what no longer belongs to the site.

    Without a manifest the folder is somebody else's, who writes into it, too: it is not replaced.
    """

    def __init__(self, folder: Path, manifest: Path | None = None) -> None:
        self.folder = folder
        self._manifest = manifest
        self._next = folder.with_name(f".{folder.name}.next") if manifest else folder
        self._last = folder.with_name(f".{folder.name}.last")
        if manifest:
            self._clear()
        self._previous = _read(manifest) if manifest else {}
        self._present = dict(_files(folder)) if manifest else {}
        self._entries: dict[str, Entry] = {}
        self.written = 0
        """Files that this build wrote."""
        self.unchanged = 0
        """Pages that this build did not even render."""

    def has(self, path: str, inputs: str) -> bool:
        """Whether a file is there that was made of these inputs; then it stays as it is."""
        previous = self._previous.get(path)
        if (
            previous is None
            or not inputs
            or previous.inputs != inputs
            or not self._is_as_left(path)
        ):
            return False
        self._entries[path] = previous
        self.unchanged += 1
        return True

    def has_folder(self, folder: str, inputs: str) -> bool:
        """Whether the files of a folder are there that were made together of these inputs."""
        paths = [
            path
            for path, entry in self._previous.items()
            if path.startswith(f"{folder}/") and entry.inputs == inputs
        ]
        return bool(paths) and all(self.has(path, inputs) for path in paths)

    def put(self, path: str, content: bytes, inputs: str = "") -> None:
        """Write a file, unless it has this content."""
        hashed = digest_of_parts([content])
        entry = self._unchanged(
            path, hashed, lambda file: file.read_bytes() == content, len(content)
        )
        if entry is None:
            file = self._room(path)
            file.write_bytes(content)
            entry = self._written(file, hashed)
        self._entries[path] = entry._replace(inputs=inputs)

    def put_parts(self, paths: Sequence[str], parts: Iterable[bytes]) -> None:
        """Write a large file, unless it stands there, with a name at each of its addresses.

        It is never in memory as a whole, unless it is one part.
        """
        draft = self._room(f"{paths[0]}.new")
        try:
            with draft.open("xb") as stream:
                hashed, size = digest_of_parts(_write_through(parts, stream)), stream.tell()
        except Exception:
            draft.unlink(missing_ok=True)
            raise
        for path in paths:
            entry = self._unchanged(path, hashed, partial(filecmp.cmp, draft, shallow=False), size)
            if entry is None:
                file = self._room(path)
                _name(draft, file)
                entry = self._written(file, hashed)
            self._entries[path] = entry._replace(inputs="")
        draft.unlink()

    def _unchanged(
        self, path: str, hashed: str, is_same: Callable[[Path], bool], size: int
    ) -> Entry | None:
        """Return what is known of a file that has this content already."""
        previous = self._previous.get(path)
        if previous is not None and self._is_as_left(path):
            return previous if previous.content == hashed else None
        there = self._present.get(path)
        if there is not None and there[0] == size and is_same(self.folder / path):
            return Entry("", hashed, *there)
        return None

    def _written(self, file: Path, hashed: str) -> Entry:
        self.written += 1
        status = file.stat()
        return Entry("", hashed, status.st_size, status.st_mtime_ns)

    def _room(self, path: str) -> Path:
        """Make room for a file, and the folder that it is in.

        Nothing is written below a file or through a name that another file has, too.
        """
        file = self._next / path
        for place in (file, *file.parents):
            if place == self._next:
                break
            if place.is_symlink() or place.is_file():
                place.unlink()
        if file.is_dir():
            shutil.rmtree(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def record(self, function: Callable[[], T]) -> tuple[T, Changes]:
        """Call a function, and return what it wrote apart: this process may not be the one."""
        entries, written = self._entries, self.written
        self._entries, self.written = {}, 0
        try:
            value = function()
            return value, Changes(self._entries, self.written, note({}))
        finally:
            self._entries, self.written = entries, written

    def add(self, changes: Changes) -> None:
        """Note what a function wrote, here or in another process."""
        self._entries.update(changes.entries)
        self.written += changes.written
        note(changes.left_out)

    def make_again(self, folders: Iterable[str]) -> None:
        """Let the next build render the pages of some folders anew."""
        for path in (f"{folder}/index.html" for folder in folders):
            if path in self._entries:
                self._entries[path] = self._entries[path]._replace(inputs="")

    @property
    def entries(self) -> Mapping[str, Entry]:
        """All files so far."""
        return self._entries

    def listing_digest(self) -> str:
        """Digest of the names, sizes and times of all files so far, as the function's."""
        return _digest_of_listing(
            (path, (entry.size, entry.modified)) for path, entry in self._entries.items()
        )

    def finish(self) -> list[str]:
        """Replace the site as a whole, and save the manifest; returns what went."""
        gone = sorted(self._present.keys() - self._entries.keys())
        if self._manifest is not None:
            if gone or self.written or self._entries.keys() != self._present.keys():
                self._replace()
            _write(self._manifest, self._entries)
            return gone
        for path in gone:
            file = self.folder / path
            if file.is_symlink() or file.is_file():  # or a folder has taken its place
                file.unlink()
        for path in sorted({path.rpartition("/")[0] for path in gone}, reverse=True):
            _remove_empty(self.folder, path)
        return gone

    def _replace(self) -> None:
        folders: set[str] = set()
        for path in self._entries:
            folder = path.rpartition("/")[0]
            if folder not in folders:
                (self._next / folder).mkdir(parents=True, exist_ok=True)
                folders.add(folder)
            if not os.path.lexists(self._next / path):
                _name(self.folder / path, self._next / path)
        if self.folder.exists():
            self.folder.rename(self._last)
        self._next.rename(self.folder)
        self._clear()

    def _clear(self) -> None:
        """Remove what a killed build left; where that is the site, it takes its place again."""
        if self._last.exists() and not self.folder.exists():
            self._last.rename(self.folder)
        for folder in (self._last, self._next):
            shutil.rmtree(folder, ignore_errors=True)

    def _is_as_left(self, path: str) -> bool:
        previous = self._previous[path]
        return self._present.get(path) == (previous.size, previous.modified)


def _name(file: Path, other: Path) -> None:
    """Give a file another name, or copy it where a file has but one."""
    try:
        other.hardlink_to(file)
    except OSError:
        shutil.copy2(file, other)


def _files(folder: Path) -> Iterable[tuple[str, tuple[int, int]]]:
    """Yield path, size and time of every file; links are files of their own."""
    folders = [("", str(folder))] if folder.is_dir() else []
    while folders:
        prefix, place = folders.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                path = f"{prefix}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    folders.append((f"{path}/", entry.path))
                elif entry.is_symlink():
                    yield path, (-1, -1)
                else:
                    status = entry.stat()
                    yield path, (status.st_size, status.st_mtime_ns)


def _remove_empty(root: Path, path: str) -> None:
    folder = root / path
    while folder != root and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _read(manifest: Path) -> dict[str, Entry]:
    try:
        data = json.loads(manifest.read_bytes())
        if data["version"] != _VERSION:
            return {}
        return {path: Entry(*entry) for path, entry in data["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # then everything is compared


def _write(manifest: Path, entries: Mapping[str, Entry]) -> None:
    manifest.parent.mkdir(parents=True, exist_ok=True)
    data = {"version": _VERSION, "files": dict(sorted(entries.items()))}
    new = manifest.with_suffix(".new")
    new.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
    new.replace(manifest)
