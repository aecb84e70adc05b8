"""Scores that others report: of a task, and why one failed."""

import re
from collections.abc import Mapping, Sequence

from evaluator.core.errors import Actor
from evaluator.core.formats.kinds.kind import Reported
from evaluator.core.formats.record import CellError, Reason
from evaluator.core.formats.sums import deviation, mean

_REASONS = {"time": Reason.TIMED_OUT, "memory": Reason.OUT_OF_MEMORY}
"""Reasons of failures that others report, by their kind; any other is an error's."""
# What AMLB writes into `info`: the exit codes of killed processes are 128 + signal.
_PATTERNS = (
    ("memory", r"exit (?:code|status):? ?(?:134|137|139|143)\b|(?:exit|return)\w*[^\d]{1,20}"
               r"-?(?:134|137|139|143|6|9|11)\b|bad_alloc|MemoryError|out of memory|OOM"
               r"|Cannot allocate memory|heap space"),
    ("time", r"time(?:d)?[ -]?out|Interrupting thread|exceeded .{0,20}time|time limit"),
    ("data", r"unseen|single class|one class|too few|NaN|infinity|not enough|least populated"
             r"|could not convert"),
)  # fmt: skip


def kind_of_text(text: str) -> str:
    """The kind of a failure by its text; what that does not tell is an implementation's."""
    for kind, pattern in _PATTERNS:
        if re.search(pattern, text[:2000], re.IGNORECASE):
            return kind
    return "implementation"


def reported_scores(
    reported: Reported, task: str, keys: Sequence[str]
) -> tuple[Mapping[str, float], Mapping[str, float], CellError | None]:
    """Scores of a task by column, their deviations over its folds, and why it failed."""
    error = None
    if why := reported.why(task):
        reason = _REASONS.get(kind_of_text(why), Reason.EXITED)
        error = CellError(actor=Actor.PARTICIPANT, reason=reason, message=why)
    folds = reported.folds.get(task)
    if folds is None:
        return reported.scores.get(task, {}), reported.deviations.get(task, {}), error
    finished = [fold for fold in folds if not isinstance(fold, str)]
    values, deviations = {}, {}
    for key in keys:
        if finished and all(key in fold for fold in finished):
            numbers = [fold[key] for fold in finished]
            values[key] = mean(numbers)
            if len(numbers) > 1:
                deviations[key] = deviation(numbers)
    return values, deviations, error
