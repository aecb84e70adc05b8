"""Checks all that a repository should have, part by part, and sets what is missing."""

import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import STATUS_CONTEXT, TOKEN_VARIABLES, Forge, find_forge
from evaluator.ci.steps.reports import APPROVAL_LABEL
from evaluator.core.errors import UsageError
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.plugins.forge_setup import gitea, github
from evaluator.plugins.forge_setup.desired import DesiredState, MissingSetting

_PERMISSIONS = {
    "administration": "write", "issues": "write", "pages": "write", "environments": "write",
    "actions": "read",
}  # fmt: skip
"""Of the token, as the address of the page that makes one names them."""


@dataclass(frozen=True, kw_only=True)
class SetupCheck:
    """One part of the set-up."""

    part: str
    """What was looked at, such as ``the label `evaluate` ``."""
    missing: tuple[MissingSetting, ...] = ()
    error: ForgeError | None = None
    """Why it could not be looked at, or not be set."""


def inspect_forge(start: Path, *, app: str, account: str, send: bool) -> Iterator[SetupCheck]:
    """Check, and with ``send`` set, what workflows need. Raises UsageError, ForgeError."""
    snapshot = load_snapshot(start)
    settings = snapshot.settings
    forge = find_forge(settings.forge)
    if forge is None:
        raise UsageError(
            f"there is no token to ask the forge with, in {' or '.join(TOKEN_VARIABLES)}",
            hint=f"Make one, for a day, at {_token_address(settings.forge)}",
        )
    wanted = DesiredState(
        branch=settings.branch, ledger=settings.ledger, label=APPROVAL_LABEL,
        status=STATUS_CONTEXT, organisers=tuple(settings.organisers),
        is_sealed=bool(settings.seal), app=app, account=account,
        has_encrypted_data=any(
            pin.encrypted
            for benchmark in snapshot.benchmarks.values()
            for task in benchmark.tasks
            for pin in task.private
        ),
        has_forms=any(one.of_plugins.get("form") for one in snapshot.benchmarks.values()),
    )  # fmt: skip
    return _inspect(forge, wanted, send=send)


def _inspect(forge: Forge, wanted: DesiredState, *, send: bool) -> Iterator[SetupCheck]:
    """Check part by part; what else an organiser set stays. Raises ForgeError, PlatformError."""
    kind = gitea if forge.client.root.endswith("/api/v1") else github
    reader = kind.reader(forge)
    for part, check in kind.parts(reader, wanted):
        missing: tuple[MissingSetting, ...] = ()
        failed = None
        try:
            missing = tuple(check())
            for one in missing:
                if send and one.request is not None:
                    reader.send(one.request)
        except ForgeError as error:
            failed = error
        yield SetupCheck(part=part, missing=missing, error=failed)


def _token_address(address: str) -> str:
    """Page that makes a token, all ticked on GitHub. Raises UsageError."""
    parts = urllib.parse.urlsplit(address)
    owner, _, name = parts.path.strip("/").partition("/")
    if not parts.netloc or not name or "/" in name:
        raise UsageError(
            f"'{address}' is not the address of a repository",
            hint='Set it in pyproject.toml: [tool.pullbench] forge = "https://HOST/OWNER/NAME".',
        )
    server = f"{parts.scheme}://{parts.netloc}"
    if "github" not in parts.netloc:
        return f"{server}/user/settings/applications"
    given = {"name": "pullbench setup", "target_name": owner, "expires_in": "1", **_PERMISSIONS}
    return f"{server}/settings/personal-access-tokens/new?{urllib.parse.urlencode(given)}"
