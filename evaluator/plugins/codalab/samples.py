"""Samples of a bundle: solutions, and the submissions that its author packed to try it with."""

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.formats.quantities import slug
from evaluator.importing.folder import SourceFolder, is_skipped
from evaluator.importing.notes import Notes
from evaluator.plugins.codalab.keys import TASK_PARTS, entries

MAX_SAMPLES = 4
_NAME = re.compile(r"(submission|solution)s?(?![a-z])", re.IGNORECASE)
_PLURAL = re.compile(r"s$|example", re.IGNORECASE)
_DEPTH = 4


@dataclass(frozen=True, kw_only=True)
class SampleSubmission:
    """One of them, its files unpacked in a folder of their own."""

    name: str
    """Of a submission."""
    source: str
    """Where it stands in what was imported."""
    folder: Path
    tasks: frozenset[int] = frozenset()
    """Indexes of the tasks that it is a solution of; empty where nothing says so."""

    @property
    def kind(self) -> str:
        """Kind of submission that its name tells; empty where it tells none."""
        text = self.source.lower()
        return "code" if "code" in text else "results" if "result" in text else ""


def gather_samples(
    data: Mapping[str, Any], folder: SourceFolder, to: Path
) -> tuple[SampleSubmission, ...]:
    """Copy a bundle's samples below a folder, solutions first, the same files once."""
    samples: list[SampleSubmission] = []
    contents: set[frozenset[tuple[str, bytes]]] = set()
    for place, source, tasks in _places(data, folder):
        if len(samples) == MAX_SAMPLES:
            break
        name = f"{len(samples) + 1}-{slug(place.stem)[:60]}".rstrip("-")
        inside = SourceFolder(to / name, Notes())
        inside.root.mkdir(parents=True)
        if place.is_dir():
            inside.add_directory(place, name)
        elif place.suffix.lower() == ".zip":
            inside.add_zip(place.read_bytes(), "", name)
            inside.hoist("")
        else:
            inside.write(place.name, place.read_bytes())
        content = frozenset((file, inside.read(file)) for file in inside.files)
        if inside.notes.refused or not content or content in contents:
            shutil.rmtree(inside.root)
            continue
        contents.add(content)
        samples.append(SampleSubmission(name=name, source=source, folder=inside.root, tasks=tasks))
    return tuple(samples)


def _places(
    data: Mapping[str, Any], folder: SourceFolder
) -> Iterator[tuple[Path, str, frozenset[int]]]:
    for _, solution in entries(data, "solutions"):
        path = str(solution.get("path") or "").strip("/")
        if folder.is_file(path) or folder.is_dir(path):
            tasks = frozenset(task for task in solution.get("tasks") or [] if isinstance(task, int))
            yield folder.root / path, path, tasks
    parts = {
        str(task.get(part)).strip("/") for _, task in entries(data, "tasks") for part in TASK_PARTS
    }
    for root in (folder.root, *folder.asides):
        for place in _named(root, root, parts, _DEPTH):
            yield place, place.relative_to(root).as_posix(), frozenset()


def _named(root: Path, folder: Path, parts: set[str], depth: int) -> Iterator[Path]:
    for place in sorted(folder.iterdir()):
        path = place.relative_to(root).as_posix()
        if is_skipped(path) or path in parts or not (place.is_dir() or _is_zip(place)):
            continue
        if _NAME.search(place.stem):
            children = sorted(place.iterdir()) if place.is_dir() else []
            several = [child for child in children if child.is_dir() or _is_zip(child)]
            holds_others = _PLURAL.search(place.stem) or any(
                _is_zip(child) or _NAME.search(child.stem) for child in several
            )
            yield from several if several and holds_others else [place]
        elif place.is_dir() and depth:
            yield from _named(root, place, parts, depth - 1)


def _is_zip(place: Path) -> bool:
    return place.suffix.lower() == ".zip" and place.is_file()
