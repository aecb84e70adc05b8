"""What a sealed file holds: predictions, and a statement of whose they are and for what.

The digest of both, SHA-256 over the sorted names and digests of the files, is the commitment: it
names the sealed file, and anybody can compute it once the entry is open.
"""

import datetime as dt
from pathlib import Path
from typing import Literal

import msgspec

from evaluator.core.errors import UsageError
from evaluator.core.formats.json_reader import UnreadableError, form_reader
from evaluator.core.formats.pinned_files import SealedFile
from evaluator.importing.pinned import content_digest

STATEMENT = "seal.json"
PREDICTIONS = "predictions"
"""Folder of the files beside it."""


class SealStatement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose entry it is. The salt keeps anybody from finding a small entry by trying."""

    type: Literal["pullbench.seal.v1"] = "pullbench.seal.v1"
    benchmark: str
    participant: str
    phase: str
    until: dt.datetime
    """When it may be opened, as the phase had it when it was sealed."""
    to: str
    """Public key of the organisers."""
    salt: str


_read_statement = form_reader(SealStatement, max_bytes=4096)


def misfit(folder: Path, sealed: SealedFile, benchmark: str, participant: str) -> str:
    """Say why what was opened is not what a participant sealed; empty if it is."""
    try:
        if content_digest(folder) != sealed.sha256:
            return "its content is not what its name says"
        said = _read_statement((folder / STATEMENT).read_bytes())
    except (UsageError, UnreadableError, OSError) as error:
        return f"its {STATEMENT}: {error}"
    if (said.benchmark, said.participant, said.phase) != (benchmark, participant, sealed.phase):
        return f"it was sealed by {said.participant} for {said.benchmark}, phase '{said.phase}'"
    if said.until.tzinfo is None or said.until > sealed.until:
        return f"it was sealed until {said.until}, which is after the date of the phase"
    return "" if (folder / PREDICTIONS).is_dir() else "it holds no predictions"
