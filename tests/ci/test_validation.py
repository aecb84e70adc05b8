"""What is handed in is held to the worker's own limits, whatever it claims."""

import datetime as dt
import hashlib

import pytest

from evaluator.ci.ledger.ledger_notes import identity
from evaluator.ci.scores.record_faults import MAX_SEALED
from evaluator.ci.scores.validation import Checked, check
from evaluator.core.compute.scoring import MAX_PAGE_BYTES
from evaluator.core.formats.record import (
    MAX_EXTRA,
    MAX_LOG,
    Attachment,
    Earlier,
    Record,
    Step,
)
from evaluator.core.formats.record_lines import to_json
from evaluator.core.scores.uploads import Upload, read_folder
from tests.records import cells_of, make_record, record_of
from tests.repository import Repository

NOW = dt.datetime(2026, 1, 3, tzinfo=dt.UTC)
CELL = "adding/alice/right/main/one"


def honest(repo: Repository) -> Record:
    return record_of(cells_of(repo)[CELL])


def checked(repo: Repository, record: Record, page: bytes | None = None) -> Checked:
    cell = cells_of(repo)[CELL]
    handed = Upload()
    pages = {cell.id.attachment_path("html"): page} if page else {}
    handed.add({cell.id.part_path: to_json(record), **pages})
    return check(handed, {cell.id: cell}, NOW)


def steps(number: int, **changes: object) -> dict[str, object]:
    made = Step(step="scoring", wall_seconds=0.1).replace(**changes)
    return {"steps": [made] * number}


EARLIER = Earlier(score_key="e" * 64, scores={"right": 1.0}, finished="2026-01-01T00:00:00+00:00")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"earlier": [EARLIER] * 500}, "tells of earlier scores"),
        ({"tries": 3}, "counts its tries"),
        ({"extra": {f"x{n}": 1.0 for n in range(MAX_EXTRA + 1)}}, "has 101 extra numbers"),
        ({"extra": {"x" * 65: 1.0}}, "a key that is too long"),
        (steps(1, log="x" * (MAX_LOG + 1)), "a log that is too long"),
        (steps(1, gpus=["one"] * 65), "too many GPUs"),
        (steps(1, gpus=["x" * 5000]), "a text that is too long"),
        ({"id": "f" * 64}, "has an id"),
        ({"sealed": "x" * (MAX_SEALED + 1)}, "a sealed part that is too large"),
        ({"attachments": {"html": Attachment(sha256="a" * 64, bytes=60 * 2**20)}}, "too large"),
        # "execution_time_limit: 3", and a container may take a while to be stopped.
        (steps(1, wall_seconds=64.0), "a step of 64 s; the limit is 3 s"),
        (steps(1, wall_seconds=7.0), "a step of 7 s in an evaluation of 1 s"),
    ],
)
def test_the_workers_limits_hold_at_acceptance(
    small: Repository, changes: dict[str, object], message: str
) -> None:
    assert checked(small, honest(small)).malformed == ()
    done = checked(small, honest(small).replace(**changes))
    assert not done.accepted
    assert message in done.malformed[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"finished": "2030-12-31T00:00:00+00:00"}, "ended in the future"),
        ({"started": "2026-01-02T00:00:02+00:00"}, "ended before it began"),
        ({"submitted": "yesterday"}, "has a time that is none"),
        ({"submission_tree": "0" * 64}, "has parts that do not make its key"),
        ({"image": "mallory/image"}, "names the image 'mallory/image'"),
        ({"cpu": "x" * 5000}, "a text that is too long"),
    ],
)
def test_times_and_origin_are_not_whatever_a_record_says(
    small: Repository, changes: dict[str, str], message: str
) -> None:
    record = honest(small)
    forged = {"provenance": record.provenance.replace(**changes)}
    done = checked(small, record.replace(**forged))
    assert not done.accepted
    assert message in done.malformed[0]


def test_pages_of_60_mib_are_not_even_read(small: Repository) -> None:
    cell = cells_of(small)[CELL]
    page = b"x" * (MAX_PAGE_BYTES + 1)
    named = Attachment(sha256=hashlib.sha256(page).hexdigest(), bytes=MAX_PAGE_BYTES)
    folder = small.path / "build" / "records"
    for path, content in (
        (cell.id.part_path, to_json(record_of(cell, attachments={"html": named}))),
        (cell.id.attachment_path("html"), page),
    ):
        small.write(f"build/records/{path}", content)
    handed = read_folder(folder)
    assert list(handed.records) == [cell.id]
    assert not handed.attachments
    # Nor is a page taken that is of another size than its record says.
    done = checked(small, record_of(cell, attachments={"html": named}), page)
    assert done.accepted[cell.id].attachments == {}
    assert "is not what the record of" in done.left_out[0]


def test_the_identity_of_a_record_with_a_page_is_frozen() -> None:
    """Else a record that was withdrawn would count again."""
    page = Attachment(sha256="2" * 64, bytes=3)
    record = make_record().replace(attachments={"html": page})
    assert identity(record) == "e3eb843b6658717e26aee1d8609a640b24b109f63d81d13cb0e5503d6c386404"


def test_an_attachment_of_no_known_kind_is_refused(small: Repository) -> None:
    named = {"attachments": {"exe": Attachment(sha256="2" * 64, bytes=3)}}
    done = checked(small, honest(small).replace(**named))
    assert "has an attachment of no known kind" in done.malformed[0]
