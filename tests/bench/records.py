"""Records of measurements -> files of scores and logs."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from evaluator.core.errors import Actor
from evaluator.core.formats.record import (
    CellError,
    Provenance,
    Reason,
    Record,
    Step,
    StepName,
    record_keys,
)
from evaluator.core.formats.record_lines import encode_logs, file_of, logs_of
from evaluator.core.formats.scores_file import encode
from evaluator.core.planning.cells import Cell

STEPS: tuple[StepName, ...] = ("ingestion", "scoring")


def files_of(records: Iterable[Record]) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the files of records that come file by file."""
    for place, group in groupby(records, key=lambda record: record.cell.place):
        own = list(group)
        yield place.cell("").scores_path, encode(file_of(own))
        logs = encode_logs({record.cell.file_stem: logs_of(record) for record in own})
        if logs is not None:
            yield place.cell("").logs_path, logs


def plain_record(cell: Cell, score: float = 1.0) -> Record:
    """Return a record of a cell as of any other."""
    steps = [
        Step(step=step, wall_seconds=1.0, cpu_seconds=1.0, peak_memory=2**20, exit_code=0)
        for step in STEPS
    ]
    return Record(
        cell=cell.id, keys=record_keys(cell.keys), status="finished", scores={"score": score},
        steps=steps,
        provenance=Provenance(
            submission_tree=cell.keys.parts["submission"], submitted="2026-01-01T00:00",
            started="2026-01-01T00:00:00+00:00", finished="2026-01-01T00:01:00+00:00",
            evaluator="0.1.0", image="python:3.11-slim", isolation="docker", queue="default",
            cpu="bench", cpus=2, memory=2**34,
        ),
    )  # fmt: skip


def failure(message: str) -> CellError:
    """Return why a participant's program failed."""
    return CellError(
        actor=Actor.PARTICIPANT, reason=Reason.EXITED, message=message, step="ingestion"
    )
