"""Validate records that are handed in: read as data, checked against the plan.

Their worker ran strangers' code. So a record counts only where its cell, key, columns and isolation
are those of the plan; what it claims beyond that is shown, never acted upon.
"""

import contextlib
import datetime as dt
import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

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
from evaluator.formats.record import Record, shortened
from evaluator.formats.record_limits import MAX_PAGE_BYTES, excess, time_fault
from evaluator.formats.record_lines import records_of
from evaluator.formats.scores_file import MAX_SCORES_BYTES, decode, encode, merged
from evaluator.formats.withheld import withheld
from evaluator.git.commands import Repo, list_entries, read_blobs
from evaluator.planning.digests import recorded_keys
from evaluator.planning.plan import Cell, PlannedCell, opened
from evaluator.planning.quotas import Refusal
from evaluator.planning.records import read_scores
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.redaction import published_record

_FILES = ("submissions/*/*/*/scores/*", "submissions/*/*/*/scores/*/*")
_MAX_CLOSING = 2**16
"""Bytes by which encrypting makes the largest file larger, and some."""

NOT_REFUSED: Mapping[str, Refusal] = MappingProxyType({})
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
            logs_there = logs.get(place, {})
            for record in records:
                if cells is None or record.cell in cells:
                    full_record = with_logs(record, logs_there.get(record.cell.file_stem, {}))
                    versions = self.records.setdefault(record.cell, [])
                    if full_record not in versions:
                        versions.append(full_record)

    def over(self, other: "Handed") -> "Handed":
        """Return both, this one's versions of a cell alone where it has any."""
        return Handed(
            records={**other.records, **self.records}, pages={**other.pages, **self.pages},
            files={**other.files, **self.files}, malformed=[*other.malformed, *self.malformed],
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """A record that fits, and its detailed results."""

    record: Record
    page: bytes | None = None


@dataclass(frozen=True, kw_only=True)
class Checked:
    """The result of checking records that were handed in."""

    accepted: Mapping[CellId, Accepted] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Why others were not: they are of another content, or ran without isolation."""
    malformed: tuple[str, ...] = ()
    """Why others are no scores: nothing of ours writes such files."""


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
        pass  # whoever collects it says what is wrong with it
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


def check(
    handed: Handed,
    expected: Mapping[CellId, Cell],
    now: dt.datetime,
    *,
    refused: Mapping[str, Refusal] = NOT_REFUSED,
    unisolated: bool = False,
) -> Checked:
    """Accept the records of ``expected`` cells, with the reason why the others are left out.

    Those of ``refused`` submissions are trials, which count nowhere.
    """
    accepted: dict[CellId, Accepted] = {}
    left_out: list[str] = []
    malformed = list(handed.malformed)
    for cell, versions in sorted(handed.records.items(), key=lambda item: str(item[0])):
        # One after the other, so that a bad version does not refuse a good one.
        for record in versions:
            fault = fault_of(record, expected.get(cell), now)
            reason = _reason(record, expected.get(cell), refused, unisolated)
            if fault:
                malformed.append(f"{cell.scores_path}, {cell.file_stem}: {fault}")
            elif reason:
                left_out.append(f"{cell}: {reason}")
            elif cell in accepted:
                left_out.append(f"{cell}: another version of its record came first")
            else:
                page = _page(record, handed, left_out)
                accepted[cell] = Accepted(record=record, page=page)
    return Checked(accepted=accepted, left_out=tuple(left_out), malformed=tuple(malformed))


_NOTHING: Mapping[CellId, Accepted] = MappingProxyType({})


def check_opened(
    handed: Handed,
    expected: Mapping[CellId, Cell],
    snapshot: Snapshot,
    now: dt.datetime,
    *,
    adopted: Mapping[CellId, Accepted] = _NOTHING,
    refused: Mapping[str, Refusal] = NOT_REFUSED,
    unisolated: bool = False,
) -> tuple[Checked, list[PlannedCell]]:
    """Check records as ``check`` does, and those of cells that others among them create.

    An accepted data set creates cells that no plan had before. ``adopted`` are records that the
    ledger has. Returns the new cells, too, with or without a record.
    """
    checked = check(handed, expected, now, refused=refused, unisolated=unisolated)
    records = {cell: item.record for cell, item in {**adopted, **checked.accepted}.items()}
    _, further = opened(snapshot, records, now)
    if further:
        wanted = {**expected, **{item.cell.id: item.cell for item in further}}
        checked = check(handed, wanted, now, refused=refused, unisolated=unisolated)
    return checked, further


def fault_of(record: Record, wanted: Cell | None, now: dt.datetime) -> str | None:
    """Return why something is no valid record of its cell; None where it is.

    Asked of what is handed in, of what the ledger has, and of what was sealed.
    """
    if (record.status == "failed") != (record.error is not None):
        return f"is '{record.status}' with{'out' if record.error is None else ''} an error"
    is_current = wanted is not None and record.keys.score == wanted.keys.score
    limit = wanted.phase.seconds_of(wanted.task) if wanted is not None and is_current else 0
    fault = excess(record) or time_fault(record, limit, now)
    if fault or wanted is None or not is_current:
        return fault
    if record.keys.parts != shortened(wanted.keys.parts):
        return "has parts that do not make its key"
    if record.provenance.image != wanted.benchmark.docker_image:
        return f"names the image {record.provenance.image[:200]!r}"
    asked = wanted.benchmark.limits_of(wanted.task)
    if any(
        (given.cpus < asked.cpus or given.memory < asked.memory) and not step.less
        for step in record.steps
        if (given := step.granted) is not None
    ):
        return "was given less than the bundle asks for, and does not say so"
    if wanted.phase.shows == "status" and record != withheld(record):
        return "tells more than its phase shows"
    if record.sealed is not None and record != published_record(record, wanted.benchmark):
        return "tells more than its board shows"
    columns = set(recorded_keys(wanted.benchmark, wanted.phase, wanted.task))
    board = wanted.benchmark.leaderboard
    required = columns - board.optional_keys
    if record.sealed is not None:
        # The rest is inside; whoever holds the key looks at it when it is opened.
        required -= columns if board.hidden else {c.key for c in board.columns if c.hidden}
    if record.status == "finished" and not required <= set(record.scores) <= columns:
        return f"has the columns {sorted(record.scores)}; the benchmark has {sorted(columns)}"
    return None


def _reason(
    record: Record, wanted: Cell | None, refused: Mapping[str, Refusal], unisolated: bool
) -> str | None:
    if wanted is None:
        return "the branch has no such cell; commit the submission first"
    if wanted.keys.score != record.keys.score:
        return "its record is of other content than the branch's"
    if refusal := refused.get(wanted.submission.id):
        return f"the plan refuses it, for it {refusal.reason}"
    if record.provenance.isolation == "none" and not unisolated:
        return "it ran without isolation; --allow-unisolated takes it"
    return None


def _page(record: Record, handed: Handed, left_out: list[str]) -> bytes | None:
    """Detailed results of a record: what stands beside it, if it is what the record names.

    Sealed ones cannot be compared until they are opened.
    """
    named = record.detailed_results
    if named is None:
        return next(iter(handed.pages.get(record.page_path or "", ())), None)
    for content in handed.pages.get(record.page_path or "", ()):
        if len(content) == named.bytes and hashlib.sha256(content).hexdigest() == named.sha256:
            return content
    left_out.append(f"the detailed results of {record.cell.id}: not those that the record names")
    return None
