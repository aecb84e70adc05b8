"""The forge of a repository: what the workflows count on there."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.errors import UsageError
from evaluator.pipeline import snapshots

if TYPE_CHECKING:
    from evaluator.forge.setup import Checked


def set_up(start: Path, *, app: str, account: str, send: bool) -> Iterator["Checked"]:
    """Check what the workflows need of the forge, and with ``send`` set what is missing.

    Raises UsageError without a token or an address, ForgeError, PlatformError.
    """
    from evaluator.forge import STATUS_CONTEXT, TOKEN_VARIABLES, find_forge
    from evaluator.forge.setup import Wanted, inspect, token_address
    from evaluator.pull_requests.reports import APPROVAL_LABEL

    settings = snapshots.settings(start)
    forge = find_forge(settings.forge)
    if forge is None:
        raise UsageError(
            f"there is no token to ask the forge with, in {' or '.join(TOKEN_VARIABLES)}",
            hint=f"Make one, for a day, at {token_address(settings.forge)}",
        )
    wanted = Wanted(
        branch=settings.branch, ledger=settings.ledger, label=APPROVAL_LABEL,
        status=STATUS_CONTEXT, organisers=tuple(settings.organisers),
        is_sealed=bool(settings.seal), app=app, account=account,
    )  # fmt: skip
    return inspect(forge, wanted, send=send)
