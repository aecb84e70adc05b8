"""Files that competition.yaml names: found however they are written, zips unpacked, keys resolved.

Works on v2 data in place; what cannot be found stays as written, and the schema refuses it.
"""

import re
from typing import Any

from evaluator.core.errors import some_of
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.schema import Key
from evaluator.importing.folder import Folder
from evaluator.importing.notes import COMPETITION
from evaluator.plugins.codalab.nested_zips import NestedZips
from evaluator.plugins.codalab.programs import (
    SOURCES,
    Part,
    check_environment,
    check_inputs,
    check_program,
    first_uses,
)
from evaluator.plugins.codalab.references import Resolver, file_name, is_key, is_url

PROGRAMS: tuple[Part, ...] = ("scoring_program", "ingestion_program")
DATA = ("input_data", "reference_data")
DOWNLOADS = ("starting_kit", "public_data")
Entry = dict[str, Any]


class Parts:
    """Settles every path of a bundle."""

    def __init__(self, folder: Folder, resolver: Resolver, *, legacy: bool) -> None:
        self._folder = folder
        self._notes = folder.notes
        self._zips = NestedZips(folder)
        self._resolver = resolver
        self._legacy = legacy
        """CodaLab's worker unpacked zips inside programs and data."""
        self._absent: list[str] = []
        self._brought_paths: dict[str, str] = {}
        self._for_zips: set[str] = set()
        """Folders that are used where a zip is named."""

    def settle(self, data: Entry) -> None:
        for key in ("image", "terms"):
            self._file(data, key, (key,))
        for position, page in _entries(data, "pages"):
            self._file(page, "file", ("pages", position, "file"))
        pins: list[Entry] = []
        for position, task in _entries(data, "tasks"):
            self._task(task, ("tasks", position), str(data.get("docker_image") or ""), pins)
        if pins:
            extension = data.get("pullbench") or {}
            data["pullbench"] = {**extension, "private": [*extension.get("private", []), *pins]}
        for position, solution in _entries(data, "solutions"):
            at: Key = ("solutions", position)
            if "path" not in solution and is_key(solution.get("key")):
                self._notes.warn((*at, "key"), "is stored on a Codabench server; it has no files.")
            self._part(solution, "path", at, "solution", optional=True)
        for position, phase in _entries(data, "phases"):
            for key in DOWNLOADS:
                self._part(phase, key, ("phases", position), key, optional=True)
        if self._absent:
            self._notes.note(
                COMPETITION,
                f"names {len(self._absent)} files and folders that are not in the bundle: "
                f"{some_of(self._absent)}",
                f"Put them, under these names, into {self._resolver.place}.",
            )

    def _task(self, task: Entry, at: Key, image: str, pins: list[Entry]) -> None:
        key = task.get("key")
        if key is not None:
            files = self._resolver.task_files(str(key)) if "scoring_program" not in task else {}
            if files:
                self._notes.note((*at, "key"), "its files are now in the bundle")
            elif "scoring_program" not in task:
                self._notes.refuse(
                    (*at, "key"),
                    f"names the task {key}, which is stored on a Codabench server.",
                    f"Put its programs and data into a folder {key}/ and name the folder around "
                    "it with --files, or put them into the bundle and name them here.",
                )
                return
            else:
                self._notes.warn((*at, "key"), "is left out: the task's files are given here.")
            del task["key"]
            task.setdefault("name", f"Task {task.get('index', at[-1])}")
            task.update(files)
        for part in PROGRAMS:
            self._part(task, part, at, part, optional=part != "scoring_program")
            if isinstance(task.get(part), str):
                check_program(self._folder, task[part], (*at, part), image)
                check_environment(self._folder, task[part], part)
                if self._legacy and part == "scoring_program":
                    check_inputs(self._folder, task[part])
        for name in DATA:
            address = str(task.get(name) or "").strip()
            if is_url(address):
                pin = self._resolver.pin(address, task.get("index"), name, (*at, name))
                pins += [pin] if pin else []
                del task[name]
            else:
                self._part(task, name, at, name, optional=True)
        for name in (*PROGRAMS, *DATA):
            self._check_inner(str(task.get(name)), [str(task.get(part)) for part in PROGRAMS])
        if task.get("ingestion_only_during_scoring") and not task.get("ingestion_program"):
            self._notes.warn(
                (*at, "ingestion_only_during_scoring"),
                "stands without an ingestion program: the submission's own command runs at the "
                "same time as the scoring program. Codabench runs it before.",
                "Take the key out where the scorer reads what the command has written.",
            )

    def _check_inner(self, path: str, programs: list[str]) -> None:
        """Warn where programs look for a folder of the name of a zip, in whose place a folder is.

        ``zip -r x.zip x`` puts the files below x/, ``cd x && zip -r ../x.zip .`` does not.
        """
        name = path.rpartition("/")[2]
        if path not in self._for_zips or self._folder.is_dir(f"{path}/{name}"):
            return
        pattern = {name: re.compile(rf"[\"'/]{re.escape(name)}[/\"']")}
        sources = [file for program in programs for file in self._folder.below(program)]
        for file in [file for file in sources if file.lower().endswith(SOURCES)]:
            for line, _ in first_uses(self._folder.read(file), pattern):
                self._notes.warn(
                    file,
                    f"seems to look for '{name}/' inside what '{path}.zip' held; '{path}/', which "
                    "is used in its place, has no such folder",
                    f"If it has to be there, run `zip -r {name}.zip {name}` beside that folder, "
                    "and import again.",
                    line=line,
                )

    def _file(self, entry: Entry, key: str, at: Key) -> None:
        if isinstance(entry.get(key), str):
            entry[key] = self._find(entry[key], at)

    def _part(self, entry: Entry, key: str, at: Key, name: str, *, optional: bool) -> None:
        value = entry.get(key)
        here: Key = (*at, key)
        if not isinstance(value, str):
            return
        if not value.strip() and optional:
            del entry[key]
            return
        path = self._find(value, here)
        if is_key(value) and not self._exists(path):
            brought = self._resolver.bring(value, name, here)
            if brought is None:
                return
            path = brought
        if is_url(path):
            if optional and name in DOWNLOADS:
                message = f"is an address, {shown(value)}: left out."
                self._notes.warn(here, message, "Link to it on a page.")
                del entry[key]
            else:
                self._notes.refuse(
                    here, f"is an address, {shown(value)}, which is not in the bundle.",
                    f"Fetch it, and put it as '{shown(file_name(path))}' into "
                    f"{self._resolver.place}.",
                )  # fmt: skip
            return
        if self._folder.is_file(path) and self._is_zip(path, key):
            path = self._zips.unpack(path, nested=self._legacy and key in (*PROGRAMS, *DATA))
        if optional and self._folder.is_dir(path) and not self._folder.below(path):
            self._notes.warn(here, f"'{value}' is empty; git holds no empty folder, so it is out.")
            del entry[key]
            return
        entry[key] = path

    def _is_zip(self, path: str, key: str) -> bool:
        is_named = path.lower().endswith(".zip")
        return is_named or (key in PROGRAMS and self._folder.read(path).startswith(b"PK\x03\x04"))

    def _exists(self, path: str) -> bool:
        return self._folder.is_file(path) or self._folder.is_dir(path)

    def _spellings(self, path: str) -> list[str]:
        """Return the paths of files and directories that differ from ``path`` only by case."""
        root = self._folder.root
        paths = [file.relative_to(root).as_posix() for file in sorted(root.rglob("*"))]
        return [one for one in paths if one.casefold() == path.casefold()]

    def _find(self, value: str, at: Key) -> str:
        """Return the path in the bundle; as cleaned if nothing is found."""
        if is_url(value.strip()):
            return self._brought(value.strip(), file_name(value.strip()), at)
        path = value.strip().replace("\\", "/")
        if path != value.strip():
            self._notes.warn(at, f"'{value}' holds backslashes; '{path}' is meant.")
        while path.startswith("./"):
            path = path[2:]
        path = path.rstrip("/")
        unpacked = self._zips.targets.get(path)
        if unpacked or self._exists(path) or not path:
            return unpacked or path
        spellings = self._spellings(path)
        if len(spellings) == 1:
            message = f"'{value}' is written '{spellings[0]}' in the bundle; that is used."
            self._notes.warn(at, message)
            return spellings[0]
        other = path[:-4] if path.lower().endswith(".zip") else f"{path}.zip"
        if self._exists(other):
            self._notes.warn(path, f"is not in the bundle; '{other}' is, and is used")
            if self._folder.is_dir(other):
                self._for_zips.add(other)
            return other
        return path if is_key(path) else self._brought(path, path, at)

    def _brought(self, value: str, path: str, at: Key) -> str:
        """Return where a file of the organiser's folder is put; the value where there is none."""
        known = self._brought_paths.get(path)
        brought = known or (self._resolver.bring_path(path, at) if path else None)
        if brought is None:
            if not is_url(value) and path_fault(path) is None and shown(path) not in self._absent:
                self._absent.append(shown(path))
            return value
        self._brought_paths[path] = brought
        return brought


def _entries(data: Entry, key: str) -> list[tuple[int, Entry]]:
    value = data.get(key)
    items = value if isinstance(value, list) else []
    return [(place, item) for place, item in enumerate(items) if isinstance(item, dict)]
