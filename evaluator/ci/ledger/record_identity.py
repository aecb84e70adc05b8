"""The identity of an evaluation, and what a record keeps of the one that it replaces."""

import hashlib
import json

import msgspec

from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Earlier, Record
from evaluator.core.formats.record_lines import without_logs

MAX_EARLIER = 20
"""Versions of a score that a record remembers."""


def identity(record: Record) -> str:
    """Return the identity of one evaluation, which its record keeps when it is sealed or renamed.

    The same content has the same record under any name, so that the cell does not count; nor do
    earlier scores, a count of tries and the time of the submission, which collecting adds, nor
    logs, which stand elsewhere. What was sealed stays the same evaluation once it is opened.
    """
    if record.id is not None:
        return record.id
    if record.sealed is not None:
        return hashlib.sha256(record.sealed.encode()).hexdigest()
    bare = msgspec.structs.replace(without_logs(record), cell=_NO_CELL, earlier=[], tries=1)
    provenance = msgspec.structs.replace(bare.provenance, submitted="")
    fields = msgspec.to_builtins(msgspec.structs.replace(bare, provenance=provenance))
    text = json.dumps(fields, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def succeed(new: Record, old: Record) -> Record:
    """Return ``new`` with the earlier scores and the tries of ``old``, which it replaces.

    Only another version of the benchmark makes another version of a score: a re-run of the same
    content replaces without a trace here, as git has one.
    """
    parts = [record.keys.parts.get("submission") for record in (new, old)]
    if parts[0] != parts[1]:
        return new
    if identity(new) == identity(old):  # it comes again, and is no further try
        return old
    earlier = list(old.earlier)
    if old.keys.score != new.keys.score and old.scores:
        earlier.append(
            Earlier(score_key=old.keys.score, scores=old.scores, finished=old.provenance.finished)
        )
    is_retry = old.keys.score == new.keys.score and old.is_platform_fault and new.is_platform_fault
    return new.model_copy(
        update={"earlier": earlier[-MAX_EARLIER:], "tries": old.tries + 1 if is_retry else 1}
    )


_NO_CELL = CellId(benchmark="", participant="", submission="", phase="", task="")
