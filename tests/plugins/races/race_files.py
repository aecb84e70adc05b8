"""Races in turn, made by hand."""

import datetime as dt
import math
from collections.abc import Sequence
from pathlib import Path

from evaluator.core.formats.attachments import RACE_SUFFIX
from evaluator.core.formats.record import Attachment, Record
from evaluator.plugins.races.race_file import RaceHead, Turns, encode_race
from tests.repository import put_record

STARTED = dt.datetime(2026, 3, 9, tzinfo=dt.UTC)


def race_against(
    best: str, content: str, leads: Sequence[float | None], started: dt.datetime = STARTED
) -> bytes:
    pairs = [
        [Turns(task="one", first="best", best=1, challenger=None if x is None else math.exp(x))]
        for x in leads
    ]
    return encode_race(RaceHead(best=best, content=content, started=started, void=0), pairs)


def put_race(folder: Path, first: Record, content: bytes) -> None:
    """Write how a race went beside the first record of its challenger."""
    path = folder / first.cell.attachment_path(RACE_SUFFIX)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    put_record(folder, first.replace(attachments={RACE_SUFFIX: Attachment.of(content)}))
