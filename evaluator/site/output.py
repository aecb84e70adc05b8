"""The folder of the built site: what is there already is not written again.

What changed is written into a folder beside it, which at the end takes its place with names of all
files that stay: whoever reads the site sees the one before or this one, and so does a kill.

A manifest says of each file what it was made of and what was in it. An entry holds only while the
file has the size and the time of its last writing; else the file itself is compared.
"""

import datetime as dt
import filecmp
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, TypeVar

import msgspec

from evaluator.core.formats.cache import Cache
from evaluator.site.left_out import note

CACHE = "build/cache/site"
"""What a build leaves for the next one: beside the site's own files, which stay."""
COMPUTED = f"{CACHE}/computed"
MANIFEST = "manifest"
T = TypeVar("T")


class SiteFile(NamedTuple):
    """One file of the site in the manifest."""

    inputs: str
    """Digest of all that it was made of; empty where that is not known."""
    content: str
    size: int
    modified: int
    """Nanoseconds."""


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole site was made of."""

    digest: str
    """Of everything but the clock, as it was when the build began."""
    sources: list[str]
    """Folders that MkDocs read."""
    since: dt.datetime
    until: dt.datetime
    """The time within which no phase begins or ends, so that the clock changes nothing."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a build leaves in the cache about the site that it wrote."""

    version: Literal[1] = 1
    site: str
    files: dict[str, SiteFile]
    inputs: Inputs | None
    """None where they are not all known, or something was left out."""

    def is_intact(self) -> bool:
        """Whether the folder holds these files and no others, all as they were written."""
        left = {path: (entry.size, entry.modified) for path, entry in self.files.items()}
        return dict(_files(Path(self.site))) == left


_DECODER = msgspec.json.Decoder(Manifest)


class Changes(NamedTuple):
    """What a function wrote, for the process that writes the manifest."""

    entries: Mapping[str, SiteFile]
    written: int
    left_out: Mapping[str, str]


def digest_of_parts(parts: Iterable[bytes]) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    for part in parts:
        hashed.update(part)
    return hashed.hexdigest()


def read_manifest(cache: Cache) -> Manifest | None:
    content = cache.get(MANIFEST)
    try:
        return None if content is None else _DECODER.decode(content)
    except msgspec.ValidationError:
        return None  # of another version of this program; then everything is compared


def _write_through(parts: Iterable[bytes], stream: BinaryIO) -> Iterator[bytes]:
    for part in parts:
        stream.write(part)
        yield part


class Output:
    """Writes files below a folder, and removes what no longer belongs to the site.

    Without a cache the folder is somebody else's, who writes into it, too: it is not replaced.
    """

    def __init__(self, folder: Path, cache: Cache | None = None) -> None:
        self.folder = folder
        self._next = folder.with_name(f".{folder.name}.next") if cache else folder
        self._last = folder.with_name(f".{folder.name}.last")
        self._previous: Mapping[str, SiteFile] = {}
        self._present: dict[str, tuple[int, int]] = {}
        if cache:
            self._clear()
            self._present = dict(_files(folder))
            manifest = read_manifest(cache)
            if manifest is not None and manifest.site == str(folder):
                self._previous = manifest.files
        self._entries: dict[str, SiteFile] = {}
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
    ) -> SiteFile | None:
        previous = self._previous.get(path)
        if previous is not None and self._is_as_left(path):
            return previous if previous.content == hashed else None
        there = self._present.get(path)
        if there is not None and there[0] == size and is_same(self.folder / path):
            return SiteFile("", hashed, *there)
        return None

    def _written(self, file: Path, hashed: str) -> SiteFile:
        self.written += 1
        status = file.stat()
        return SiteFile("", hashed, status.st_size, status.st_mtime_ns)

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
        self._entries.update(changes.entries)
        self.written += changes.written
        note(changes.left_out)

    def make_again(self, folders: Iterable[str]) -> None:
        for path in (f"{folder}/index.html" for folder in folders):
            if path in self._entries:
                self._entries[path] = self._entries[path]._replace(inputs="")

    @property
    def entries(self) -> Mapping[str, SiteFile]:
        return self._entries

    def finish(self, cache: Cache, inputs: Inputs | None = None) -> None:
        """Replace the site as a whole, and save the manifest."""
        if self.written or self._entries.keys() != self._present.keys():
            self._replace()
        files = dict(sorted(self._entries.items()))
        manifest = Manifest(site=str(self.folder), files=files, inputs=inputs)
        cache.put(MANIFEST, msgspec.json.encode(manifest))

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
