"""Records of hidden boards: the hidden part is encrypted to the organisers.

A repository is read by everybody, records and artifacts too. So a record holds in the clear only
what ``disclose`` shows, where the deployment names a key (``seal``); beside it stands the full
record, encrypted. Evaluating needs the public key alone.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.record import Record
from evaluator.core.plugins import load, offers
from evaluator.core.scores.redaction import disclose, redact, redact_step

SUFFIX = ".age"
"""Ends the name of a file that is closed to all but the organisers."""


def sealing(what: Literal["seal", "close", "open"]) -> Callable[..., Any]:
    """Return a function that encrypts to the organisers, or opens it. Raises UsageError."""
    if what not in offers("sealing"):
        raise UsageError(
            "records are sealed and opened by 'ci', which is not installed",
            hint="Install all of pullbench, or take 'seal' out of [tool.pullbench].",
        )
    return load("sealing", what)  # type: ignore[no-any-return]


def encrypt_hidden(record: Record, benchmark: Benchmark, recipient: str) -> Record:
    """Return the public part of a record, with the full record sealed inside.

    Unchanged where nothing is hidden, or where it is sealed already. Without a ``recipient`` what
    ranks need stays in the clear, and whatever else may reveal a hidden score is left out for good.
    Raises UsageError for an invalid recipient.
    """
    shown = redact(record, benchmark)
    if record.sealed is not None or shown == record:
        return record
    if not recipient:
        return _bare(record, benchmark)
    return shown.model_copy(update={"sealed": sealing("seal")(record, recipient)})


def encrypt_attachments(
    contents: Mapping[str, bytes], record: Record, recipient: str
) -> dict[str, bytes]:
    """Return attachments as they may lie beside a record of ``encrypt_hidden``."""
    seals = recipient and record.sealed is not None
    return {
        suffix: content if suffix in record.attachments else sealing("close")(content, recipient)
        for suffix, content in contents.items()
        if seals or suffix in record.attachments
    }


def _bare(record: Record, benchmark: Benchmark) -> Record:
    """Leave out the attachments, the other numbers and the logs that may not be shown."""
    disclosure = disclose(record, benchmark)
    return record.model_copy(
        update={
            "extra": dict(disclosure.extra),
            "attachments": record.attachments if disclosure.attachments else {},
            "steps": [redact_step(step, disclosure) for step in record.steps],
        }
    )
