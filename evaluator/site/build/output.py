"""The folder of the built site: what is there already is not written again.

Beside the site lies a second tree with hard links to the same files. What changed is written there,
and at the end the two trees change places in one step: whoever reads the site sees the one before
or this one, and so does a kill. Inodes tell where the trees differ.

A manifest says of each file what it was made of and what was in it. An entry holds only while the
file has the size and the time of its last writing; else the file itself is compared.
"""

import contextlib
import ctypes
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
from evaluator.site.content.left_out import note

CACHE = "build/cache/site"
"""What a build leaves for the next one: beside the site's own files, which stay."""
COMPUTED = f"{CACHE}/computed"
MANIFEST = "manifest"
State = tuple[int, int, int]
"""Size of a file, time of its last writing in nanoseconds, and inode."""
_NO_FILE: State = (-1, -1, -1)
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
        return {path: state[:2] for path, state in _files(Path(self.site)).items()} == left


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
    """Writes files and removes stale ones; without a cache others may write into its folder."""

    def __init__(self, folder: Path, cache: Cache | None = None) -> None:
        self.folder = folder
        self._next = folder.with_name(f".{folder.name}.next") if cache else folder
        self._last = folder.with_name(f".{folder.name}.last")
        self._previous: Mapping[str, SiteFile] = {}
        self._present: dict[str, State] = {}
        if cache:
            if not folder.exists() and self._last.exists():  # a build was killed
                self._last.rename(folder)
            shutil.rmtree(self._last, ignore_errors=True)
            self._present = _files(folder)
            self._catch_up()
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
        """Write a large file, unless it is there, under all its names; one part is in memory."""
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
                _name(str(draft), str(file))
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
            return SiteFile("", hashed, *there[:2])
        return None

    def _written(self, file: Path, hashed: str) -> SiteFile:
        self.written += 1
        status = file.stat()
        return SiteFile("", hashed, status.st_size, status.st_mtime_ns)

    def _room(self, path: str) -> Path:
        """Make room for a file: not below another, nor through a name that another has, too."""
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

    def _catch_up(self) -> None:
        """Make the other tree hold the files of the site, and nothing else."""
        place, there = str(self._next), _files(self._next)
        missing = self._present.items() - there.items()
        for path, _ in there.items() - self._present.items():
            _remove(place, path)
        folders: set[str] = set()
        for path, state in missing:
            if state != _NO_FILE:
                folder = f"{place}/{path}".rpartition("/")[0]
                if folder not in folders:
                    os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - hot
                    folders.add(folder)
                _name(f"{self.folder}/{path}", f"{place}/{path}")

    def _replace(self) -> None:
        for path in self._present.keys() - self._entries.keys():
            with contextlib.suppress(FileNotFoundError, IsADirectoryError, NotADirectoryError):
                _remove(str(self._next), path)
        self._next.mkdir(parents=True, exist_ok=True)
        if not self.folder.exists():
            self._next.rename(self.folder)
        elif not _exchange(self._next, self.folder):
            self.folder.rename(self._last)
            self._next.rename(self.folder)
            self._last.rename(self._next)

    def _is_as_left(self, path: str) -> bool:
        previous = self._previous[path]
        there = self._present.get(path)
        return there is not None and there[:2] == (previous.size, previous.modified)


def _name(file: str, other: str) -> None:
    """Give a file another name, or copy it where a file has but one."""
    try:
        os.link(file, other)
    except OSError:
        shutil.copy2(file, other)


def _remove(folder: str, path: str) -> None:
    """Remove a file, or a folder where the path ends with a slash, and folders left empty."""
    if not path.endswith("/"):
        os.unlink(f"{folder}/{path}")  # noqa: PTH108 - hot
    with contextlib.suppress(OSError):
        while path := path.rpartition("/")[0]:
            os.rmdir(f"{folder}/{path}")  # noqa: PTH106 - hot


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places in one step, if the system can do that."""
    try:
        rename = ctypes.CDLL(None).renameat2
    except AttributeError:
        return False
    here, both = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), both) == 0)


def _files(folder: Path) -> dict[str, State]:
    """All files below a folder, and empty folders with a slash at the end."""
    states: dict[str, State] = {}
    folders = [("", str(folder))] if folder.is_dir() else []
    while folders:
        prefix, place = folders.pop()
        is_empty = True
        with os.scandir(place) as entries:
            for entry in entries:
                is_empty = False
                path = f"{prefix}{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    folders.append((f"{path}/", entry.path))
                elif entry.is_symlink():
                    states[path] = _NO_FILE
                else:
                    status = entry.stat()
                    states[path] = (status.st_size, status.st_mtime_ns, status.st_ino)
        if is_empty and prefix:
            states[prefix] = _NO_FILE
    return states
