"""A class list as the closed list of a bundle: digests, which tell no names."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.policy.entrants import Participants, digest_of
from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.edited_yaml import with_value
from evaluator.plugins.courses.grades import LOGIN, NUMBER, read_students


@dataclass(frozen=True, kw_only=True)
class Listed:
    """What became of a bundle's list."""

    path: str
    listed: int
    added: int
    removed: int
    without_login: tuple[str, ...]
    """Numbers of the students who cannot enter."""


def list_participants(start: Path, benchmark: str, roster: Path) -> Listed:
    """Write the digests of a class list into the bundle. Raises UsageError."""
    students = read_students(roster)
    snapshot = load_snapshot(start, only=benchmark)
    bundle = snapshot.benchmark(benchmark)
    before: Participants = bundle.of_plugins.get("participants") or Participants.model_construct()
    if before.names or before.domains:
        raise UsageError(
            f"{benchmark} lets others in by 'names' or 'domains'",
            hint=f"Take them out of {bundle.path}/{FILE_NAME}, or put them on the class list.",
        )
    salt = before.salt or secrets.token_hex(8)
    digests = {digest_of(salt, one[LOGIN]) for one in students if one[LOGIN]}
    if not digests:
        raise UsageError(f"{roster} has no login", hint="Then nobody could enter.")
    file = snapshot.tree.root / bundle.path / FILE_NAME
    value = {"salt": salt, "digests": sorted(digests)}
    file.write_bytes(with_value(file.read_bytes(), value, "pullbench", "participants"))
    return Listed(
        path=f"{bundle.path}/{FILE_NAME}", listed=len(digests),
        added=len(digests.difference(before.digests)),
        removed=len(set(before.digests) - digests),
        without_login=tuple(one[NUMBER] for one in students if not one[LOGIN]),
    )  # fmt: skip
