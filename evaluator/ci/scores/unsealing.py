"""Sealed records of a branch: sealed when they are accepted, opened when more may be public."""

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import pyrage

from evaluator.ci.ledger.ledger_notes import identity
from evaluator.ci.scores.encryption import decrypt_attachment
from evaluator.ci.scores.record_faults import record_fault
from evaluator.ci.scores.validation import Accepted
from evaluator.core.errors import PlatformError
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import SEALED, CellId
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import without_logs
from evaluator.core.formats.settings import SEAL_IDENTITY
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import redact, unhidden
from evaluator.core.scores.sealing import encrypt_attachments, encrypt_hidden, opened


def seal_accepted(
    accepted: Mapping[CellId, Accepted], cells: Mapping[CellId, Cell], recipient: str
) -> dict[CellId, Accepted]:
    """Seal what was handed in unsealed, before it is stored anywhere."""
    sealed: dict[CellId, Accepted] = {}
    for cell, item in accepted.items():
        record = encrypt_hidden(item.record, cells[cell].benchmark, recipient)
        if record is not item.record:
            attachments = encrypt_attachments(item.attachments, record, recipient)
            sealed[cell] = Accepted(record=record, attachments=attachments)
        else:
            sealed[cell] = item
    return sealed


def republish(full_record: Record, record: Record, benchmark: Benchmark) -> Record:
    """A sealed record with what may be public by now; itself if nothing is new."""
    shown = redact(full_record, benchmark)
    if shown == full_record:
        return full_record.replace(id=identity(record))
    republished = shown.replace(sealed=record.sealed)
    return record if republished == record else republished


@dataclass(frozen=True, kw_only=True)
class Unsealed:
    """The result of opening the records of a branch."""

    records: Mapping[CellId, Record] = field(default_factory=dict)
    """Records of which more may be public than they show."""
    attachments: Mapping[str, bytes | None] = field(default_factory=dict)
    """By path; None of what is sealed no longer."""
    refused: Mapping[CellId, str] = field(default_factory=dict)
    """Why others are not what was asked for, now that somebody can look inside."""
    closed: Sequence[str] = ()
    """Why others stay as they are: the key in the environment is not the deployment's."""


def unseal_all(snapshot: Snapshot, expected: Mapping[CellId, Cell], now: dt.datetime) -> Unsealed:
    """Open what may be public by now, and check it again; nothing without the secret key."""
    key = os.environ.get(SEAL_IDENTITY, "")
    records: dict[CellId, Record] = {}
    attachments: dict[str, bytes | None] = {}
    refused: dict[CellId, str] = {}
    closed: list[str] = []
    for record in snapshot.record_files.sealed() if key else ():
        cell, benchmark = record.cell, snapshot.benchmarks.get(record.cell.benchmark)
        if benchmark is None:
            continue
        try:
            full_record = opened(record)
        except PlatformError as error:
            if not _belongs(key, snapshot.settings.seal):
                closed.append(f"{error.message}. {error.hint}")
                continue
            refused[cell] = error.message
            continue
        fault = inner_fault(full_record, record, expected.get(cell), now)
        if fault:
            refused[cell] = f"what was sealed {fault}"
            continue
        fresh = republish(full_record, record, benchmark)
        if without_logs(fresh) == record:
            continue
        records[cell] = fresh
        for suffix in ATTACHMENTS:
            plain = cell.attachment_path(suffix)
            sealed = f"{plain}{SEALED}"
            if fresh.path_of(suffix) != sealed and sealed in snapshot.tree.entries:
                content, named = snapshot.tree.read([sealed])[sealed], full_record.attachments
                attachments[plain] = decrypt_attachment(content, named.get(suffix))
                attachments[sealed] = None
    return Unsealed(records=records, attachments=attachments, refused=refused, closed=closed)


def inner_fault(
    full_record: Record, record: Record, wanted: Cell | None, now: dt.datetime
) -> str | None:
    """Why what was sealed in a record is not what its cell asks for."""
    inside, outside = full_record.provenance, record.provenance
    if inside.replace(started=outside.started, finished=outside.finished) != outside:
        return "names another machine or isolation than the line around it"
    bare = full_record.replace(earlier=[])
    if wanted is not None:
        # The sealed content has what a phase gives that hides nothing.
        whole_phase = unhidden(wanted.benchmark).phase(wanted.phase.slug) or wanted.phase
        wanted = msgspec.structs.replace(wanted, phase=whole_phase)
    return record_fault(bare, wanted, now)


def _belongs(key: str, recipient: str) -> bool:
    """Whether a secret key belongs to a public one, as far as that can be checked."""
    try:
        return str(pyrage.x25519.Identity.from_str(key.strip()).to_public()) == recipient
    except pyrage.IdentityError:
        return False
