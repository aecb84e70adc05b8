"""Files that competition.yaml names: found however they are written, zips unpacked, keys resolved.

Works on v2 data in place; what cannot be found stays as written, and the schema refuses it.
"""

import re
import shutil
from typing import Any

from evaluator.core.errors import some_of
from evaluator.core.formats.paths import path_fault, shown
from evaluator.core.formats.schema import Key
from evaluator.importing.folder import SourceFolder
from evaluator.importing.notes import COMPETITION
from evaluator.plugins.codalab.keys import entries
from evaluator.plugins.codalab.programs import (
    Part,
    check_environment,
    check_inputs,
    check_program,
    first_uses,
    sources,
)
from evaluator.plugins.codalab.references import Resolver, file_name, is_key, is_url

PROGRAMS: tuple[Part, ...] = ("scoring_program", "ingestion_program")
DATA = ("input_data", "reference_data")
DOWNLOADS = ("starting_kit", "public_data")
Entry = dict[str, Any]


class Parts:
    """The files of a bundle, and where each path that names them leads."""

    def __init__(self, folder: SourceFolder, resolver: Resolver, *, legacy: bool) -> None:
        self._folder = folder
        self._notes = folder.notes
        self._unpacked: dict[str, str] = {}
        """Zip -> the folder that it became."""
        self._resolver = resolver
        self._legacy = legacy
        """CodaLab's worker unpacked zips inside programs and data."""
        self._absent: list[str] = []
        self._brought_paths: dict[str, str] = {}
        self._for_zips: set[str] = set()
        """Folders that are used where a zip is named."""

    def locate(self, data: Entry) -> None:
        for key in ("image", "terms"):
            self._file(data, key, (key,))
        for position, page in entries(data, "pages"):
            self._file(page, "file", ("pages", position, "file"))
        pins: list[Entry] = []
        for position, task in entries(data, "tasks"):
            self._task(task, ("tasks", position), str(data.get("docker_image") or ""), pins)
        if pins:
            extension = data.get("pullbench") or {}
            data["pullbench"] = {**extension, "private": [*extension.get("private", []), *pins]}
        for position, solution in entries(data, "solutions"):
            at: Key = ("solutions", position)
            if "path" not in solution and is_key(solution.get("key")):
                self._notes.warn((*at, "key"), "is stored on a Codabench server; it has no files.")
            self._part(solution, "path", at, "solution", optional=True)
        for position, phase in entries(data, "phases"):
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
                "has no ingestion program: the submission's own command runs at the "
                "same time as the scoring program. Codabench runs it before.",
                "Take the key out where the scorer reads what the command has written.",
            )

    def _check_inner(self, path: str, programs: list[str]) -> None:
        """Warn of a program that looks for data one level below, or above, where they are."""
        name, only = path.rpartition("/")[2], self._names(path)
        inner = f"{path}/{only[0]}" if len(only) == 1 else ""
        if path in self._for_zips and not self._folder.is_dir(f"{path}/{name}"):
            # ``zip -r`` inside x does not write x/ into x.zip.
            uses = self._uses(programs, [name])
            message = (
                f"seems to look for '{name}/' inside what '{path}.zip' held; '{path}/', which is "
                "used in its place, has no such folder"
            )
            hint = (f"If it has to be there, run `zip -r {name}.zip {name}` beside that folder, "
                    "and import again.")  # fmt: skip
        elif inner and self._folder.is_dir(inner) and not self._uses(programs, only):
            uses = self._uses(programs, self._names(inner))
            message = f"seems to look in '{path}/' for what lies one level below, in '{inner}/'"
            hint = "Zip the files without the folder around them, and import again."
        else:
            return
        for file, line in uses:
            self._notes.warn(file, message, hint, line=line)

    def _names(self, path: str) -> list[str]:
        inside = (file.removeprefix(f"{path}/").split("/")[0] for file in self._folder.below(path))
        return list(dict.fromkeys(inside))[:100]

    def _uses(self, programs: list[str], names: list[str]) -> list[tuple[str, int]]:
        """Files and lines that name one of the files, but for what is mounted at /app."""
        one_of = "|".join(map(re.escape, names))
        pattern = {"": re.compile(rf"(?<!/app)[\"'/](?:{one_of})[/\"']")}
        return [
            (file, line) for one in programs for file in sources(self._folder, one)
            for line, _ in first_uses(self._folder.read(file), pattern)
        ]  # fmt: skip

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
            path = self._unpack(path, nested=self._legacy and key in (*PROGRAMS, *DATA))
        if optional and self._folder.is_dir(path) and not self._folder.below(path):
            self._notes.warn(here, f"'{value}' is empty; git holds no empty folder, so it is out.")
            del entry[key]
            return
        entry[key] = path

    def _unpack(self, path: str, *, nested: bool) -> str:
        """Unpack a zip to a folder beside it; ``nested`` unpacks those in it, as CodaLab did."""
        folder, root, notes = self._folder, self._folder.root, self._notes
        base = path[:-4] if path.lower().endswith(".zip") else f"{path}-unpacked"
        temporary = f"{base}.unpacking"
        folder.add_zip(folder.read(path), temporary, path)
        folder.say_faults()
        folder.hoist(temporary, path)
        for inner in folder.below(temporary) if nested else ():
            name = inner.removeprefix(f"{temporary}/")
            if name.lower().endswith(".zip") and "/" not in name:
                folder.add_zip(folder.read(inner), inner[:-4], inner)
                folder.say_faults()
                notes.note(path, f"'{name}' in it is unpacked beside itself")
        target, number = base, 1
        while (root / target).exists() and not self._same(temporary, target):
            number += 1
            target = f"{base}-{number}"
        if (root / target).exists():
            shutil.rmtree(root / temporary)
        else:
            (root / temporary).rename(root / target)
        (root / path).unlink()
        notes.note(path, f"is unpacked to '{target}/', so that git can show changes")
        self._unpacked[path] = target
        return target

    def _same(self, first: str, second: str) -> bool:
        if not self._folder.is_dir(second):
            return False
        left, right = (
            {file.removeprefix(f"{one}/"): file for file in self._folder.below(one)}
            for one in (first, second)
        )
        return left.keys() == right.keys() and all(
            self._folder.read(left[name]) == self._folder.read(right[name]) for name in left
        )

    def _is_zip(self, path: str, key: str) -> bool:
        is_named = path.lower().endswith(".zip")
        return is_named or (key in PROGRAMS and self._folder.read(path).startswith(b"PK\x03\x04"))

    def _exists(self, path: str) -> bool:
        return self._folder.is_file(path) or self._folder.is_dir(path)

    def _spellings(self, path: str) -> list[str]:
        root = self._folder.root
        paths = [file.relative_to(root).as_posix() for file in sorted(root.rglob("*"))]
        return [one for one in paths if one.casefold() == path.casefold()]

    def _find(self, value: str, at: Key) -> str:
        if is_url(value.strip()):
            return self._brought(value.strip(), file_name(value.strip()), at)
        path = value.strip().replace("\\", "/")
        if path != value.strip():
            self._notes.warn(at, f"'{value}' holds backslashes; '{path}' is meant.")
        while path.startswith("./"):
            path = path[2:]
        path = path.rstrip("/")
        unpacked = self._unpacked.get(path)
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
        """Where a file of the organiser's folder is put; the value where there is none."""
        known = self._brought_paths.get(path)
        brought = known or (self._resolver.bring_path(path, at) if path else None)
        if brought is None:
            if not is_url(value) and path_fault(path) is None and shown(path) not in self._absent:
                self._absent.append(shown(path))
            return value
        self._brought_paths[path] = brought
        return brought
