"""Programs and data that lie elsewhere: behind keys and addresses, or left out of the source.

A folder of the organiser's (``--files``) has them: parts of a light export, data sets of a
Codabench server, copies of what an address holds, files that were not packed.
"""

import hashlib
import json
import re
import tempfile
import urllib.parse
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from evaluator.core.formats.archive import ArchiveError, entries
from evaluator.core.formats.cell import digest
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.schema import Key
from evaluator.importing.folder import MAX_UNPACKED, SourceFolder, is_skipped
from evaluator.importing.notes import COMPETITION
from evaluator.plugins.codalab.keys import TASK_PARTS

MANIFEST = "references.json"
MAX_MANIFEST = 2**24
_KEY = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
MARK = b"pullbench export 1"
"""Comment of pullbench's own zips: they are imported unchanged, so that export is reversible."""
_SCHEMES = ("http://", "https://", "file://")
_NAMESPACE = uuid.UUID("6f0c4d0e-6f4b-5a0b-9c55-0f6a3f1f9b1d")
"""Of our keys: a fixed number, so that the same content has the same key for ever."""


@dataclass(frozen=True, kw_only=True)
class Reference:
    """One entry of references.json."""

    path: str
    """Where it is in the bundle."""
    written: str
    """How competition.yaml writes that path."""
    kind: str
    """``directory``, or ``file`` for a single one."""
    sha256: str
    size: int

    @property
    def key(self) -> str:
        """UUID in competition.yaml instead of the path."""
        return str(uuid.uuid5(_NAMESPACE, f"{self.sha256}\n{self.written}"))


def is_key(value: object) -> bool:
    return isinstance(value, str) and _KEY.fullmatch(value.strip()) is not None


def is_url(source: str) -> bool:
    return source.lower().startswith(_SCHEMES)


def content_sha256(files: Mapping[str, tuple[bytes, bool]]) -> str:
    return digest(
        [
            [name, executable, hashlib.sha256(content).hexdigest()]
            for name, (content, executable) in sorted(files.items())
            if not is_skipped(name)
        ]
    )


def manifest(references: Mapping[str, Reference]) -> bytes:
    data = {key: asdict(item) for key, item in sorted(references.items())}
    return (json.dumps(data, indent=2) + "\n").encode()


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
        self._known = self._read_manifest()
        self._placed: dict[str, str] = {}

    def _read_manifest(self) -> dict[str, Reference]:
        if not self._folder.is_file(MANIFEST):
            return {}
        notes = self._folder.notes
        try:
            data = read_json(self._folder.read(MANIFEST), max_bytes=MAX_MANIFEST)
            references = {str(key).lower(): Reference(**item) for key, item in data.items()}
        except (ValueError, TypeError, AttributeError) as error:
            # A file of that name that another program wrote is the bundle's own.
            notes.note(MANIFEST, f"is not a manifest of pullbench's ({error}); it is kept")
            return {}
        for key, item in references.items():
            if item.key != key or path_fault(str(item.path)) or not isinstance(item.path, str):
                notes.refuse(MANIFEST, f"the entry '{shown(key)}' was changed after the export")
        if notes.refused:
            return {}
        (self._folder.root / MANIFEST).unlink()
        return references

    def restore(self, content: bytes) -> bytes:
        """Undo a light export: bring its parts in, and write their paths for their keys."""
        for key, reference in self._known.items():
            if key.encode() in content and self.bring(key, "", COMPETITION) is not None:
                content = content.replace(key.encode(), reference.written.encode())
        return content

    def bring(self, key: str, name: str, at: str | Key) -> str | None:
        key = key.strip().lower()
        if key in self._placed:
            return self._placed[key]
        reference = self._known.get(key)
        path = reference.path.rstrip("/") if reference else self._free(name)
        source = self._find(key)
        notes = self._folder.notes
        if source is None:
            message = f"names the data set {key}, which is not in the bundle."
            notes.refuse(at, message, f"Put it as {key}.zip or {key}/ into {self.place}.")
            return None
        if reference and (self._folder.is_dir(path) or self._folder.is_file(path)):
            if content_sha256(self._content(path)) == reference.sha256:
                self._placed[key] = path  # a part of another part, which came first
                return path
            notes.refuse(at, f"'{path}' is in the bundle, and by its key, {key}, once more.")
            return None
        self._copy(source, path, single=reference is not None and reference.kind == "file")
        if reference and content_sha256(self._content(path)) != reference.sha256:
            notes.refuse(at, f"{source.name} is not what was exported: its digest differs.")
        if reference is None:
            notes.note(at, f"the data set {key} is now '{path}/'")
        self._placed[key] = path
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
        elif single and not source.name.lower().endswith(".zip"):
            self._folder.write(path, source.read_bytes())
        else:
            self._folder.add_zip(source.read_bytes(), path, source.name)
            self._folder.say_faults()
        # A single file of a bundle travels in a zip or folder of its own, under its own name.
        name = path.rpartition("/")[2]
        if single and self._folder.below(path) == [f"{path}/{name}"]:
            single_file = inside.root.with_name(f"{name}.single")
            (inside.root / name).rename(single_file)
            inside.root.rmdir()
            single_file.rename(inside.root)

    def _content(self, path: str) -> dict[str, tuple[bytes, bool]]:
        files = [path] if self._folder.is_file(path) else self._folder.below(path)
        return {
            name.removeprefix(f"{path}/") if name != path else path.rpartition("/")[2]: (
                self._folder.read(name),
                bool((self._folder.root / name).stat().st_mode & 0o100),
            )
            for name in files
        }

    def _free(self, name: str) -> str:
        number, path = 1, name
        while self._folder.is_dir(path) or self._folder.is_file(path):
            number += 1
            path = f"{name}-{number}"
        return path
