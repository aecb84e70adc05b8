"""``pullbench import``: another platform's competition -> a directory below benchmarks/."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evaluator.errors import Actor, Problem, UsageError
from evaluator.formats.bundle import parse_bundle
from evaluator.formats.competition import IGNORED_KEYS, Competition
from evaluator.formats.parsing import parse
from evaluator.formats.paths import path_fault, shown
from evaluator.formats.quantities import slug
from evaluator.formats.schema import dump_yaml, read_yaml
from evaluator.importers import legacy
from evaluator.importers.folder import Folder
from evaluator.importers.keys import normalise
from evaluator.importers.notes import COMPETITION, Notes
from evaluator.importers.parts import Parts
from evaluator.importers.references import Resolver
from evaluator.importers.source import fetch

_SPELLINGS = frozenset({"competition.yaml", "competition.yml"})


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What came of an import."""

    name: str
    """Of the benchmark; empty where it was refused before it had one."""
    files: frozenset[str]
    """Paths in the benchmark's directory; empty where it was refused."""
    problems: tuple[Problem, ...]
    """Changed, lost or refused; then what ``validate`` says of the result."""

    @property
    def refused(self) -> bool:
        """Whether nothing was written."""
        return not self.files


def import_bundle(
    source: str,
    root: Path,
    *,
    name: str | None = None,
    sha256: str | None = None,
    files: Path | None = None,
    force: bool = False,
) -> Imported:
    """Bring a bundle into the repository at ``root``. Raises UsageError, PlatformError.

    ``files`` is a folder with what the bundle names by key.
    """
    notes = Notes()
    with workplace(root) as work:
        folder = Folder(work / "bundle", notes)
        folder.root.mkdir()
        fetch(source, folder, sha256=sha256)
        if notes.refused or not _find_competition(folder):
            return _outcome("", notes)
        read = _read(folder, files)
        if read is None:
            return _outcome("", notes)
        data, rewritten = read
        name = name or slug(str(data.get("title") or ""))
        if not name:
            raise UsageError("the title gives no name", hint="Choose one with --name.")
        folder.remove_empty()
        _check_paths(folder, name)
        found: list[Problem] = []
        if not notes.refused:
            _, found = parse_bundle(name, folder.read(COMPETITION), folder.files)
        if any(problem.severity == "error" for problem in found):
            notes.of_source(found)
        if notes.refused:
            return _outcome(name, notes)
        if rewritten:
            notes.note(COMPETITION, rewritten)
        notes.problems += found
        place_bundle(folder.root, root / "benchmarks" / name, work, force=force)
    placed = Folder(root / "benchmarks" / name, notes)
    return _outcome(name, notes, placed.files)


def _outcome(name: str, notes: Notes, files: frozenset[str] = frozenset()) -> Imported:
    return Imported(name=name, files=files, problems=tuple(notes.problems))


@contextmanager
def workplace(root: Path) -> Iterator[Path]:
    """Yield a folder on the same disk as benchmarks/, which git ignores."""
    build = root / "build"
    build.mkdir(exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="import-", dir=build))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _find_competition(folder: Folder) -> bool:
    """Make competition.yaml stand at the root, under that name."""
    notes = folder.notes
    while True:
        here = sorted(
            path.name
            for path in folder.root.iterdir()
            if path.is_file() and path.name.lower() in _SPELLINGS
        )
        if here:
            break
        inner = [
            path.relative_to(folder.root).parts[0]
            for path in sorted(folder.root.glob("*/**/*"))
            if path.is_file() and path.name.lower() in _SPELLINGS
        ]
        if len(set(inner)) != 1:
            places = ", ".join(sorted(set(inner))[:10])
            notes.refuse(
                COMPETITION,
                f"is not at the root, but in {places}" if inner else "is not in the bundle",
                "Name that folder, or zip its content." if inner else "A bundle is read from it.",
            )
            return False
        outside = folder.lift_to_root(inner[0])
        notes.note(COMPETITION, f"the content of the folder '{inner[0]}' is used")
        if outside:
            notes.warn(COMPETITION, f"files beside that folder are left out: {', '.join(outside)}")
    chosen = COMPETITION if COMPETITION in here else here[0]
    if chosen != COMPETITION:
        (folder.root / chosen).rename(folder.root / COMPETITION)
        notes.warn(COMPETITION, f"is called '{chosen}' in the source; it is renamed")
    return True


def _read(folder: Folder, files: Path | None) -> tuple[dict[str, Any], str] | None:
    """Read and convert competition.yaml, settle its files, and write it where it changed.

    Returns its data, and what is to be said of the file where it was written anew.
    """
    notes = folder.notes
    resolver = Resolver(folder, files)
    content = resolver.restore(folder.read(COMPETITION))
    if notes.refused:
        return None
    folder.write(COMPETITION, content)
    if folder.exact and _is_valid(folder, content):
        return read_yaml(content, COMPETITION, Actor.ORGANISER).data, ""
    document = read_yaml(content, COMPETITION, Actor.ORGANISER, lenient=True)
    notes.read(document)
    if notes.refused:
        return None
    data: dict[str, Any] = document.data
    old = legacy.is_legacy(data, notes)
    if notes.refused:
        return None
    if old:
        data = legacy.convert(data, folder, notes)
        notes.forget_lines()
    data = normalise(data, notes)
    Parts(folder, resolver, legacy=old).settle(data)
    if not old and _means_the_same(content, data):
        return data, ""
    folder.write(COMPETITION, dump_yaml(data))
    comments = any(line.lstrip().startswith(b"#") for line in content.splitlines())
    return data, "is written anew; its comments are gone" if comments else "is written anew"


def _is_valid(folder: Folder, content: bytes) -> bool:
    benchmark, _ = parse_bundle("exported", content, folder.files)
    return benchmark is not None


def _means_the_same(content: bytes, data: dict[str, Any]) -> bool:
    """Say whether the file as it stands is valid and means what the import made of it."""
    document = read_yaml(content, COMPETITION, Actor.ORGANISER)
    written = parse(Competition, document, ignored=IGNORED_KEYS)
    if written is None or document.problems:
        return False
    try:
        wanted = Competition.model_validate(data)
    except ValidationError:
        return False  # the check of what is written says why
    same: bool = _plain(written.model_dump()) == _plain(wanted.model_dump())
    return same


def _plain(value: Any) -> Any:
    """Take off what makes two spellings of one path."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.removeprefix("./").rstrip("/") if isinstance(value, str) else value


def _check_paths(folder: Folder, name: str) -> None:
    for path in sorted(folder.files):
        fault = path_fault(f"benchmarks/{name}/{path}")
        if fault:
            folder.notes.refuse(shown(path), fault, "Give it a shorter or plainer name.")


def place_bundle(made: Path, target: Path, work: Path, *, force: bool) -> None:
    """Move the bundle to its place in one step; with ``force`` in place of what is there."""
    target.parent.mkdir(exist_ok=True)
    if target.exists() or target.is_symlink():
        if not force:
            raise UsageError(
                f"benchmarks/{target.name} is there already",
                hint="Choose another name with --name, or replace it with --force.",
            )
        old = work / "replaced"
        target.rename(old)
        try:
            made.rename(target)
        except OSError:
            old.rename(target)
            raise
    else:
        made.rename(target)
