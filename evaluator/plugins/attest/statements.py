"""What a statement says: an in-toto statement about lines of scores files.

The digest of a line covers the line and its run. A subject is a scores file, and its digest covers
the lines of the cells that the statement is about, in the order of the file: 32 bytes for each.
"""

import base64
import datetime as dt
import hashlib
from collections.abc import Collection, Mapping
from typing import Annotated, Literal, NamedTuple

import msgspec

from evaluator.core.formats.json_reader import form_reader, read_json
from evaluator.core.formats.scores_file import ScoresFile

FOLDER = "statements"
"""Folder of the ledger."""
CHAIN = f"{FOLDER}/chain"
"""The statements that name the one before them, each by its number."""
ACCEPTED = "https://github.com/pullbench/pullbench/accepted/v1"
"""CI accepted records for the base branch."""
KEPT = "https://github.com/pullbench/pullbench/kept/v1"
"""CI keeps records in the ledger. A subject is one record by its score key."""
RE_DERIVED = "https://github.com/pullbench/pullbench/re-derived/v1"
"""Somebody evaluated cells again and compared. A subject is one line: PATH#CELL."""
_MAX_BYTES = 64 * 2**20
_encode = msgspec.json.Encoder(order="deterministic").encode
Lines = dict[str, str]
"""``task`` or ``task.repeat`` -> SHA-256 of the line and its run."""


class Subject(msgspec.Struct, frozen=True):
    """A scores file by its path, or one line of it."""

    name: str
    digest: dict[str, str]


class Predicate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said of the subjects."""

    repository: str
    """Its address on its forge."""
    base: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{40,64}$", max_length=64)]
    """Commit of the base branch on top of which it is said."""
    at: Annotated[dt.datetime, msgspec.Meta(tz=True)]
    evaluator: str
    """Version of pullbench."""
    number: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Place in the ledger's chain; 0 of a statement from before there were chains."""
    previous: list[str] = []
    """Digests of what it follows: of one statement; of the first, all that have no number."""
    run: str = ""
    """Address of the run of the workflow."""
    images: list[str] = []
    """Ids of the images in which the cells ran."""
    cells: dict[str, list[str]] = {}
    """Path -> the cells that the digest covers; a path that is missing: all of its file."""
    replaces: dict[str, dict[str, str]] = {}
    """Path -> cell -> digest of the line that went: with these a reader computes the digests of
    earlier statements from the lines of today."""
    by: str = ""
    """Who evaluated again."""
    verdicts: dict[str, str] = {}
    """Name of a subject -> what ``pullbench reproduce`` says of it."""


class Statement(msgspec.Struct, frozen=True, kw_only=True, rename={"type": "_type"}):
    """in-toto Statement v1."""

    type: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
    subject: list[Subject]
    predicate_type: str = msgspec.field(name="predicateType")
    predicate: Predicate


class _Signature(msgspec.Struct):
    sig: str
    keyid: str = ""


class _Envelope(msgspec.Struct):
    """DSSE."""

    payload: str
    signatures: list[_Signature]


encode_statement = _encode
decode_statement = form_reader(Statement, max_bytes=_MAX_BYTES)


def brings_scores(statement: Statement) -> bool:
    """Whether it is of scores, and not of a commit that landed."""
    return statement.predicate_type == ACCEPTED and statement.subject[0].name != FOLDER


def path_begin(number: int) -> str:
    """How the path of a statement of the chain begins."""
    return f"{CHAIN}/{number // 1000:05}/{number:08}-"


def subject(name: str, digest: str) -> Subject:
    return Subject(name, {"sha256": digest})


def payload_of(envelope: Mapping[str, object]) -> bytes:
    return base64.b64decode(str(envelope["payload"]), validate=True)


class StatementFile(NamedTuple):
    """What a file says, whoever wrote it."""

    statement: Statement
    digest: str
    """SHA-256 of the payload, which the next statement names: other signatures do not change it."""


def read_claim(content: bytes) -> StatementFile:
    """Raise ValueError for what is no statement."""
    payload = payload_of(read_envelope(content)[0])
    return StatementFile(decode_statement(payload), hashlib.sha256(payload).hexdigest())


def read_envelope(content: bytes) -> tuple[dict[str, object], bool]:
    """The DSSE envelope of a statement, and whether sigstore's bundle is around it.

    Raises ValueError.
    """
    data = read_json(content, max_bytes=_MAX_BYTES)
    is_bundle = isinstance(data, dict) and "dsseEnvelope" in data
    envelope = data["dsseEnvelope"] if is_bundle else data
    try:
        msgspec.convert(envelope, _Envelope)  # the libraries trust the types of a stranger's file
    except msgspec.ValidationError as error:
        raise ValueError(f"is no DSSE envelope: {error}") from None
    return envelope, is_bundle


def lines_of(file: ScoresFile | None) -> Lines:
    if file is None:
        return {}
    runs = {name: b"\n" + _encode(run) for name, run in file.runs.items()}
    return {
        line.task if line.repeat is None else f"{line.task}.{line.repeat}": hashlib.sha256(
            _encode(line) + runs[line.run]
        ).hexdigest()
        for line in file.cells
    }


def digest_of(lines: Mapping[str, str], cells: Collection[str]) -> str:
    """SHA-256 over the digests of the lines of cells, 32 bytes each, in the order of the cells."""
    digests = "".join(lines.get(cell, "") for cell in sorted(cells))
    return hashlib.sha256(bytes.fromhex(digests)).hexdigest()
