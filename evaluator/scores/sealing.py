"""Records of hidden boards: the hidden part is encrypted to the organisers, and opened later.

A repository is read by everybody, records and artifacts too. So a record holds in the clear only
what ``disclose`` shows, where the deployment names a key (``seal``); beside it stands the full
record, encrypted with age. Evaluating needs the public key alone.
"""

import base64
import datetime as dt
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import pyrage

from evaluator.errors import PlatformError
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.envelopes import IDENTITY_VARIABLE, close, open_envelope, open_with
from evaluator.formats.record import Record
from evaluator.formats.record_identity import identity, without_logs
from evaluator.formats.record_lines import from_json, to_json
from evaluator.planning.plan import Cell
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.redaction import disclose, published_record, unhidden
from evaluator.scores.validation import Accepted, fault_of


def seal(record: Record, benchmark: Benchmark, recipient: str) -> Record:
    """Return the public part of a record, with the full record sealed inside.

    Unchanged where nothing is hidden, or where it is sealed already. Without a ``recipient`` what
    ranks need stays in the clear, and whatever else may reveal a hidden score is left out for good.
    Raises UsageError for an invalid recipient.
    """
    shown = published_record(record, benchmark)
    if record.sealed is not None or shown == record:
        return record
    if not recipient:
        return _bare(record, benchmark)
    secret = base64.b64encode(close(to_json(record), recipient)).decode("ascii")
    return shown.model_copy(update={"sealed": secret})


def seal_page(page: bytes | None, record: Record, recipient: str) -> bytes | None:
    """Return detailed results as they may lie beside a record that went through ``seal``."""
    if page is None or record.detailed_results is not None:
        return page
    return close(page, recipient) if recipient and record.sealed is not None else None


def opened_page(content: bytes, full_record: Record) -> bytes | None:
    """Return detailed results that were sealed, if they are those that the whole record names.

    Raises PlatformError where the environment has no key.
    """
    named = full_record.detailed_results
    try:
        page = open_envelope(content)
    except ValueError:
        return None
    if named is None or len(page) != named.bytes:
        return None
    return page if hashlib.sha256(page).hexdigest() == named.sha256 else None


def seal_accepted(
    accepted: Mapping[CellId, Accepted], cells: Mapping[CellId, Cell], recipient: str
) -> dict[CellId, Accepted]:
    """Seal what was handed in unsealed, before it is stored anywhere."""
    sealed: dict[CellId, Accepted] = {}
    for cell, item in accepted.items():
        record = seal(item.record, cells[cell].benchmark, recipient)
        if record is not item.record:
            page = seal_page(item.page, record, recipient)
            sealed[cell] = Accepted(record=record, page=page)
        else:
            sealed[cell] = item
    return sealed


def republished(full_record: Record, record: Record, benchmark: Benchmark) -> Record:
    """Return a sealed record with what may be public by now; unchanged where nothing is new."""
    shown = published_record(full_record, benchmark)
    if shown == full_record:
        return full_record.model_copy(update={"id": identity(record)})
    sealed = shown.model_copy(update={"sealed": record.sealed})
    return record if sealed == record else sealed


def opened(record: Record, key: str) -> Record:
    """Return the full record inside a sealed one, unchecked. Raises PlatformError."""
    where = f"{record.cell.id.scores_path}, {record.cell.file_stem},"
    try:
        secret = pyrage.x25519.Identity.from_str(key.strip())
        full_record = from_json(open_with(secret, base64.b64decode(record.sealed or "")))
    except (pyrage.IdentityError, pyrage.DecryptError, ValueError) as error:
        raise PlatformError(
            f"{where} cannot be opened: {type(error).__name__}",
            hint=f"Is {IDENTITY_VARIABLE} the key that belongs to [tool.pullbench] seal?",
        ) from None
    if full_record.keys != record.keys or full_record.status != record.status:
        raise PlatformError(
            f"{where} holds the sealed record of another evaluation",
            hint="Somebody put it there by hand; delete the file, so that its cell runs again.",
        )
    # The same content under another name has the same record.
    came = {"submitted": record.provenance.submitted}
    return full_record.model_copy(
        update={
            "cell": record.cell, "earlier": record.earlier, "sealed": None,
            "provenance": full_record.provenance.model_copy(update=came),
        }
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Unsealed:
    """The result of opening the records of a branch."""

    records: Mapping[CellId, Record] = field(default_factory=dict)
    """Records of which more may be public than they show."""
    pages: Mapping[str, bytes | None] = field(default_factory=dict)
    """Path -> their detailed results; None of what is sealed no longer."""
    refused: Mapping[CellId, str] = field(default_factory=dict)
    """Why others are not what was asked for, now that somebody can look inside."""
    closed: Sequence[str] = ()
    """Why others stay as they are: the key in the environment is not the deployment's."""


def unseal_all(snapshot: Snapshot, expected: Mapping[CellId, Cell], now: dt.datetime) -> Unsealed:
    """Open what may be public by now, and check it as if it were handed in in the clear.

    Opens nothing without the secret key in the environment.
    """
    key = os.environ.get(IDENTITY_VARIABLE, "")
    records: dict[CellId, Record] = {}
    pages: dict[str, bytes | None] = {}
    refused: dict[CellId, str] = {}
    closed: list[str] = []
    for record in snapshot.record_files.sealed() if key else ():
        cell, benchmark = record.cell, snapshot.benchmarks.get(record.cell.benchmark)
        if benchmark is None:
            continue
        try:
            full_record = opened(record, key)
        except PlatformError as error:
            if not _belongs(key, snapshot.settings.seal):
                closed.append(f"{error.message}. {error.hint}")
                continue
            refused[cell] = error.message
            continue
        fault = _inner_fault(full_record, record, expected.get(cell), now)
        if fault:
            refused[cell] = f"what was sealed {fault}"
            continue
        fresh = republished(full_record, record, benchmark)
        if without_logs(fresh) == record:
            continue
        records[cell] = fresh
        plain, sealed = cell.page_paths
        if fresh.page_path != sealed and sealed in snapshot.tree.entries:
            pages[plain] = opened_page(snapshot.tree.read([sealed])[sealed], full_record)
            pages[sealed] = None
    return Unsealed(records=records, pages=pages, refused=refused, closed=closed)


def _inner_fault(
    full_record: Record, record: Record, wanted: Cell | None, now: dt.datetime
) -> str | None:
    """Return why a sealed content differs from what its record was accepted for."""
    times = {"started": "", "finished": ""}
    inside, outside = (item.provenance.model_copy(update=times) for item in (full_record, record))
    if inside != outside:
        return "names another machine or isolation than what stands outside"
    bare = full_record.model_copy(update={"earlier": []})
    if wanted is not None:
        # Inside stands what a phase gives that hides nothing.
        whole_phase = unhidden(wanted.benchmark).phase(wanted.phase.slug) or wanted.phase
        wanted = msgspec.structs.replace(wanted, phase=whole_phase)
    return fault_of(bare, wanted, now)


def _belongs(key: str, recipient: str) -> bool:
    """Whether a secret key belongs to a public one, as far as that can be checked."""
    try:
        return str(pyrage.x25519.Identity.from_str(key.strip()).to_public()) == recipient
    except pyrage.IdentityError:
        return False


def generate() -> tuple[str, str]:
    """Make a key pair: the public recipient and the secret identity."""
    identity = pyrage.x25519.Identity.generate()
    return str(identity.to_public()), str(identity)


def _bare(record: Record, benchmark: Benchmark) -> Record:
    """Leave out the page, the other numbers and the logs that may not be shown."""
    disclosure = disclose(record, benchmark)
    return record.model_copy(
        update={
            "extra": dict(disclosure.extra),
            "detailed_results": record.detailed_results if disclosure.detailed_results else None,
            "steps": [
                step.model_copy(update={"log": disclosure.logs.get(step.step, "")})
                for step in record.steps
            ],
        }
    )
