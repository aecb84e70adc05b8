"""Records and what belongs to them, uploaded by others: read within limits, checked by cells."""

import contextlib
import hashlib
import os
from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.core.errors import PlatformError, UsageError, error_name, printable
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.cell import (
    SEALED,
    CellId,
    Place,
    attachment_of,
    cell_of_part,
    digest,
    place_of,
    place_of_logs,
)
from evaluator.core.formats.json_reader import form_reader
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import Logs, decode_logs, records_of, with_logs
from evaluator.core.formats.scores_file import MAX_SCORES_BYTES
from evaluator.core.planning.records import read_scores
from evaluator.core.scores.sealing import OPEN, SUFFIX

JOB_VARIABLE = "PULLBENCH_JOB"
DIGESTS_VARIABLE = "PULLBENCH_DIGESTS"
_FILES = ("submissions/*/*/*/scores/*", "submissions/*/*/*/scores/*/*")
MAX_OVERHEAD = 2**16
"""Bytes by which encrypting makes the largest file larger, and some."""
_MAX_SOURCE = 2**28
"""Bytes of all that one job or reference hands in: more could fill the collector's memory."""
_MAX_NAME = 255
"""Bytes of a file's name; a longer one names no file, and asking for it is an error."""
_LAST_RUN = "build/last-run"
"""File that names the folder to which the last run wrote its records, where it had one."""

_read_digests = form_reader(list[dict[str, str]], max_bytes=2**20)


@dataclass(kw_only=True)
class Upload:
    """Files of one or several sources. One that cannot be read is put aside, and stops no other."""

    records: dict[CellId, list[Record]] = field(default_factory=dict)
    """With their logs."""
    attachments: dict[str, list[bytes]] = field(default_factory=dict)
    """By path."""
    files: dict[str, list[bytes]] = field(default_factory=dict)
    """All files as they are, by path."""
    malformed: list[str] = field(default_factory=list)
    """Why others are no scores."""
    size: int = 0
    """Bytes that were read."""

    def add(self, files: Mapping[str, bytes], cells: Collection[CellId] | None = None) -> None:
        """Add the files of one source by path; with ``cells`` what is theirs alone."""
        logs: dict[Place, dict[str, Logs]] = {}
        for path, content in files.items():
            if place := place_of_logs(path):
                with contextlib.suppress(ValueError):
                    logs[place] = decode_logs(content)
        for path, content in sorted(files.items()):
            self.files.setdefault(path, []).append(content)
            attachment = attachment_of(path)
            if attachment and (cells is None or attachment[0] in cells):
                self.attachments.setdefault(path, []).append(content)
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
                    record = with_logs(record, logs_of_place.get(record.cell.file_stem, {}))
                    versions = self.records.setdefault(record.cell, [])
                    if record not in versions:
                        versions.append(record)

    def put_aside(self, path: str, error: Exception) -> None:
        """Note why a file cannot be used. Its name and the reason may be a stranger's."""
        reason = error.message if isinstance(error, PlatformError) else str(error)
        reason = f"cannot be read ({error_name(error)})" if isinstance(error, OSError) else reason
        self.malformed.append(f"{printable(path)[:300]}: {reason}")

    def read(self, path: str, ways: Iterable[Callable[[], bytes | None]]) -> bytes | None:
        """A file, the first way in which it can be read; why not is noted."""
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

    def over(self, other: "Upload") -> "Upload":
        """Both; of a cell that is in both, the versions of this one."""
        return Upload(
            records={**other.records, **self.records},
            attachments={**other.attachments, **self.attachments},
            files={**other.files, **self.files}, malformed=[*other.malformed, *self.malformed],
        )  # fmt: skip


def read_folder(folder: Path, *, jobs: bool = True) -> Upload:
    """Read the files below a folder, and with ``jobs`` below its folders: one for each job."""
    upload = Upload()
    for place in (folder, *(sorted(folder.iterdir()) if jobs and folder.is_dir() else ())):
        if place == folder or (place.is_dir() and not place.is_symlink()):
            upload.add(raw_files(place, upload))
    return upload


def raw_files(folder: Path, upload: Upload, *, as_it_is: bool = False) -> dict[str, bytes]:
    """Files of scores by path, decrypted unless passed on ``as_it_is``; ``upload`` notes faults."""
    files: set[str] = set()
    for pattern in _FILES:
        for file in folder.glob(pattern):
            path = file.relative_to(folder).as_posix()
            name = path.removesuffix(SUFFIX)
            if any(of(name) for of in (place_of, place_of_logs, attachment_of, cell_of_part)):
                files.add(path if as_it_is else name)
    return read_paths(folder, files, upload)


def read_paths(folder: Path, paths: Iterable[str], upload: Upload) -> dict[str, bytes]:
    contents = ((path, _read(folder, path, upload)) for path in sorted(paths))
    return {path: content for path, content in contents if content is not None}


def output_of(job: str) -> str:
    """Name of a job's output for what ``digest_of`` says: each job of a matrix needs another."""
    return f"d{job.rpartition('-')[2]}"


def digest_of(folder: Path) -> str:
    """SHA-256 of the files that count of what a job hands over, with their paths."""
    digests = {}
    for file in (file for pattern in _FILES for file in folder.glob(pattern)):
        if file.is_file() and not file.is_symlink():  # else it is not read
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            digests[file.relative_to(folder).as_posix()] = content
    return digest(digests)


def said_digests() -> dict[str, str] | None:
    """What jobs say by their outputs of what they handed over; None where none does."""
    said = os.environ.get(DIGESTS_VARIABLE)
    try:
        return None if said is None else dict(ChainMap(*_read_digests(said.encode())))
    except ValueError as error:
        raise UsageError(
            f"{DIGESTS_VARIABLE} {error}",
            hint="A workflow sets it to a list of `${{ toJSON(needs.JOB.outputs) }}`; elsewhere, "
            "unset it.",
        ) from None


def records_in(folder: Path) -> dict[CellId, Record]:
    upload = read_folder(folder, jobs=False)
    return {cell: versions[0] for cell, versions in upload.records.items()}


def _read(folder: Path, path: str, upload: Upload) -> bytes | None:
    """The content of a plain file or its encrypted form, by no link and not too large."""

    def decrypted() -> bytes | None:
        content = read_plain(folder, f"{path}{SUFFIX}", max_bytes(path) + MAX_OVERHEAD)
        return None if content is None else OPEN.need()(content)

    return upload.read(path, (decrypted, lambda: read_plain(folder, path, max_bytes(path))))


def max_bytes(path: str) -> int:
    name = path.removesuffix(SUFFIX)
    sealed = MAX_OVERHEAD if name.endswith(SEALED) else 0
    attachment = attachment_of(name)
    return (ATTACHMENTS[attachment[1]].max_bytes if attachment else MAX_SCORES_BYTES) + sealed


def read_plain(folder: Path, path: str, limit: int) -> bytes | None:
    """A file's content; None where there is none. Raises OSError, ValueError."""
    file = folder / path
    if len(os.fsencode(file.name)) > _MAX_NAME or not os.path.lexists(file):
        return None
    below = file.parents[: len(Path(path).parents) - 1]
    if not file.is_file() or any(one.is_symlink() for one in (file, *below)):
        raise ValueError("is no plain file, or a link leads to it")
    if file.stat().st_size > limit:
        raise ValueError(f"is larger than {limit:,} bytes")
    return file.read_bytes()


def note_last_run(root: Path, output: Path | None) -> None:
    note = root / _LAST_RUN
    note.parent.mkdir(exist_ok=True)
    note.write_text("" if output is None else str(output.resolve()), encoding="utf-8")


def last_run(root: Path, name: str) -> Path | None:
    """The folder with what was run last, where it has a record of a cell below a name."""
    note = root / _LAST_RUN
    folder = Path(note.read_text(encoding="utf-8")) if note.is_file() else Path()
    has_it = folder.is_absolute() and folder.is_dir() and below(name, records_in(folder))
    return folder if has_it else None


def below(name: str, cells: Iterable[CellId]) -> list[CellId]:
    name = name.strip("/").removeprefix("submissions/")
    return [cell for cell in cells if f"{cell}/".startswith(f"{name}/")]
