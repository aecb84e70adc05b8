"""Records of hidden boards: what is hidden is encrypted to the organisers, and opened later.

A repository is read by everybody, records and artifacts too. So what ``disclose`` does not say of
a record does not stand in it in the clear, where the deployment names a key (``seal``): the public
part is what may be said, and beside it stands the whole, encrypted with age. Whoever evaluates
needs the public key alone.
"""

import base64
import os
from collections.abc import Mapping

import pyrage

from evaluator.accepting import Accepted
from evaluator.board.disclosure import disclose
from evaluator.board.published import published_record
from evaluator.errors import PlatformError, UsageError
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import CellId
from evaluator.formats.record import Record
from evaluator.formats.record_json import from_json, to_json
from evaluator.planning.plan import Cell
from evaluator.planning.records import RecordFiles

IDENTITY_VARIABLE = "PULLBENCH_IDENTITY"
"""The organisers' secret key, ``AGE-SECRET-KEY-…``; a secret of the deployment."""


def seal(record: Record, benchmark: Benchmark, recipient: str) -> Record:
    """Return the record as everybody may read it, with the whole sealed inside.

    Unchanged where nothing is hidden, or where it is sealed already. Without a ``recipient`` what
    ranks need stays in the clear, and what else may tell a hidden score is left out for good.
    Raises UsageError for a recipient that is none.
    """
    shown = published_record(record, benchmark)
    if record.sealed is not None or shown == record:
        return record
    if not recipient:
        return _bare(record, benchmark)
    try:
        key = pyrage.x25519.Recipient.from_str(recipient)
    except pyrage.RecipientError:
        raise UsageError(
            "[tool.pullbench] seal is not an age recipient",
            hint="`pullbench keygen` makes a pair; the setting is the line that begins with age1.",
        ) from None
    secret = base64.b64encode(pyrage.encrypt(to_json(record), [key])).decode("ascii")
    return shown.model_copy(update={"sealed": secret})


def seal_accepted(
    accepted: Mapping[CellId, Accepted], cells: Mapping[CellId, Cell], recipient: str
) -> dict[CellId, Accepted]:
    """Seal what was handed in unsealed, before it is kept anywhere."""
    found: dict[CellId, Accepted] = {}
    for cell, item in accepted.items():
        made = seal(item.record, cells[cell].benchmark, recipient)
        if made is not item.record:
            page = item.page if made.detailed_results is not None else None
            found[cell] = Accepted(record=made, content=to_json(made), page=page)
        else:
            found[cell] = item
    return found


def unseal(record: Record, benchmark: Benchmark, identity: str) -> Record:
    """Return what may be said of a sealed record now; the same where that is no more than before.

    Raises PlatformError where the identity does not open it, or opens another cell's record.
    """
    if record.sealed is None or not identity:
        return record
    whole = opened(record, identity)
    shown = published_record(whole, benchmark)
    if shown == whole:
        return whole
    again = shown.model_copy(update={"sealed": record.sealed})
    return record if again == record else again


def opened(record: Record, identity: str) -> Record:
    """Return the whole of a sealed record. Raises PlatformError."""
    where = record.cell.id.record_path
    try:
        key = pyrage.x25519.Identity.from_str(identity.strip())
        whole = from_json(pyrage.decrypt(base64.b64decode(record.sealed or ""), [key]))
    except (pyrage.IdentityError, pyrage.DecryptError, ValueError) as error:
        raise PlatformError(
            f"{where} cannot be opened: {type(error).__name__}",
            hint=f"Is {IDENTITY_VARIABLE} the key that belongs to [tool.pullbench] seal?",
        ) from None
    if whole.keys != record.keys or whole.status != record.status:
        raise PlatformError(
            f"{where} holds the sealed record of another evaluation",
            hint="Somebody put it there by hand; delete the file, so that its cell runs again.",
        )
    # The same content under another name has the same record.
    return whole.model_copy(update={"cell": record.cell, "earlier": record.earlier, "sealed": None})


def unseal_all(files: RecordFiles, benchmarks: Mapping[str, Benchmark]) -> dict[str, bytes]:
    """Path -> content of the records of which more may be said now than they say.

    Nothing without the secret key in the environment.
    """
    identity = os.environ.get(IDENTITY_VARIABLE, "")
    found: dict[str, bytes] = {}
    for cell, content in files.stream(files) if identity else ():
        if b'"sealed"' not in content:
            continue
        try:
            record = from_json(content)
        except ValueError:
            continue  # `validate` reports it
        benchmark = benchmarks.get(record.cell.benchmark)
        if benchmark is not None:
            fresh = to_json(unseal(record, benchmark, identity))
            if fresh != content:
                found[cell.record_path] = fresh
    return found


def generate() -> tuple[str, str]:
    """Make a key pair: the public recipient and the secret identity."""
    identity = pyrage.x25519.Identity.generate()
    return str(identity.to_public()), str(identity)


def _bare(record: Record, benchmark: Benchmark) -> Record:
    """Leave out the page, the other numbers and the logs that may not be shown."""
    said = disclose(record, benchmark)
    return record.model_copy(
        update={
            "extra": dict(said.extra),
            "detailed_results": record.detailed_results if said.detailed_results else None,
            "steps": [
                step.model_copy(update={"log": said.logs.get(step.step, "")})
                for step in record.steps
            ],
        }
    )
