"""What participants say that a score is, beside what it is."""

import re
from dataclasses import dataclass

from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard

_NUMBER = re.compile(r"[+-]?\d*\.?(\d*)", re.ASCII)
_LEAST_DECIMALS = 2
"""A claim of ``1`` is not confirmed by 0.6, although it rounds to it."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """An answer of the fact sheet that states the value of a column."""

    column: Column
    found: float | None
    """What the column holds; None where it holds nothing."""
    agrees: bool
    """Whether it is what the participant states, in as many decimals as he gives."""


def check_claim(row: Row, question: str, board: PublicBoard) -> Claim | None:
    """Compare an answer with the column that it is about; None where it is about none.

    What is reported is not compared: nothing of it was computed here.
    """
    answer = row.submission.fact_sheet.get(question)
    column = next((one for one in board.columns if one.claim == question), None)
    if column is None or answer is None or row.submission.reported or row.state != "finished":
        return None
    value = row.overall.get(column.key)
    return Claim(
        column=column, found=value, agrees=value is not None and _agrees(str(answer), value)
    )


def claim_mark(row: Row, question: str, board: PublicBoard) -> str:
    """Return what to put behind an answer that is not confirmed, in a terminal."""
    claim = check_claim(row, question, board)
    if claim is None or claim.agrees:
        return ""
    if claim.found is None:
        return " (not recomputed)"
    return f" (recomputed: {claim.found:.{claim.column.precision}f})"


def _agrees(answer: str, value: float) -> bool:
    match = _NUMBER.fullmatch(answer.strip())
    if match is None or not any(character.isdigit() for character in answer):
        return False
    decimals = max(len(match[1]) if "." in answer else 0, _LEAST_DECIMALS)
    # Either way of rounding a half is accepted.
    return abs(float(answer) - value) <= 0.5 / 10.0**decimals * (1 + 1e-9)
