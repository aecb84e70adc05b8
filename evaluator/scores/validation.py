"""Records that somebody hands in: read as data, and checked against the plan that asked for them.

Whoever made them ran strangers' code. So a record counts only where its cell, its key, its
columns and its isolation are those that were asked for; what it claims beyond that is shown,
never acted upon.
"""

import contextlib
import datetime as dt
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from evaluator.formats.cell import SEALED, CellId, cell_of_path
from evaluator.formats.envelopes import SUFFIX, open_envelope
from evaluator.formats.record import MAX_RECORD_BYTES, Record
from evaluator.formats.record_json import from_json
from evaluator.formats.record_limits import MAX_PAGE_BYTES, excess, time_fault
from evaluator.formats.withheld import withheld
from evaluator.git.commands import Repo, list_entries, read_blobs
from evaluator.planning.digests import recorded_keys
from evaluator.planning.plan import Cell, PlannedCell, opened
from evaluator.planning.quotas import Refusal
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.redaction import published_record

_FILES = "submissions/*/*/*/scores/*/*"
_MAX_CLOSING = 2**16
"""Bytes by which encrypting makes the largest file larger, and some."""

NOT_REFUSED: Mapping[str, Refusal] = MappingProxyType({})
Handed = Mapping[str, list[bytes]]
"""Path, from the repository's root, of a record or of detailed results -> what was handed in."""


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """A record that fits, and its detailed results."""

    record: Record
    content: bytes
    """As it was handed in."""
    page: bytes | None = None


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What came of records that were handed in."""

    accepted: Mapping[CellId, Accepted] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Why others were not: they are of another content, or ran without isolation."""
    malformed: tuple[str, ...] = ()
    """Why others are no records: nothing of ours writes such files."""


def read_folder(
    folder: Path, *, jobs: bool = True, as_it_is: bool = False
) -> dict[str, list[bytes]]:
    """Read what stands below a folder, and with ``jobs`` below its folders: one for each job.

    What was closed is opened, unless all is to be passed on ``as_it_is``.
    """
    found: dict[str, list[bytes]] = {}
    for pattern in (_FILES, f"*/{_FILES}") if jobs else (_FILES,):
        for file in sorted(folder.glob(pattern)):
            path = file.relative_to(folder).as_posix()
            name = path[path.index("submissions/") :]
            if not as_it_is:
                path, name = path.removesuffix(SUFFIX), name.removesuffix(SUFFIX)
            content = _read(folder, path)
            if content is not None:
                found.setdefault(name, []).append(content)
    return found


def records_in(folder: Path) -> dict[CellId, Record]:
    """Return the records that a run wrote below a folder, as far as they can be read."""
    found: dict[CellId, Record] = {}
    for path, contents in read_folder(folder, jobs=False).items():
        cell = cell_of_path(path)
        if cell is not None:
            with contextlib.suppress(ValueError):
                found[cell] = from_json(contents[0])
    return found


def read_cells(folder: Path, cells: Iterable[CellId]) -> dict[str, list[bytes]]:
    """Read what stands below a folder of some cells, and look at nothing else."""
    paths = [path for cell in cells for path in (cell.record_path, *cell.page_paths)]
    contents = ((path, _read(folder, path)) for path in sorted(paths))
    return {path: [content] for path, content in contents if content is not None}


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
    return (MAX_PAGE_BYTES if page else MAX_RECORD_BYTES) + sealed


def _plain(folder: Path, path: str, limit: int) -> bytes | None:
    file = folder / path
    if file.is_symlink() or not file.is_file() or file.stat().st_size > limit:
        return None
    below = file.parents[: len(Path(path).parents) - 1]
    return None if any(parent.is_symlink() for parent in below) else file.read_bytes()


def read_commits(repo: Repo, commits: Iterable[str]) -> dict[str, list[bytes]]:
    """Read what commits hold."""
    wanted = [
        (path, entry.blob)
        for commit in commits
        for path, entry in list_entries(repo, commit, "submissions").items()
        if entry.is_regular
    ]
    found: dict[str, list[bytes]] = {}
    blobs = read_blobs(repo, [blob for _, blob in wanted])
    for (path, _), content in zip(wanted, blobs, strict=True):
        name = path.removesuffix(SUFFIX)
        found.setdefault(name, []).append(content if name == path else open_envelope(content))
    return found


def check(
    handed: Handed,
    expected: Mapping[CellId, Cell],
    now: dt.datetime,
    *,
    refused: Mapping[str, Refusal] = NOT_REFUSED,
    unisolated: bool = False,
) -> Checked:
    """Take the records of ``expected`` cells and say why the others are left out.

    Those of ``refused`` submissions are trials, which count nowhere.
    """
    accepted: dict[CellId, Accepted] = {}
    left_out: list[str] = []
    malformed: list[str] = []
    for path, contents in sorted(handed.items()):
        cell = cell_of_path(path)
        if cell is None:
            continue
        # One after the other, so that a bad version does not refuse a good one.
        for content in dict.fromkeys(contents):
            try:
                record = from_json(content)
                fault = fault_of(record, cell, expected.get(cell), now)
            except ValueError as error:
                malformed.append(f"{path}: {error}")
                continue
            reason = _reason(record, expected.get(cell), refused, unisolated)
            if fault:
                malformed.append(f"{path}: {fault}")
            elif reason:
                left_out.append(f"{cell}: {reason}")
            elif cell in accepted:
                left_out.append(f"{cell}: another version of its record came first")
            else:
                page = _page(record, handed, left_out)
                accepted[cell] = Accepted(record=record, content=content, page=page)
    return Checked(accepted=accepted, left_out=tuple(left_out), malformed=tuple(malformed))


_NOTHING: Mapping[CellId, Accepted] = MappingProxyType({})


def check_opened(
    handed: Handed,
    expected: Mapping[CellId, Cell],
    taken: Snapshot,
    now: dt.datetime,
    *,
    known: Mapping[CellId, Accepted] = _NOTHING,
    refused: Mapping[str, Refusal] = NOT_REFUSED,
    unisolated: bool = False,
) -> tuple[Checked, list[PlannedCell]]:
    """Check records as ``check`` does, those of cells that others among them open included.

    A data set that is accepted makes cells that no plan had before. ``known`` are records that
    are kept already. Returns those cells, too, whether or not they have a record.
    """
    checked = check(handed, expected, now, refused=refused, unisolated=unisolated)
    records = {cell: item.content for cell, item in {**known, **checked.accepted}.items()}
    _, further = opened(taken, records, now)
    if further:
        wanted = {**expected, **{item.cell.id: item.cell for item in further}}
        checked = check(handed, wanted, now, refused=refused, unisolated=unisolated)
    return checked, further


def fault_of(record: Record, cell: CellId, wanted: Cell | None, now: dt.datetime) -> str | None:
    """Say why something is not the record of its cell: no worker writes such a one.

    Asked of what is handed in, of what the ledger has, and of what was sealed.
    """
    if record.cell.id != cell:
        return f"is the record of {record.cell.id}"
    if (record.status == "failed") != (record.error is not None):
        return f"is '{record.status}' with{'out' if record.error is None else ''} an error"
    is_current = wanted is not None and record.keys.score == wanted.keys.score
    limit = wanted.phase.seconds_of(wanted.task) if wanted is not None and is_current else 0
    fault = excess(record) or time_fault(record, limit, now)
    if fault or wanted is None or not is_current:
        return fault
    if record.keys.prediction != wanted.keys.prediction or record.keys.parts != wanted.keys.parts:
        return "has parts that do not make its key"
    if record.provenance.submission_tree != record.keys.parts["submission"]:
        return "names other files than those of its key"
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

    Where they are sealed nobody can tell until they are opened.
    """
    named = record.detailed_results
    if named is None:
        return next(iter(handed.get(record.page_path or "", ())), None)
    for content in handed.get(record.page_path or "", ()):
        if len(content) == named.bytes and hashlib.sha256(content).hexdigest() == named.sha256:
            return content
    left_out.append(f"the detailed results of {record.cell.id}: not those that the record names")
    return None
