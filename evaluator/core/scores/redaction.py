"""The public part of a record, by the switches of its leaderboard and its phase.

Decided here alone. A worker leaves out logs that a phase hides; this checks it again, since a
record may come from a machine that nobody trusts.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.record import (
    CellError,
    Earlier,
    Provenance,
    Reason,
    Record,
    Step,
    clock_seconds,
)
from evaluator.core.formats.scores_file import Line
from evaluator.core.formats.sums import total

_SCORERS_WORDS = {Reason.NO_SCORES, Reason.BAD_SCORES, Reason.WRONG_COLUMNS, Reason.REJECTED,
                  Reason.SCORER_FAILED}  # fmt: skip
"""Reasons whose messages repeat what the scoring program wrote."""
_NAMES_COLUMNS = {Reason.BAD_SCORES, Reason.WRONG_COLUMNS, Reason.SCORER_FAILED}
_HIDDEN_HINT = "The organiser hides the details and can say more."


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """The public part of a record."""

    status: str
    """``finished`` or ``failed``."""
    scores: Mapping[str, float] | None
    """Key -> value of the visible columns; None where the leaderboard is hidden."""
    reason: str
    step: str | None
    """The step that failed; None where it was none, or where it did not fail."""
    message: str
    """In one sentence; empty where it is hidden."""
    hint: str
    actor: Actor | None
    """Who must act; None where nobody must."""
    wall_seconds: float | None
    """Of the whole cell. Hidden with the leaderboard or with digits: time may tell the score."""
    logs: Mapping[str, str]
    """Step -> end of its log, where there is one."""
    extra: Mapping[str, float]
    """Numbers under keys that are no column and that the bundle asks for; none where the scoring
    program's log is hidden."""
    attachments: tuple[str, ...]
    """Suffixes of those that may be shown: where all that the scoring program knows may be."""


def disclose(record: Record, benchmark: Benchmark) -> Disclosure:
    """The public part of a record; for a phase that is not there, nearly nothing."""
    phase = benchmark.phase(record.cell.phase)
    board = benchmark.leaderboard
    status = phase is not None and phase.shows == "status"
    record = withheld(record) if status else coarse(record, phase)
    hidden = board.hidden or phase is None or status
    sealed = {column.key for column in board.columns if column.hidden}
    written = (board if phase is None else benchmark.boards[phase.slug]).score_keys
    visible = [key for key in written if key in record.scores and key not in sealed]
    scorer = shows_scorer(benchmark, phase)
    shown = {"scoring": scorer, "ingestion": _shows("ingestion", phase)}
    error = record.error
    if error is not None:
        error = redact_error(error, benchmark, phase)
    return Disclosure(
        status=record.status,
        scores=None if hidden else {key: record.scores[key] for key in visible},
        reason=error.reason if error else "",
        step=error.step if error else None,
        message=error.message if error else "",
        hint=error.hint if error else "",
        actor=error.actor if error else None,
        wall_seconds=None
        if hidden or phase is None or phase.feedback_digits is not None
        else total(clock_seconds(record.steps, at_once=phase.is_parallel(record.cell.task))),
        logs={step.step: step.log for step in record.steps if step.log and shown[step.step]},
        extra=asked_extra(record, benchmark) if scorer else {},
        attachments=tuple(record.attachments) if scorer else (),
    )


def shows_scorer(benchmark: Benchmark, phase: Phase | None) -> bool:
    """Whether all that the scoring program knows may be public: it may reveal what is hidden."""
    board = benchmark.leaderboard
    hidden = board.hidden or any(column.hidden for column in board.columns)
    return not hidden and phase is not None and phase.shows != "status" and _shows("scoring", phase)


def asked_extra(record: Record, benchmark: Benchmark) -> dict[str, float]:
    asked = benchmark.extra_keys(record.cell.task)
    return {key: n for key, n in record.extra.items() if asked is None or key in asked}


def redact_error(error: CellError, benchmark: Benchmark, phase: Phase | None) -> CellError:
    if _shows_message(error, benchmark, phase):
        return error
    return error.replace(message="", hint=_HIDDEN_HINT)


def _shows_message(error: CellError, benchmark: Benchmark, phase: Phase | None) -> bool:
    """Whether the message may be public: it may repeat output, or name a column's content."""
    board = benchmark.leaderboard
    if error.reason in _NAMES_COLUMNS and any(column.hidden for column in board.columns):
        return False
    if phase is not None and phase.shows == "status":
        return True  # it is the withheld one
    if error.step == "scoring" or error.reason in _SCORERS_WORDS:
        return not board.hidden and _shows("scoring", phase)
    return phase is not None and (error.step is None or _shows("ingestion", phase))


def _shows(step: str, phase: Phase | None) -> bool:
    if phase is None or phase.hide_output or phase.feedback_digits is not None:
        return False
    return not (phase.hide_score_output if step == "scoring" else phase.hide_prediction_output)


def redact(record: Record, benchmark: Benchmark) -> Record:
    phase = benchmark.phase(record.cell.phase)
    if phase is not None and phase.shows == "status":
        return withheld(record)
    record = coarse(record, phase)
    disclosure = disclose(record, benchmark)
    hidden = disclosure.scores is None
    return record.replace(
        scores=dict(disclosure.scores or {}),
        extra=dict(disclosure.extra),
        error=record.error and redact_error(record.error, benchmark, phase),
        earlier=[] if hidden else [redact_earlier(item, benchmark) for item in record.earlier],
        # What a step took may be the score.
        steps=[]
        if disclosure.wall_seconds is None
        else [redact_step(step, disclosure) for step in record.steps],
        attachments=record.attachments if disclosure.attachments else {},
        provenance=untimed(record.provenance) if hidden else record.provenance,
    )


def coarse(record: Record, phase: Phase | None) -> Record:
    """A record that tells little of hidden labels: rounded scores, and nothing that a time tells.

    Itself, if the phase shows all digits. All faults of the scoring program are one, for an entry
    could choose among them by a label. Whether the message may be shown is ``redact_error``'s.
    """
    digits = None if phase is None else phase.feedback_digits
    if digits is None:
        return record
    error = record.error
    if error is not None and error.step == "scoring" and error.actor == Actor.ORGANISER:
        error = error.replace(reason=Reason.SCORER_FAILED)
    return record.replace(
        scores=_rounded(record.scores, digits), error=error, extra={}, steps=[], attachments={},
        earlier=[item.replace(scores=_rounded(item.scores, digits)) for item in record.earlier],
        provenance=untimed(record.provenance),
    )  # fmt: skip


def _rounded(scores: Mapping[str, float], digits: int) -> dict[str, float]:
    # 0.0 is added, since -0.0 would tell one bit more.
    return {key: round(value, digits) + 0.0 for key, value in scores.items()}


def redact_earlier(item: Earlier, benchmark: Benchmark) -> Earlier:
    shown = {c.key for c in benchmark.leaderboard.columns if not c.hidden}
    return item.replace(scores={k: v for k, v in item.scores.items() if k in shown})


def redact_step(step: Step, disclosure: Disclosure) -> Step:
    return step.replace(log=disclosure.logs.get(step.step, ""))


def withheld(record: Record) -> Record:
    return record.replace(
        scores={}, extra={}, steps=[], earlier=[], attachments={},
        error=record.error and withheld_error(record.error),
        provenance=untimed(record.provenance),
    )  # fmt: skip


def withheld_error(error: CellError) -> CellError:
    """Who must act, and why if not the participant: that reveals nothing of the data."""
    if error.actor == Actor.PARTICIPANT:
        return CellError(
            actor=Actor.PARTICIPANT,
            reason=Reason.WITHHELD,
            message="this phase shows only whether a submission ran",
            hint="Try it on the public data; the organiser can say more.",
        )
    if error.step is not None:
        # Messages about a step may repeat what a program wrote.
        return error.replace(message="a program of the bundle failed", hint="")
    return error


def withheld_line(line: Line) -> Line:
    """The same of a line of a scores file, as boards count it."""
    return line.replace(
        scores={}, extra={}, earlier=[], ingestion=None, scoring=None, seconds=0.0,
        started=day_of(line.started + dt.timedelta(seconds=line.seconds)),
        error=line.error and withheld_error(line.error),
    )  # fmt: skip


def untimed(provenance: Provenance) -> Provenance:
    """When it ran to the day: a duration may be the score, or tell the data's size."""
    day = f"{provenance.finished[:10]}T00:00:00+00:00"
    return provenance.replace(started=day, finished=day)


def day_of(moment: dt.datetime) -> dt.datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def unhidden(benchmark: Benchmark) -> Benchmark:
    """The benchmark as if it hid nothing: neither of boards nor of its phases' logs."""
    phases = tuple(
        replace(
            phase, hide_output=False, hide_prediction_output=False, hide_score_output=False,
            shows="results", feedback_digits=None,
        )
        for phase in benchmark.phases
    )  # fmt: skip
    rules = benchmark.leaderboard
    board = replace(
        rules, hidden=False,
        columns=tuple(replace(column, hidden=False) for column in rules.columns),
        primary=replace(rules.primary, hidden=False),
        ranked_by=rules.ranked_by and replace(rules.ranked_by, hidden=False),
    )  # fmt: skip
    return replace(benchmark, leaderboard=board, phases=phases)
