"""Read what is handed in: records, logs and pages from folders and commits."""

import contextlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.formats.cell import (
    SEALED,
    CellId,
    Place,
    cell_of_page,
    cell_of_part,
    place_of,
    place_of_logs,
)
from evaluator.formats.envelopes import SUFFIX, open_envelope
from evaluator.formats.logs_file import Logs, decode_logs, encode_logs, with_logs
from evaluator.formats.record import Record
from evaluator.formats.record_limits import MAX_PAGE_BYTES
from evaluator.formats.record_lines import records_of
from evaluator.formats.scores_file import MAX_SCORES_BYTES, decode, encode, merged
from evaluator.git.commands import Repo, list_entries, read_blobs
from evaluator.planning.records import read_scores

_FILES = ("submissions/*/*/*/scores/*", "submissions/*/*/*/scores/*/*")


_MAX_CLOSING = 2**16
"""Bytes by which encrypting makes the largest file larger, and some."""


Raw = Mapping[str, bytes]
"""Path, from the repository's root, of a file of scores, logs or detailed results -> content."""


@dataclass(frozen=True, kw_only=True)
class Handed:
    """What was handed in."""

    records: dict[CellId, list[Record]] = field(default_factory=dict)
    """With their logs."""
    pages: dict[str, list[bytes]] = field(default_factory=dict)
    """Detailed results by path."""
    files: dict[str, list[bytes]] = field(default_factory=dict)
    """All files as they are, by path."""
    malformed: list[str] = field(default_factory=list)
    """Why others are no scores."""

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
                self.malformed.append(f"{path}: {error}")
                continue
            logs_of_place = logs.get(place, {})
            for record in records:
                if cells is None or record.cell in cells:
                    full_record = with_logs(record, logs_of_place.get(record.cell.file_stem, {}))
                    versions = self.records.setdefault(record.cell, [])
                    if full_record not in versions:
                        versions.append(full_record)

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
            handed.add(raw_files(place))
    return handed


def raw_files(folder: Path, *, as_it_is: bool = False) -> dict[str, bytes]:
    """Return the files of scores below a folder by path.

    What was closed is opened, unless all is to be passed on ``as_it_is``.
    """
    files: dict[str, bytes] = {}
    for pattern in _FILES:
        for file in sorted(folder.glob(pattern)):
            path = file.relative_to(folder).as_posix()
            name = path if as_it_is else path.removesuffix(SUFFIX)
            content = _read(folder, name)
            if content is not None:
                files[name] = content
    return files


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
    contents = ((path, _read(folder, path)) for path in sorted(paths))
    handed = Handed()
    handed.add({path: content for path, content in contents if content is not None}, cells)
    return handed


def _read(folder: Path, path: str) -> bytes | None:
    """Return the content of a plain file that no link leads to, and that is not too large.

    In its place may stand the file that was closed.
    """
    closed = _plain(folder, f"{path}{SUFFIX}", _limit(path) + _MAX_CLOSING)
    return _plain(folder, path, _limit(path)) if closed is None else open_envelope(closed)


def _limit(path: str) -> int:
    name = path.removesuffix(SUFFIX)
    sealed = _MAX_CLOSING if name.endswith(SEALED) else 0
    page = name.removesuffix(SEALED).endswith(".html")
    return (MAX_PAGE_BYTES if page else MAX_SCORES_BYTES) + sealed


def _plain(folder: Path, path: str, limit: int) -> bytes | None:
    file = folder / path
    if file.is_symlink() or not file.is_file() or file.stat().st_size > limit:
        return None
    below = file.parents[: len(Path(path).parents) - 1]
    return None if any(parent.is_symlink() for parent in below) else file.read_bytes()


def read_commits(repo: Repo, commits: Iterable[str]) -> Handed:
    """Read what commits hold."""
    handed = Handed()
    for commit in commits:
        entries = list_entries(repo, commit, "submissions").items()
        wanted = [(path, entry.blob) for path, entry in entries if entry.is_regular]
        blobs = read_blobs(repo, [blob for _, blob in wanted])
        handed.add(
            {
                path.removesuffix(SUFFIX): open_envelope(content)
                if path.endswith(SUFFIX)
                else content
                for (path, _), content in zip(wanted, blobs, strict=True)
            }
        )
    return handed
