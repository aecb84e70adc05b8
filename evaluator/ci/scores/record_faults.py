"""Why a record from elsewhere is none: kept by workers, and checked where records are handed in.

A worker runs strangers' code, so that its limits are checked again wherever a record is accepted or
opened. What cannot be checked, such as the machine, is the runner's claim.
"""

import datetime as dt
import re

from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.record import (
    MAX_EXTRA,
    MAX_EXTRA_KEY,
    MAX_LOG,
    MAX_TEXT,
    Record,
    shortened,
)
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.digests import recorded_keys
from evaluator.core.scores.redaction import coarse, redact, withheld

MAX_GPUS = 64
MAX_SEALED = 2**20
"""Characters of what is sealed of a cell."""
CLOCK_SKEW = dt.timedelta(minutes=5)
"""By how much a runner's clock may be ahead."""
_COMMIT = re.compile("[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LATENESS = 60.0
"""Seconds that a container may run on while it is being stopped."""
_IMPRECISION = 5.0
"""Seconds by which two measurements of the same time may differ."""


def record_fault(record: Record, wanted: Cell | None, now: dt.datetime) -> str | None:
    """Why something is no record of its cell, be it uploaded, kept or decrypted."""
    if (record.status == "failed") != (record.error is not None):
        return f"is '{record.status}' with{'out' if record.error is None else ''} an error"
    is_current = wanted is not None and record.keys.score == wanted.keys.score
    limit = wanted.phase.seconds_of(wanted.task) if wanted is not None and is_current else 0
    fault = excess(record) or time_fault(record, limit, now)
    if fault or wanted is None or not is_current:
        return fault
    if record.keys.parts != shortened(wanted.keys.parts):
        return "has parts that do not make its key"
    if record.provenance.image != wanted.benchmark.code_image(wanted.submission.environment):
        return f"names the image {record.provenance.image[:200]!r}"
    asked = wanted.benchmark.limits_of(wanted.task)
    if any(
        (granted.cpus < asked.cpus or granted.memory < asked.memory) and not step.less
        for step in record.steps
        if (granted := step.granted) is not None
    ):
        return "was given less than the bundle asks for, and does not say so"
    if wanted.phase.shows == "status" and record != withheld(record):
        return "tells more than its phase shows"
    if record != coarse(record, wanted.phase):
        return "tells more digits of its scores, or times, than its phase shows"
    if record.sealed is not None and record != redact(record, wanted.benchmark):
        return "tells more than its board shows"
    columns = set(recorded_keys(wanted.benchmark, wanted.phase, wanted.task))
    board = wanted.benchmark.boards[wanted.phase.slug]
    required = columns - board.optional_keys
    if record.sealed is not None:
        # The rest is inside, and checked when it is opened.
        required -= columns if board.hidden else {c.key for c in board.columns if c.hidden}
    if record.status == "finished" and not required <= set(record.scores) <= columns:
        return f"has the columns {sorted(record.scores)}; the benchmark has {sorted(columns)}"
    return None


def excess(record: Record) -> str | None:
    """Which part of a record exceeds the limits; None where none does."""
    provenance = record.provenance
    texts = [
        provenance.evaluator, provenance.image, provenance.image_used, provenance.image_id,
        provenance.queue, provenance.cpu, provenance.commit, provenance.submission_tree,
        *((record.error.message, record.error.hint) if record.error else ()),
        *(text for step in record.steps for text in (step.less, *step.gpus)),
    ]  # fmt: skip
    faults = (
        (bool(record.earlier), "tells of earlier scores, which collecting alone does"),
        (record.tries != 1, "counts its tries, which collecting alone does"),
        (record.id is not None, "has an id, which opening alone gives"),
        (len(record.extra) > MAX_EXTRA, f"has {len(record.extra)} extra numbers"),
        (any(len(key) > MAX_EXTRA_KEY for key in record.extra), "has a key that is too long"),
        (any(len(step.log) > MAX_LOG for step in record.steps), "has a log that is too long"),
        (any(len(step.gpus) > MAX_GPUS for step in record.steps), "has too many GPUs"),
        (any(text and len(text) > MAX_TEXT for text in texts), "has a text that is too long"),
        (not record.attachments.keys() <= ATTACHMENTS.keys(), "has an attachment of no known kind"),
        (
            any(
                one.bytes > kind.max_bytes
                for suffix, kind in ATTACHMENTS.items()
                if (one := record.attachments.get(suffix))
            ),
            "has an attachment that is too large",
        ),
        (len(record.sealed or "") > MAX_SEALED, "has a sealed part that is too large"),
        (
            provenance.commit is not None and _COMMIT.fullmatch(provenance.commit) is None,
            "names a commit that is none",
        ),
        (
            any(
                step.granted is not None
                and (step.granted.cpus > provenance.cpus or step.granted.memory > provenance.memory)
                for step in record.steps
            ),
            "was given more than its machine has",
        ),
        (
            any((step.peak_memory or 0) > provenance.memory for step in record.steps),
            "used more memory than its machine has",
        ),
        (
            any(
                (step.cpu_seconds or 0)
                > (step.wall_seconds * 1.1 + _LATENESS) * max(provenance.cpus, 1)
                for step in record.steps
            ),
            "used more processor time than its machine has",
        ),
    )
    return next((fault for applies, fault in faults if applies), None)


def time_fault(record: Record, limit: int, now: dt.datetime) -> str | None:
    """Times that no clock can have shown; a step's limit is in seconds, 0 for none."""
    provenance = record.provenance
    try:
        _, started, finished = (
            dt.datetime.fromisoformat(text).astimezone(dt.UTC)
            for text in (provenance.submitted, provenance.started, provenance.finished)
        )
    except (ValueError, OverflowError):
        return "has a time that is none"
    if not started <= finished:
        return "ended before it began"
    if finished > now + CLOCK_SKEW:
        return f"ended in the future, on {provenance.finished}"
    took = (finished - started).total_seconds()
    for step in record.steps:
        if limit and step.wall_seconds > limit * 1.1 + _LATENESS:
            return f"has a step of {step.wall_seconds:.10g} s; the limit is {limit} s"
        stored = provenance.reused_predictions and step.step == "ingestion"
        if not stored and step.wall_seconds > took * 1.01 + _IMPRECISION:
            return f"has a step of {step.wall_seconds:.10g} s in an evaluation of {took:.10g} s"
    return None
