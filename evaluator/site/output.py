"""The folder of the built site: what is there already is not written again.

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
from typing import BinaryIO, NamedTuple

_VERSION = 1


class Made(NamedTuple):
    """One file of the site as the last build left it."""

    inputs: str
    """Digest of all that it was made of; empty where nobody kept it."""
    content: str
    size: int
    modified: int
    """Nanoseconds."""


def digest(*parts: bytes | str) -> str:
    """Return the digest of parts, each told apart from the next."""
    contents = [
        part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in parts
    ]
    text = b"".join([b"%d:%b" % (len(content), content) for content in contents])
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def digest_of_parts(parts: Iterable[bytes]) -> str:
    """Return the digest of a content that comes in parts, however it is cut."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(part)
    return found.hexdigest()


def _written(parts: Iterable[bytes], stream: BinaryIO) -> Iterator[bytes]:
    for part in parts:
        stream.write(part)
        yield part


class Output:
    """Writes files below a folder, and removes what no longer belongs to the site."""

    def __init__(self, folder: Path, manifest: Path | None = None) -> None:
        self.folder = folder
        self._manifest = manifest
        self._known = _read(manifest) if manifest else {}
        self._there = dict(_files(folder)) if manifest else {}
        self._made: dict[str, Made] = {}
        self.written = 0
        """Files that this build wrote."""
        self.kept = 0
        """Pages that this build did not even render."""

    def has(self, path: str, inputs: str) -> bool:
        """Whether a file is there that was made of these inputs; then it stays as it is."""
        known = self._known.get(path)
        if known is None or not inputs or known.inputs != inputs or not self._is_as_left(path):
            return False
        self._made[path] = known
        self.kept += 1
        return True

    def put(self, path: str, content: bytes, inputs: str = "") -> Made:
        """Write a file, unless it has this content."""
        found = digest_of_parts([content])
        made = self._kept(path, found, lambda file: file.read_bytes() == content, len(content))
        if made is None:
            file = self._room(path)
            file.write_bytes(content)
            made = self._wrote(file, found)
        made = made._replace(inputs=inputs)
        self._made[path] = made
        return made

    def put_parts(self, paths: Sequence[str], parts: Iterable[bytes]) -> None:
        """Write a large file, unless it stands there, with a name at each of its addresses.

        It is never in memory as a whole, unless it is one part.
        """
        draft = self._room(f"{paths[0]}.new")
        with draft.open("xb") as stream:
            found, size = digest_of_parts(_written(parts, stream)), stream.tell()
        for path in paths:
            made = self._kept(path, found, partial(filecmp.cmp, draft, shallow=False), size)
            if made is None:
                file = self._room(path)
                _name(draft, file)
                made = self._wrote(file, found)
            self._made[path] = made._replace(inputs="")
        draft.unlink()

    def _kept(
        self, path: str, found: str, is_same: Callable[[Path], bool], size: int
    ) -> Made | None:
        """Return what is known of a file that has this content already."""
        known = self._known.get(path)
        if known is not None and self._is_as_left(path):
            return known if known.content == found else None
        there = self._there.get(path)
        if there is not None and there[0] == size and is_same(self.folder / path):
            return Made("", found, *there)
        return None

    def _wrote(self, file: Path, found: str) -> Made:
        self.written += 1
        status = file.stat()
        return Made("", found, status.st_size, status.st_mtime_ns)

    def _room(self, path: str) -> Path:
        """Make room for a file, and the folder that it is in.

        Nothing is written below a file or through a name that another file has, too.
        """
        file = self.folder / path
        for place in (file, *file.parents):
            if place == self.folder:
                break
            if place.is_symlink() or place.is_file():
                place.unlink()
        if file.is_dir():
            shutil.rmtree(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        return file

    def take(self, made: Mapping[str, Made], written: int) -> None:
        """Note what another process put here."""
        self._made.update(made)
        self.written += written

    @property
    def made(self) -> Mapping[str, Made]:
        """All files so far."""
        return self._made

    def finish(self) -> list[str]:
        """Remove the files that this build did not make, and keep the manifest; what went."""
        gone = sorted(self._there.keys() - self._made.keys())
        for path in gone:
            file = self.folder / path
            if file.is_symlink() or file.is_file():  # or a folder has taken its place
                file.unlink()
        for path in sorted({path.rpartition("/")[0] for path in gone}, reverse=True):
            _remove_empty(self.folder, path)
        if self._manifest is not None:
            _write(self._manifest, self._made)
        return gone

    def _is_as_left(self, path: str) -> bool:
        known = self._known[path]
        return self._there.get(path) == (known.size, known.modified)


def _name(file: Path, other: Path) -> None:
    """Give a file another name, or copy it where a file has but one."""
    try:
        other.hardlink_to(file)
    except OSError:
        shutil.copyfile(file, other)


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


def _read(manifest: Path) -> dict[str, Made]:
    try:
        data = json.loads(manifest.read_bytes())
        if data["version"] != _VERSION:
            return {}
        return {path: Made(*entry) for path, entry in data["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # then everything is compared


def _write(manifest: Path, made: Mapping[str, Made]) -> None:
    manifest.parent.mkdir(parents=True, exist_ok=True)
    data = {"version": _VERSION, "files": dict(sorted(made.items()))}
    new = manifest.with_suffix(".new")
    new.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
    new.replace(manifest)
