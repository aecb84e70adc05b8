"""What of a record may be said in public, by the switches of its leaderboard and its phase.

The one place that decides it. A record's own logs are left out already where a phase hides them;
here that is asked again, since a record may come from a machine that nobody trusts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.board.sums import total
from evaluator.errors import Actor
from evaluator.formats.bundle import Benchmark
from evaluator.formats.outline import Known, clock_seconds
from evaluator.formats.phases import Phase
from evaluator.formats.record import CellError, Reason
from evaluator.formats.withheld import withheld

_SCORERS_WORDS = {Reason.NO_SCORES, Reason.BAD_SCORES, Reason.WRONG_COLUMNS, Reason.REJECTED,
                  Reason.SCORER_FAILED}  # fmt: skip
"""Reasons whose messages repeat what the scoring program wrote."""
_NAMES_COLUMNS = {Reason.BAD_SCORES, Reason.WRONG_COLUMNS}
_HIDDEN_HINT = "The organiser hides the details and can say more."


@dataclass(frozen=True, kw_only=True)
class Disclosure:
    """The public part of a record."""

    status: str
    """``finished`` or ``failed``."""
    scores: Mapping[str, float] | None
    """Key -> value of the visible columns; None where the leaderboard is hidden."""
    reason: str
    """Why it failed; empty where it did not."""
    step: str | None
    """The step that failed; None where it was none, or where it did not fail."""
    message: str
    """In one sentence; empty where it is hidden."""
    hint: str
    actor: Actor | None
    """Who must act; None where nobody must."""
    wall_seconds: float | None
    """Of the whole cell. Hidden with the leaderboard, since time may be the score."""
    logs: Mapping[str, str]
    """Step -> end of its log, where there is one."""
    extra: Mapping[str, float]
    """Numbers under keys that are no column and that the bundle asks for; none where the scoring
    program's log is hidden."""
    detailed_results: bool
    """Whether the page that the scoring program wrote may be shown: where all it knows may be."""


def disclose(record: Known, benchmark: Benchmark) -> Disclosure:
    """Return what may be said of a record; of a phase that is not there, nearly nothing."""
    phase = benchmark.phase(record.cell.phase)
    board = benchmark.leaderboard
    status = phase is not None and phase.shows == "status"
    if status:
        record = withheld(record)
    hidden = board.hidden or phase is None or status
    sealed = {column.key for column in board.columns if column.hidden}
    visible = [key for key in board.score_keys if key in record.scores and key not in sealed]
    # What the scoring program prints may tell what is hidden.
    scorer = not hidden and not sealed and _shows("scoring", phase)
    shown = {"scoring": scorer, "ingestion": _shows("ingestion", phase)}
    error = record.error
    told = error is not None and _may_tell(error, benchmark, phase)
    return Disclosure(
        status=record.status,
        scores=None if hidden else {key: record.scores[key] for key in visible},
        reason=error.reason if error else "",
        step=error.step if error else None,
        message=error.message if error and told else "",
        hint="" if error is None else error.hint if told else _HIDDEN_HINT,
        actor=error.actor if error else None,
        wall_seconds=None
        if hidden or phase is None
        else total(clock_seconds(record.steps, at_once=phase.is_parallel(record.cell.task))),
        logs={step.step: step.log for step in record.steps if step.log and shown[step.step]},
        extra=asked_extra(record, benchmark) if scorer else {},
        detailed_results=scorer and record.detailed_results is not None,
    )


def asked_extra(record: Known, benchmark: Benchmark) -> dict[str, float]:
    """Return the numbers beside columns that the bundle asks for."""
    asked = benchmark.extra_keys(record.cell.task)
    return {key: n for key, n in record.extra.items() if asked is None or key in asked}


def tells_all(benchmark: Benchmark, phase: str) -> bool:
    """Whether nothing of a record of that phase is left out but scores that are in no column."""
    found = benchmark.phase(phase)
    board = benchmark.leaderboard
    return (
        found is not None
        and found.shows != "status"
        and not board.hidden
        and not any(column.hidden for column in board.columns)
        and _shows("scoring", found)
        and _shows("ingestion", found)
    )


def _may_tell(error: CellError, benchmark: Benchmark, phase: Phase | None) -> bool:
    """Whether the message may be told: it may repeat output, or name what a column holds."""
    board = benchmark.leaderboard
    if error.reason in _NAMES_COLUMNS and any(column.hidden for column in board.columns):
        return False
    if phase is not None and phase.shows == "status":
        return True  # it is the withheld one
    if error.step == "scoring" or error.reason in _SCORERS_WORDS:
        return not board.hidden and _shows("scoring", phase)
    return phase is not None and (error.step is None or _shows("ingestion", phase))


def _shows(step: str, phase: Phase | None) -> bool:
    """Whether a phase shows what a step put out."""
    if phase is None or phase.hide_output:
        return False
    return not (phase.hide_score_output if step == "scoring" else phase.hide_prediction_output)
