"""approvals.yaml of a bundle: which submissions an organiser lets be ranked, and which not.

It is the organisers' by its path, and in no key of a cell: a decision evaluates nothing again.
"""

import datetime as dt
import json
import re
from typing import Annotated, Literal

from pydantic import Field

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.parsing import Strict, parse
from evaluator.core.formats.schema import read_yaml

FILE_NAME = "approvals.yaml"


class Decision(Strict):
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

    decisions: list[Decision] = []
    """Of several about one submission the last one holds."""


def add_decision(content: bytes, decision: Decision) -> bytes:
    """Write a decision at the end of a file, of which everything else stays, comments too.

    Raises ValueError where the end of the file is no list of decisions in lines of their own.
    """
    text = content.decode("utf-8").rstrip()
    text = f"{text}\n" if text else "decisions:\n"
    data = decision.model_dump(mode="json", exclude_defaults=True)
    indents = re.findall(r"^( *)- ", text, re.MULTILINE)
    indent = indents[-1] if indents else "  "
    # Each value is JSON, which YAML holds in one line; but for the date, which is none of JSON's.
    first, *others = (
        f"{key}: {value if key == 'date' else json.dumps(value)}" for key, value in data.items()
    )
    lines = [f"{indent}- {first}", *(f"{indent}  {line}" for line in others)]
    new = (text + "\n".join(lines) + "\n").encode()
    before, after = (read_approvals(one, FILE_NAME) for one in (content, new))
    if after[1] or after[0] != (*before[0], decision):
        raise ValueError("the file does not end with a list of decisions")
    return new


def read_approvals(content: bytes, file: str) -> tuple[tuple[Decision, ...], list[Problem]]:
    """Read the decisions and everything that is wrong with them; a broken file decides nothing."""
    document = read_yaml(content if content.strip() else b"{}", file, Actor.ORGANISER)
    approvals = parse(Approvals, document)
    for position, item in enumerate(approvals.decisions if approvals else ()):
        if item.decision == "refused" and not item.reason:
            document.report(
                ("decisions", position, "reason"), "is missing.",
                "Say why: the board shows it to the participant and to readers.",
            )  # fmt: skip
    if approvals is None or any(problem.severity == "error" for problem in document.problems):
        return (), document.problems
    return tuple(approvals.decisions), document.problems
