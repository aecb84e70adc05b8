"""The ledger's state in the base branch: the tip that was last seen, and all withdrawals.

CI writes it in the commits that bring records, so that nobody who moves the ledger back undoes it,
and the site is still a function of a commit alone.
"""

from typing import Annotated, Literal

import msgspec

from evaluator.core.errors import PlatformError
from evaluator.core.formats.repository_status import Withdrawal

STATE_FILE = "submissions/ledger.json"
MAX_REASON = 300
"""Characters of the reason of a withdrawal."""
_Commit = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{40,64}$", max_length=64)]


class LedgerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ledger as somebody saw it who could write to the base branch."""

    version: Literal[1] = 1
    tip: _Commit
    """Of the ledger; every later one descends from it."""
    on: _Commit
    """Commit of the base branch on top of which this was written."""
    withdrawn: list[Withdrawal] = []
    """In the order of the withdrawals."""


_DECODER = msgspec.json.Decoder(LedgerState)


def read_state(content: bytes | None) -> LedgerState | None:
    """Read the file; None where there is none yet. Raises PlatformError."""
    if content is None:
        return None
    try:
        return _DECODER.decode(content)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise PlatformError(
            f"{STATE_FILE} cannot be read: {error}",
            hint="Only CI writes it: put back what its last commit wrote.",
        ) from None


def state_json(state: LedgerState) -> bytes:
    return msgspec.json.format(msgspec.json.encode(state, order="sorted"), indent=2) + b"\n"
