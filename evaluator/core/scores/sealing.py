"""Records of hidden boards: the hidden part is encrypted to the organisers.

A repository is read by everybody, records and artifacts too. So a record holds in the clear only
what ``disclose`` shows, where the deployment names a key (``seal``); beside it stands the full
record, encrypted. Evaluating needs the public key alone.
"""

import base64
import os
from collections.abc import Callable, Mapping

from evaluator.core.errors import PlatformError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import from_json
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.plugins import Service
from evaluator.core.scores.redaction import coarse, disclose, redact, redact_error, redact_step

SUFFIX = ".age"
"""Ends the name of a file that is closed to all but the organisers."""

_NEEDS_CI = (
    "records are sealed and opened by 'ci', which is not installed",
    "Install all of pullbench, or take 'seal' out of [tool.pullbench].",
)
SEAL = Service[Callable[[Record, str], str]]("sealing.seal", *_NEEDS_CI)
"""From a whole record and the organisers' public key to text that they alone can read."""
CLOSE = Service[Callable[[bytes, str], bytes]]("sealing.close", *_NEEDS_CI)
"""The same of a file."""
OPEN = Service[Callable[[bytes], bytes]]("sealing.open", *_NEEDS_CI)
"""Raises ValueError for another key, PlatformError without one."""


def encrypt_hidden(record: Record, benchmark: Benchmark, recipient: str) -> Record:
    """The public part of a record, with the full record sealed inside.

    Unchanged where nothing is hidden, or where it is sealed already. Without a ``recipient`` what
    ranks need stays in the clear, and whatever else may reveal a hidden score is left out for good.
    Raises UsageError for an invalid recipient.
    """
    shown = redact(record, benchmark)
    if record.sealed is not None or shown == record:
        return record
    if not recipient:
        return _bare(record, benchmark)
    return shown.replace(sealed=SEAL.need()(record, recipient))


def opened(record: Record) -> Record:
    """The full record inside a sealed one, unchecked; itself without the organisers' key.

    Raises PlatformError.
    """
    if record.sealed is None or not os.environ.get(SEAL_IDENTITY):
        return record
    where = f"{record.cell.scores_path}, {record.cell.file_stem},"
    try:
        full_record = from_json(OPEN.need()(base64.b64decode(record.sealed)))
    except ValueError:
        raise PlatformError(
            f"{where} cannot be opened",
            hint=f"Is {SEAL_IDENTITY} the key that belongs to [tool.pullbench] seal?",
        ) from None
    if full_record.keys != record.keys or full_record.status != record.status:
        raise PlatformError(
            f"{where} holds the sealed record of another evaluation",
            hint="Somebody put it there by hand; delete the file, so that its cell runs again.",
        )
    # The same content under another name has the same record.
    provenance = full_record.provenance.replace(submitted=record.provenance.submitted)
    return full_record.replace(
        cell=record.cell, earlier=record.earlier, sealed=None, provenance=provenance
    )


def encrypt_attachments(
    contents: Mapping[str, bytes], record: Record, recipient: str
) -> dict[str, bytes]:
    """Attachments as they may lie beside a record of ``encrypt_hidden``."""
    seals = recipient and record.sealed is not None
    return {
        suffix: content if suffix in record.attachments else CLOSE.need()(content, recipient)
        for suffix, content in contents.items()
        if seals or suffix in record.attachments
    }


def _bare(record: Record, benchmark: Benchmark) -> Record:
    """Leave out the attachments, the other numbers and the logs that may not be shown."""
    phase = benchmark.phase(record.cell.phase)
    disclosure, known = disclose(record, benchmark), coarse(record, phase)
    error = known.error
    if error is not None and known is not record:
        error = redact_error(error, benchmark, phase)
    return known.replace(
        error=error,
        extra=dict(disclosure.extra),
        attachments=known.attachments if disclosure.attachments else {},
        steps=[redact_step(step, disclosure) for step in known.steps],
    )
