"""Predictions that one job hands over to another, which has the reference data.

Whoever knows the public key can encrypt: what is inside is believed if it names the run, the job,
the cell and the key that were planned, and if its artifact is what its job said by its output.
"""

import io
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from evaluator.core.compute.steps import CellFailedError, fail
from evaluator.core.compute.store import PredictionStore
from evaluator.core.errors import PlatformError, UsageError, error_name, printable
from evaluator.core.formats.archive import ArchiveError, entries
from evaluator.core.formats.json_reader import form_reader
from evaluator.core.formats.record import Reason, Record, Step
from evaluator.core.planning.cells import Cell
from evaluator.core.scores.uploads import (
    JOB_VARIABLE,
    MAX_OVERHEAD,
    digest_of,
    output_of,
    read_plain,
    said_digests,
)
from evaluator.importing.files import pack
from evaluator.importing.pinned import content_digest, lay_out
from evaluator.importing.private_parts import decrypt, encrypt

PREDICTED_VARIABLE = "PULLBENCH_PREDICTED"
_BLOCK = 2**16
"""What is handed over has a multiple of so many bytes: a length tells something of predictions."""
_read_jobs = form_reader(dict[str, str], max_bytes=2**20)


class Envelope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of what is handed over; a zip of ``length`` bytes follows."""

    run: str
    attempt: int
    """Of the run, counted from 1."""
    job: str
    cell: str
    prediction_key: str
    sha256: str
    """Of the predictions, as of private data."""
    length: int
    step: Step
    started: str


_read_envelope = form_reader(Envelope, max_bytes=2**16)


def _names(job: str, cell: str, prediction_key: str) -> dict[str, str]:
    """What an envelope of this run names."""
    run = os.environ.get("GITHUB_RUN_ID", "")
    return {"run": run, "job": job, "cell": cell, "prediction_key": prediction_key}


def _attempt() -> int:
    return int(os.environ.get("GITHUB_RUN_ATTEMPT") or 1)


def close_predictions(record: Record, prediction_key: str, folder: Path, recipient: str) -> bytes:
    """Encrypt a program's predictions. Raises CellFailedError for those that nobody could open."""
    step, content = record.steps[0], pack(folder)
    try:
        list(entries(io.BytesIO(content), max_bytes=2**40, skip=lambda _: False))
    except ArchiveError as error:
        raise fail(
            Reason.UNSAFE_OUTPUT, f"left output that cannot be taken: as a zip it {error}",
            step="ingestion", hint="Give the files other names.", report=step,
        ) from None  # fmt: skip
    envelope = Envelope(
        **_names(os.environ.get(JOB_VARIABLE, ""), str(record.cell), prediction_key),
        attempt=_attempt(),
        sha256=content_digest(folder), length=len(content), step=step,
        started=record.provenance.started,
    )  # fmt: skip
    whole = msgspec.json.encode(envelope) + b"\n" + content
    return encrypt(whole.ljust(-(-len(whole) // _BLOCK) * _BLOCK, b"\0"), [recipient])


def take_predictions(
    folder: Path, cells: Iterable[Cell], recipient: str, store: PredictionStore, faults: Path
) -> list[str]:
    """Store predictions from artifacts of jobs, and say why others count for nothing.

    The reasons go into ``faults``, too. A cell of which its job handed over none is passed over.
    """
    said = os.environ.get(PREDICTED_VARIABLE, "")
    try:
        jobs = {cell: job for job, of in _read_jobs(said.encode()).items() for cell in of.split()}
    except ValueError as error:
        hint = "It is an output of the job that planned."
        raise UsageError(f"{PREDICTED_VARIABLE} {error}", hint=hint) from None
    digests, reasons = said_digests() or {}, []
    for cell in cells:
        try:
            artifact = folder / f"records-{jobs[str(cell.id)]}"
            _take(cell, artifact, digests.get(output_of(artifact.name)), recipient, store)
        except (KeyError, PlatformError, ValueError, OSError) as error:
            reason = error.message if isinstance(error, PlatformError) else str(error)
            reason = error_name(error) if isinstance(error, (KeyError, OSError)) else reason
            reasons.append(f"the predictions of {cell.id} do not count: {reason}")
            (faults / f"{cell.keys.prediction}.fault").write_text(reasons[-1])
    return reasons


def _take(
    cell: Cell, artifact: Path, said: str | None, recipient: str, store: PredictionStore
) -> None:
    """Raise ValueError for what was not planned so."""
    if digest_of(artifact) != said:
        raise ValueError(f"'{artifact.name}' is not what its job handed over")
    path, most = cell.id.predictions_path, cell.benchmark.limits_of(cell.task).output_size
    encrypted = read_plain(artifact, path, most + 4 * MAX_OVERHEAD)
    if encrypted is None:
        return
    try:
        header, _, content = decrypt(encrypted, path, recipient).partition(b"\n")
    except CellFailedError:
        raise ValueError("they are damaged") from None
    envelope = _read_envelope(header)
    job = artifact.name.removeprefix("records-")
    for name, wanted in _names(job, str(cell.id), cell.keys.prediction).items():
        if (stated := getattr(envelope, name)) != wanted:
            raise ValueError(f"their {name} is '{printable(stated)[:200]}', and not '{wanted}'")
    # Not equal: a job that ended well does not run again if somebody re-runs those that failed.
    if not 1 <= envelope.attempt <= _attempt():
        raise ValueError(f"their attempt is {envelope.attempt}, and this is {_attempt()}")
    if envelope.step.step != "ingestion":
        raise ValueError("they are of no prediction step")

    def fill(target: Path) -> None:
        target.rmdir()
        zipped = io.BytesIO(content[: max(0, envelope.length)])
        try:
            if (
                lay_out(zipped, "file", envelope.sha256, target, most + MAX_OVERHEAD, path)
                == target
            ):
                return
        except CellFailedError:
            pass
        raise ValueError(f"they are no zip of files with the digest that they name, of {most:,} B")

    store.put(
        cell.keys.prediction, fill, envelope.step,
        started=envelope.started, record=f"{cell.id} {cell.keys.score}",
    )  # fmt: skip
