"""Goes through all that a repository is to have, whatever becomes of the single things."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import Forge
from evaluator.plugins.forge_setup import gitea, github
from evaluator.plugins.forge_setup.wanted import Missing, Wanted


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One part of the set-up, as it was found, and as it was left."""

    part: str
    """What was looked at, such as ``the label `evaluate` ``."""
    missing: tuple[Missing, ...] = ()
    error: ForgeError | None = None
    """Why it could not be looked at, or not be set."""


def inspect(forge: Forge, wanted: Wanted, *, send: bool) -> Iterator[Checked]:
    """Check the set-up part by part, and with ``send`` set what is missing.

    What an organiser set besides is left as it is. Raises ForgeError where the repository itself
    cannot be read, and PlatformError.
    """
    kind = gitea if is_gitea(forge) else github
    reader = kind.reader(forge)
    for part, check in kind.parts(reader, wanted):
        missing: tuple[Missing, ...] = ()
        try:
            missing = tuple(check())
            for request in (request for one in missing for request in one.requests if send):
                reader.send(request)
        except ForgeError as error:
            yield Checked(part=part, missing=missing, error=error)
        else:
            yield Checked(part=part, missing=missing)


def is_gitea(forge: Forge) -> bool:
    """Whether a forge is Gitea or Forgejo, by the root of its interface."""
    return forge.client.root.endswith("/api/v1")
