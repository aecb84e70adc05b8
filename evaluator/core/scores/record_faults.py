"""Why something is no valid record of its cell."""

import datetime as dt

from evaluator.core.formats.record import Record, shortened
from evaluator.core.formats.record_limits import excess, time_fault
from evaluator.core.planning.digests import recorded_keys
from evaluator.core.planning.plan import Cell
from evaluator.core.scores.redaction import published_record, withheld


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
    if record.provenance.image != wanted.benchmark.code_image(wanted.submission.environment):
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
    board = wanted.benchmark.boards[wanted.phase.slug]
    required = columns - board.optional_keys
    if record.sealed is not None:
        # The rest is inside, and checked when it is opened.
        required -= columns if board.hidden else {c.key for c in board.columns if c.hidden}
    if record.status == "finished" and not required <= set(record.scores) <= columns:
        return f"has the columns {sorted(record.scores)}; the benchmark has {sorted(columns)}"
    return None
