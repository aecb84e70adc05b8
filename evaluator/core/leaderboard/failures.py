"""Kinds of failures: by the reason in the record or, of results from elsewhere, by their text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from evaluator.core.formats.record import Reason

KINDS = ("time", "memory", "output", "data", "implementation", "scoring", "platform", "missing")
"""In the order in which they are shown."""
_OF_REASON = {
    Reason.TIMED_OUT: "time",
    Reason.OUT_OF_MEMORY: "memory",
    Reason.OUTPUT_LIMIT: "output",
    Reason.UNSAFE_OUTPUT: "output",
    Reason.REJECTED: "output",
    Reason.BAD_INPUT: "data",
    Reason.BAD_DATA: "data",
    Reason.EXITED: "implementation",
    Reason.WITHHELD: "implementation",
    Reason.SCORER_FAILED: "scoring",
    Reason.NO_SCORES: "scoring",
    Reason.BAD_SCORES: "scoring",
    Reason.WRONG_COLUMNS: "scoring",
    Reason.BAD_PROGRAM: "platform",
    Reason.BAD_IMAGE: "platform",
    Reason.PLATFORM_FAULT: "platform",
}
# What AMLB writes into `info`: the exit codes of killed processes are 128 + signal.
_PATTERNS = (
    ("memory", r"exit (?:code|status):? ?(?:134|137|139|143)\b|(?:exit|return)\w*[^\d]{1,20}"
               r"-?(?:134|137|139|143|6|9|11)\b|bad_alloc|MemoryError|out of memory|OOM"
               r"|Cannot allocate memory|heap space"),
    ("time", r"time(?:d)?[ -]?out|Interrupting thread|exceeded .{0,20}time|time limit"),
    ("data", r"unseen|single class|one class|too few|NaN|infinity|not enough|least populated"
             r"|could not convert"),
)  # fmt: skip


def kind_of_reason(reason: Reason) -> str:
    return _OF_REASON.get(reason, "implementation")


def kind_of_text(text: str) -> str:
    """Return the kind of a failure by its text; what that does not tell is an implementation's."""
    for kind, pattern in _PATTERNS:
        if re.search(pattern, text[:2000], re.IGNORECASE):
            return kind
    return "implementation"


def count(failures: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Count (method, kind) by method; kinds in the order of KINDS."""
    counts = Counter(failures)
    methods = dict.fromkeys(method for method, _ in counts)
    return {m: {k: counts[m, k] for k in KINDS if counts[m, k]} for m in methods}


def total(counts: Mapping[str, Mapping[str, int]]) -> int:
    return sum(sum(kinds.values()) for kinds in counts.values())
