"""Programs and data that lie elsewhere: behind keys and addresses, or left out of the source.

A folder of the organiser's (``--files``) has them: data sets of a Codabench server, copies of what
an address holds, files that were not packed.
"""

import re
import tempfile
import urllib.parse
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from evaluator.core.formats.archive import ArchiveError, entries
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.schema import Key
from evaluator.importing.folder import MAX_UNPACKED, SourceFolder
from evaluator.plugins.codalab.keys import TASK_PARTS

_KEY = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
MARK = b"pullbench export 1"
"""Comment of pullbench's own zips: they are imported unchanged, so that export is reversible."""
_SCHEMES = ("http://", "https://", "file://")


def is_key(value: object) -> bool:
    return isinstance(value, str) and _KEY.fullmatch(value.strip()) is not None


def is_url(source: str) -> bool:
    return source.lower().startswith(_SCHEMES)


def file_name(address: str) -> str:
    return PurePosixPath(urllib.parse.unquote(urllib.parse.urlsplit(address).path)).name


class Resolver:
    """Brings in what competition.yaml names and the source has not, from an organiser's folder."""

    def __init__(
        self, folder: SourceFolder, source: Path | None, digest: Callable[[Path], str]
    ) -> None:
        self._folder = folder
        self._source = source
        self._digest = digest
        """Of a file or folder, as a bundle pins it."""
        self._placed: dict[str, str] = {}

    def bring(self, key: str, name: str, at: str | Key) -> str | None:
        key = key.strip().lower()
        if key in self._placed:
            return self._placed[key]
        source = self._find(key)
        notes = self._folder.notes
        if source is None:
            message = f"names the data set {key}, which is not in the bundle."
            notes.refuse(at, message, f"Put it as {key}.zip or {key}/ into {self.place}.")
            return None
        self._placed[key] = path = self._free(name)
        self._copy(source, path, single=False)
        notes.note(at, f"the data set {key} is now '{path}/'")
        return path

    @property
    def place(self) -> str:
        return str(self._source) if self._source else "a folder, and give it with --files"

    def bring_path(self, path: str, at: Key) -> str | None:
        """Put what a path names into the bundle; returns where it is, None where it is nowhere."""
        source = None if path_fault(path) else self._find(path)
        if source is None:
            return None
        is_zip = source.is_file() and source.name.lower().endswith(".zip")
        target = self._free(path[:-4] if path.lower().endswith(".zip") else path)
        self._copy(source, target, single=source.is_file() and not is_zip)
        self._folder.notes.note(at, f"'{target}' is taken from {source.name}")
        return target

    def pin(self, address: str, task: Any, name: str, at: Key) -> dict[str, Any] | None:
        """Return ``private`` of data behind an address; the digest is that of a copy here."""
        notes = self._folder.notes
        file = file_name(address)
        source = self._find(file) if file and path_fault(file) is None else None
        if source is None:
            notes.refuse(
                at,
                f"is an address, {shown(address)}; data need a digest, so that no change of them "
                "goes unnoticed.",
                f"Fetch it, and put it as it is, as '{shown(file)}', into {self.place}.",
            )
            return None
        try:
            sha256 = self._content_digest(source)
        except ArchiveError as error:
            notes.refuse(at, f"{shown(file)} {error}", "Runs could not unpack it.")
            return None
        notes.note(at, "is now 'pullbench.private': machines fetch it, and check its digest")
        return {"task": task, "file": name, "url": address, "sha256": sha256}

    def _content_digest(self, source: Path) -> str:
        """Digest of what is in a zip; that of a file or folder as it is."""
        if not source.is_file() or not source.name.lower().endswith(".zip"):
            return self._digest(source)
        with (
            tempfile.TemporaryDirectory(dir=self._folder.root.parent) as place,
            source.open("rb") as file,
        ):
            inside = SourceFolder(Path(place), self._folder.notes)
            for member in entries(file, max_bytes=MAX_UNPACKED, skip=lambda _: False):
                if not member.name.endswith("/"):
                    inside.write(member.name, member.content)
            return self._digest(inside.root)

    def task_files(self, key: str) -> dict[str, str]:
        """Paths of a task's programs and data: ``<key>/<name>/`` or ``<name>.zip``."""
        source = self._find(key.strip().lower())
        if source is None or not source.is_dir():
            return {}
        result = {}
        for name in TASK_PARTS:
            for part in (source / name, source / f"{name}.zip"):
                if part.exists():
                    result[name] = path = self._free(name)
                    self._copy(part, path, single=False)
                    break
        return result

    def _find(self, key: str) -> Path | None:
        if self._source is None:
            return None
        base = self._source.resolve()
        other = key[:-4] if key.lower().endswith(".zip") else f"{key}.zip"
        for name in (key, other):
            place = (self._source / name).resolve()
            if place.exists() and place.is_relative_to(base):
                return self._source / name
        return None

    def _copy(self, source: Path, path: str, *, single: bool) -> None:
        inside = SourceFolder(self._folder.root / path, self._folder.notes)
        if source.is_dir():
            inside.root.mkdir(parents=True)
            inside.add_directory(source, source.name)
            inside.say_faults()
        elif single:
            self._folder.write(path, source.read_bytes())
        else:
            self._folder.add_zip(source.read_bytes(), path, source.name)
            self._folder.say_faults()

    def _free(self, name: str) -> str:
        number, path = 1, name
        while self._folder.is_dir(path) or self._folder.is_file(path):
            number += 1
            path = f"{name}-{number}"
        return path
