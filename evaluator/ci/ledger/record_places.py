"""Places of records in the ledger: by the content of their submission, their key and their time."""

import datetime as dt
import hashlib
from typing import NamedTuple

from evaluator.ci.ledger.ledger_notes import EVALUATED, shard
from evaluator.ci.ledger.record_identity import identity
from evaluator.core.formats.cell import SEALED, Keys
from evaluator.core.formats.record import Record, RecordKeys
from evaluator.core.formats.record_lines import to_json


class RecordKey(NamedTuple):
    """Where records of a cell stand, under whatever name."""

    submission: str
    """Digest of the submission's content."""
    score: str


def key_of(keys: Keys | RecordKeys) -> RecordKey:
    """Return where records of some keys stand: those of a cell, or of a record."""
    return RecordKey(keys.parts.get("submission", ""), keys.score)


def record_files(record: Record, page: bytes | None, at: dt.datetime) -> dict[str, bytes]:
    """Return what keeps a record: named by its key, the time and its own content.

    So it is never overwritten, and the last that came is told from the others. All records of a
    submission stand in one folder, by its content: the same under another name adopts them.
    """
    content = to_json(record)
    folder, digest = folder_of(key_of(record.keys)), hashlib.sha256(content).hexdigest()
    stamp = at.astimezone(dt.UTC).strftime(_STAMP)
    files = {f"{folder}/{record.keys.score}-{stamp}-{digest}.json": content}
    if page is not None:
        files[page_file(record)] = page
    return files


_STAMP = "%Y%m%dT%H%M%S%f"


def added_stamp(path: str) -> str:
    """Return what orders records by the time at which they were added."""
    return path.split("-")[-2]


def page_file(record: Record) -> str:
    """Return the path of the detailed results of a record."""
    return f"{folder_of(key_of(record.keys))}/{record.keys.score}-{page_name(record)}"


def page_name(record: Record) -> str:
    """Name detailed results by what they are, or where that is sealed by whose they are."""
    page = record.detailed_results
    return f"{identity(record)}.html{SEALED}" if page is None else f"{page.sha256}.html"


def folder_of(key: RecordKey) -> str:
    """Return the folder of all records of a submission's content."""
    return f"{shard(EVALUATED, key.submission)}/{key.submission}"
