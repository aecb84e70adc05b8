"""What jobs hand in: folders ``records-<job>`` with their cells' records, or references."""

import datetime as dt
from collections.abc import Collection, Mapping
from pathlib import Path

from evaluator.ci.git.inbox import hand_in
from evaluator.ci.ledger.assignments import Assignment
from evaluator.ci.ledger.queues import SCORE
from evaluator.ci.ledger.quotas import WITHOUT_LEDGER
from evaluator.ci.scores.encryption import open_envelope
from evaluator.ci.scores.validation import Accepted, check
from evaluator.core.errors import PlatformError, UsageError, printable
from evaluator.core.formats.cell import CellId, place_of, place_of_logs
from evaluator.core.formats.record_lines import decode_logs, encode_logs
from evaluator.core.formats.scores_file import decode, encode, merged
from evaluator.core.git.commands import Repo, list_entries, read_blobs, sizes
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.plan import cells_of_new_tasks
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.sealing import SUFFIX
from evaluator.core.scores.uploads import (
    MAX_OVERHEAD,
    Upload,
    digest_of,
    max_bytes,
    output_of,
    raw_files,
    read_folder,
    read_paths,
    said_digests,
)

ARTIFACT = "records-"
"""Begins the name of a job's artifact. What bears it alone is the workflow's: a lone artifact would
be unpacked without its name, and nobody knew whose it is."""


def read_artifacts(
    folder: Path,
    assignment: Assignment | None,
    expected: Mapping[CellId, Cell],
    snapshot: Snapshot,
    now: dt.datetime,
    adopted: Mapping[CellId, Accepted],
) -> tuple[Upload, list[str]]:
    """Read what jobs handed in for their cells, and the caller's own; say what is left out.

    With PULLBENCH_DIGESTS, the outputs of *cells* and of *score*, only a folder counts that is as
    its job's says. Raises UsageError.
    """
    by_name = {str(cell): cell for cell in expected}
    digests = said_digests()
    # No digest covers what lies in the folder itself: an artifact, unpacked without its name.
    upload = read_folder(folder, jobs=False) if digests is None else Upload()
    left_out: list[str] = []
    scored = assignment.jobs.get(SCORE, {}) if assignment else {}
    for artifact in sorted(path for path in folder.iterdir() if path.is_dir()):
        name = artifact.name
        if name == ARTIFACT or (name == "submissions" and digests is None):
            continue
        job = name.removeprefix(ARTIFACT)
        cells = assignment.jobs.get(job) if assignment and name.startswith(ARTIFACT) else None
        if cells is None or artifact.is_symlink():
            left_out.append(f"'{printable(name)[:100]}': no cells were handed out to it")
            continue
        if digests is not None and digests.get(output_of(job)) != digest_of(artifact):
            # A forge lets each job of a run replace the artifacts of all others.
            reason = ValueError("is not what its job handed over: its cells are evaluated again")
            upload.put_aside(name, reason)
            continue
        assigned = {
            by_name[name]
            for name, key in cells.items()
            if name in by_name and expected[by_name[name]].keys.score == key
        }
        read = _read_cells(artifact, assigned)
        if job != SCORE:
            left_out += _without_scores(read, scored, job)
        further = _cells_of_datasets(read, expected, snapshot, now, adopted) - assigned
        if further:
            assigned |= further
            read = _read_cells(artifact, assigned)
        for cell, versions in read.records.items():
            if cell not in upload.records:
                upload.records[cell] = versions
                paths = read.attachments.keys() & {*cell.attachment_paths}
                upload.attachments |= {path: read.attachments[path] for path in paths}
        upload.malformed.extend(read.malformed)
        in_folder = read_folder(artifact, jobs=False).records
        if other := next((cell for cell in in_folder if cell not in assigned), None):
            cell_name = printable(str(other))[:300]  # one is enough to say so
            left_out.append(f"{cell_name}: no such cell was handed out to the job '{job}'")
    return upload, left_out


def _without_scores(read: Upload, scored: Collection[str], job: str) -> list[str]:
    """Take out scores of cells that another job scores: this one may say why there are none."""
    cells = [
        cell for cell, versions in read.records.items()
        if str(cell) in scored and any(one.scores or one.status != "failed" for one in versions)
    ]  # fmt: skip
    for cell in cells:
        del read.records[cell]
    return [f"{cell}: the job '{job}' runs its program, and has no scores" for cell in cells]


def _read_cells(folder: Path, cells: Collection[CellId]) -> Upload:
    paths = {
        path
        for cell in cells
        for path in (cell.scores_path, cell.logs_path, cell.part_path, *cell.attachment_paths)
    }
    upload = Upload()
    upload.add(read_paths(folder, paths, upload), cells)
    return upload


def _cells_of_datasets(
    files: Upload,
    expected: Mapping[CellId, Cell],
    snapshot: Snapshot,
    now: dt.datetime,
    adopted: Mapping[CellId, Accepted],
) -> set[CellId]:
    """Cells that exist since a job's own records accept data sets: it ran them, too."""
    accepted = check(files, expected, now).accepted
    if not any(expected[cell].task.is_check for cell in accepted):
        return set()
    records = {cell: item.record for cell, item in {**adopted, **accepted}.items()}
    return {item.cell.id for item in cells_of_new_tasks(snapshot, records, now, WITHOUT_LEDGER)[1]}


def hand_in_folder(start: Path, folder: Path, remote: str) -> tuple[str, int]:
    """Push the records below a folder for a collector to take; returns reference and number."""
    files: dict[str, bytes] = {}
    upload = Upload()
    for part in (folder, *sorted(folder.iterdir())):
        if part.is_dir() and not part.is_symlink():
            for path, content in raw_files(part, upload, as_it_is=True).items():
                files[path] = _union(path, files[path], content) if path in files else content
    closed = sum(path.endswith(f".json{SUFFIX}") for path in files)
    upload.add(files)
    count = closed + len(upload.records)
    if not count:
        raise UsageError(f"there is no record below {folder}", hint="`pullbench run --output`")
    return hand_in(open_repository(start), remote, files), count


def _union(path: str, first: bytes, second: bytes) -> bytes:
    """The file of two jobs that each handed in some of its lines."""
    try:
        if place_of(path) is not None:
            return encode(merged(decode(first), decode(second)))
        if place_of_logs(path) is not None:
            return encode_logs({**decode_logs(first), **decode_logs(second)}) or b""
    except ValueError:
        pass  # the collector reports what is wrong with it
    return second


def read_references(repo: Repo, references: Mapping[str, str]) -> tuple[Upload, list[str]]:
    """Read references, and name those put aside: one may be of anything, a file, a tag, a tree."""
    upload = Upload()
    aside: list[str] = []
    files: dict[str, dict[str, str]] = {}
    parts = {reference: Upload() for reference in references}
    for reference, name in references.items():
        try:
            entries = list_entries(repo, name, "submissions")
            files[reference] = {
                path: entry.blob for path, entry in entries.items() if entry.is_regular
            }
        except PlatformError as error:  # git's word of an object
            parts[reference].put_aside(reference, error)
    measured = sizes(repo, sorted({blob for ids in files.values() for blob in ids.values()}))
    for reference, one in parts.items():
        try:
            one.add(_blobs(repo, files.get(reference, {}), measured, one))
        except PlatformError as error:
            one.put_aside(reference, error)
        if not one.records and not one.malformed:
            one.put_aside(reference, ValueError("holds no records"))
        if one.malformed:
            aside.append(reference)
        for cell, records in one.records.items():
            versions = upload.records.setdefault(cell, [])
            versions += [record for record in records if record not in versions]
        for path, contents in one.attachments.items():
            upload.attachments.setdefault(path, []).extend(contents)
        upload.malformed += one.malformed
    return upload, aside


def _blobs(
    repo: Repo, ids: Mapping[str, str], measured: Mapping[str, int], upload: Upload
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for path, blob in sorted(ids.items()):
        name = path.removesuffix(SUFFIX)

        def content(path: str = path, name: str = name, blob: str = blob) -> bytes:
            limit = max_bytes(name) + (0 if path == name else MAX_OVERHEAD)
            if measured.get(blob, 0) > limit:
                raise ValueError(f"is larger than {limit:,} bytes")
            (read,) = read_blobs(repo, [blob])
            return read if path == name else open_envelope(read)

        read = upload.read(path, (content,))
        if read is not None:
            files[name] = read
    return files
