"""approvals.yaml of a bundle: which submissions an organiser lets be ranked, and which not.

It is the organisers' by its path, and in no key of a cell: a decision evaluates nothing again.
"""

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from evaluator.core.errors import Actor, Problem, errors_in
from evaluator.core.formats.parsing import Strict, parse
from evaluator.core.formats.schema import read_yaml

FILE_NAME = "approvals.yaml"


class ApprovalDecision(Strict):
    """What an organiser decided about one submission."""

    submission: Annotated[str, Field(pattern="^[^/]+/[^/]+$")]
    """``participant/name``."""
    decision: Literal["approved", "refused"]
    date: dt.date
    reason: Annotated[str, Field(max_length=500)] = ""
    """Shown beside the decision; one that refuses needs it."""
    content: Annotated[str, Field(pattern="^([0-9a-f]{12,64})?$")] = ""
    """Beginning of the digest of the submission's content, as its page shows it: the decision
    then holds for these files alone. Empty is for whatever stands there."""


class Approvals(Strict):
    """The whole file."""

    decisions: list[ApprovalDecision] = []
    """Of several about one submission the last one holds."""


def read_approvals(content: bytes, file: str) -> tuple[tuple[ApprovalDecision, ...], list[Problem]]:
    """Read the decisions and everything that is wrong with them; a broken file decides nothing."""
    document = read_yaml(content if content.strip() else b"{}", file, Actor.ORGANISER)
    approvals = parse(Approvals, document)
    for position, item in enumerate(approvals.decisions if approvals else ()):
        if item.decision == "refused" and not item.reason:
            document.report(
                ("decisions", position, "reason"), "is missing.",
                "Say why: the board shows it to the participant and to readers.",
            )  # fmt: skip
    if approvals is None or errors_in(document.problems):
        return (), document.problems
    return tuple(approvals.decisions), document.problems
