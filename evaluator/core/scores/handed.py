"""Read what is handed in: records, logs and pages from folders and commits."""

import contextlib
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.core.errors import PlatformError, error_name, printable
from evaluator.core.formats.cell import (
    SEALED,
    CellId,
    Place,
    cell_of_page,
    cell_of_part,
    place_of,
    place_of_logs,
)
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_limits import MAX_PAGE_BYTES
from evaluator.core.formats.record_lines import (
    Logs,
    decode_logs,
    encode_logs,
    records_of,
    with_logs,
)
from evaluator.core.formats.scores_file import MAX_SCORES_BYTES, decode, encode, merged
from evaluator.core.git.commands import Repo, list_entries, read_blobs, sizes
from evaluator.core.git.listing import Entry
from evaluator.core.planning.records import read_scores
from evaluator.core.scores.sealing import SUFFIX, open_envelope

_FILES = ("submissions/*/*/*/scores/*", "submissions/*/*/*/scores/*/*")


_MAX_CLOSING = 2**16
"""Bytes by which encrypting makes the largest file larger, and some."""
_MAX_SOURCE = 2**28
"""Bytes of all that one job or reference hands in: more could fill the collector's memory."""
_MAX_NAME = 255
"""Bytes of a file's name; a longer one names no file, and asking for it is an error."""


Raw = Mapping[str, bytes]
"""Path, from the repository's root, of a file of scores, logs or detailed results -> content."""


@dataclass(kw_only=True)
class Handed:
    """What was handed in. A file that cannot be read is put aside, and holds up no other."""

    records: dict[CellId, list[Record]] = field(default_factory=dict)
    """With their logs."""
    pages: dict[str, list[bytes]] = field(default_factory=dict)
    """Detailed results by path."""
    files: dict[str, list[bytes]] = field(default_factory=dict)
    """All files as they are, by path."""
    malformed: list[str] = field(default_factory=list)
    """Why others are no scores."""
    size: int = 0
    """Bytes that were read."""

    def add(self, raw: Raw, cells: Collection[CellId] | None = None) -> None:
        """Add the records of one source, of all cells or of some."""
        logs: dict[Place, dict[str, Logs]] = {}
        for path, content in raw.items():
            place = place_of_logs(path)
            if place is not None:
                with contextlib.suppress(ValueError):
                    logs[place] = decode_logs(content)
        for path, content in sorted(raw.items()):
            self.files.setdefault(path, []).append(content)
            page = cell_of_page(path)
            if page is not None and (cells is None or page in cells):
                self.pages.setdefault(path, []).append(content)
            part = cell_of_part(path)
            place = place_of(path) if part is None else part.place
            if place is None:
                continue
            try:
                records = list(records_of(read_scores(content, place)))
            except ValueError as error:
                self.put_aside(path, error)
                continue
            logs_of_place = logs.get(place, {})
            for record in records:
                if cells is None or record.cell in cells:
                    full_record = with_logs(record, logs_of_place.get(record.cell.file_stem, {}))
                    versions = self.records.setdefault(record.cell, [])
                    if full_record not in versions:
                        versions.append(full_record)

    def put_aside(self, path: str, error: Exception) -> None:
        """Note why a file is not taken. Its name and the reason may be a stranger's."""
        reason = error.message if isinstance(error, PlatformError) else str(error)
        reason = f"cannot be read ({error_name(error)})" if isinstance(error, OSError) else reason
        self.malformed.append(f"{printable(path)[:300]}: {reason}")

    def read(self, path: str, ways: Iterable[Callable[[], bytes | None]]) -> bytes | None:
        """Return a file, the first way in which it can be read; why not is noted."""
        for way in ways:
            try:
                content = way()
            except (OSError, ValueError, PlatformError) as error:
                self.put_aside(path, error)
                continue
            if content is not None and self.size + len(content) > _MAX_SOURCE:
                self.put_aside(path, ValueError(f"comes after {self.size:,} bytes of one source"))
            elif content is not None:
                self.size += len(content)
                return content
        return None

    def join(self, other: "Handed") -> None:
        """Add the versions of another source."""
        for cell, records in other.records.items():
            versions = self.records.setdefault(cell, [])
            versions += [record for record in records if record not in versions]
        for path, pages in other.pages.items():
            self.pages.setdefault(path, []).extend(pages)
        self.malformed += other.malformed

    def over(self, other: "Handed") -> "Handed":
        """Return both, this one's versions of a cell alone where it has any."""
        return Handed(
            records={**other.records, **self.records}, pages={**other.pages, **self.pages},
            files={**other.files, **self.files}, malformed=[*other.malformed, *self.malformed],
        )  # fmt: skip


def read_folder(folder: Path, *, jobs: bool = True) -> Handed:
    """Read what stands below a folder, and with ``jobs`` below its folders: one for each job."""
    handed = Handed()
    for place in (folder, *(sorted(folder.iterdir()) if jobs and folder.is_dir() else ())):
        if place == folder or (place.is_dir() and not place.is_symlink()):
            handed.add(raw_files(place, handed))
    return handed


def raw_files(folder: Path, handed: Handed, *, as_it_is: bool = False) -> dict[str, bytes]:
    """Return the files of scores below a folder by path; ``handed`` notes what cannot be read.

    What was closed is opened, unless all is to be passed on ``as_it_is``.
    """
    paths = (file.relative_to(folder).as_posix() for one in _FILES for file in folder.glob(one))
    names = {path if as_it_is else path.removesuffix(SUFFIX) for path in paths}
    return _contents(folder, filter(_is_ours, names), handed)


def _is_ours(path: str) -> bool:
    name = path.removesuffix(SUFFIX)
    return any(of(name) for of in (place_of, place_of_logs, cell_of_page, cell_of_part))


def _contents(folder: Path, paths: Iterable[str], handed: Handed) -> dict[str, bytes]:
    contents = ((path, _read(folder, path, handed)) for path in sorted(paths))
    return {path: content for path, content in contents if content is not None}


def union(path: str, first: bytes, second: bytes) -> bytes:
    """Return the file of two jobs that each handed in some of its lines."""
    try:
        if place_of(path) is not None:
            return encode(merged(decode(first), decode(second)))
        if place_of_logs(path) is not None:
            return encode_logs({**decode_logs(first), **decode_logs(second)}) or b""
    except ValueError:
        pass  # the collector reports what is wrong with it
    return second


def records_in(folder: Path) -> dict[CellId, Record]:
    """Return the records that a run wrote below a folder, as far as they can be read."""
    handed = read_folder(folder, jobs=False)
    return {cell: versions[0] for cell, versions in handed.records.items()}


def read_cells(folder: Path, cells: Collection[CellId]) -> Handed:
    """Read what stands below a folder of some cells, and look at nothing else."""
    paths = {
        path
        for cell in cells
        for path in (cell.scores_path, cell.logs_path, cell.part_path, *cell.page_paths)
    }
    handed = Handed()
    handed.add(_contents(folder, paths, handed), cells)
    return handed


def _read(folder: Path, path: str, handed: Handed) -> bytes | None:
    """Return the content of a plain file that no link leads to, and that is not too large.

    In its place may stand the file that was closed.
    """

    def closed() -> bytes | None:
        content = _plain(folder, f"{path}{SUFFIX}", _limit(path) + _MAX_CLOSING)
        return None if content is None else open_envelope(content)

    return handed.read(path, (closed, lambda: _plain(folder, path, _limit(path))))


def _limit(path: str) -> int:
    name = path.removesuffix(SUFFIX)
    sealed = _MAX_CLOSING if name.endswith(SEALED) else 0
    page = name.removesuffix(SEALED).endswith(".html")
    return (MAX_PAGE_BYTES if page else MAX_SCORES_BYTES) + sealed


def _plain(folder: Path, path: str, limit: int) -> bytes | None:
    """Return a file's content; None where there is none. Raises OSError, ValueError."""
    file = folder / path
    if len(os.fsencode(file.name)) > _MAX_NAME or not os.path.lexists(file):
        return None
    below = file.parents[: len(Path(path).parents) - 1]
    if not file.is_file() or any(one.is_symlink() for one in (file, *below)):
        raise ValueError("is no plain file, or a link leads to it")
    if file.stat().st_size > limit:
        raise ValueError(_too_large(limit))
    return file.read_bytes()


def _too_large(limit: int) -> str:
    return f"is larger than {limit:,} bytes"


def read_references(repo: Repo, references: Mapping[str, str]) -> tuple[Handed, list[str]]:
    """Read what references hold, each by itself; return those that are put aside.

    Whoever may push to one may let it name anything: a file, a tag of one, a tree.
    """
    handed = Handed()
    aside: list[str] = []
    for reference, name in references.items():
        own = Handed()
        try:
            entries = list_entries(repo, name, "submissions")
            own.add(_blobs(repo, entries, own))
        except PlatformError as error:  # git's word of an object
            own.put_aside(reference, error)
        if not own.records and not own.malformed:
            own.put_aside(reference, ValueError("holds no records"))
        if own.malformed:
            aside.append(reference)
        handed.join(own)
    return handed, aside


def _blobs(repo: Repo, entries: Mapping[str, Entry], handed: Handed) -> dict[str, bytes]:
    """Return the files of scores among some entries, those that can be read."""
    wanted = {path: entry.blob for path, entry in entries.items() if entry.is_regular}
    measured = sizes(repo, list(wanted.values()))
    files: dict[str, bytes] = {}
    for path, blob in sorted(wanted.items()):
        name = path.removesuffix(SUFFIX)

        def content(path: str = path, name: str = name, blob: str = blob) -> bytes:
            limit = _limit(name) + (0 if path == name else _MAX_CLOSING)
            if measured.get(blob, 0) > limit:
                raise ValueError(_too_large(limit))
            (read,) = read_blobs(repo, [blob])
            return read if path == name else open_envelope(read)

        read = handed.read(path, (content,))
        if read is not None:
            files[name] = read
    return files
