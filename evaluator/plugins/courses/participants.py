"""A class list as the closed list of a bundle: digests, which tell no names."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.policy.entrants import Participants, digest_of
from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.quantities import to_datetime
from evaluator.core.planning.snapshot import load_snapshot
from evaluator.importing.edited_yaml import with_value
from evaluator.plugins.courses.grades import LOGIN, NUMBER, Student, read_students

UNTIL = "until"
"""Begins the name of a column with deadlines; the slug of the phase ends it."""


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
    """Write the digests of a class list, and its deadlines, into the bundle. Raises UsageError."""
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
    content = with_value(file.read_bytes(), value, "pullbench", "participants")
    for phase in bundle.phases:
        column = f"{UNTIL} {phase.slug}"
        given = [one for one in students if one[LOGIN] and one.get(column)]
        if any(column in one for one in students):
            ends = {digest_of(salt, one[LOGIN]): _moment(one, column, roster) for one in given}
            content = with_value(content, ends, "pullbench", "phases", phase.index, "until")
    file.write_bytes(content)
    return Listed(
        path=f"{bundle.path}/{FILE_NAME}", listed=len(digests),
        added=len(digests.difference(before.digests)),
        removed=len(set(before.digests) - digests),
        without_login=tuple(one[NUMBER] for one in students if not one[LOGIN]),
    )  # fmt: skip


def _moment(student: Student, column: str, roster: Path) -> str:
    try:
        return to_datetime(student[column]).isoformat()
    except ValueError as error:
        raise UsageError(f"{roster}: '{column}' of {student[NUMBER]}: {error}") from None
