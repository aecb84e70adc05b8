"""Records made by hand, for tests of what happens to records."""

from functools import cache
from pathlib import Path
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.cell import CellId, Keys, cell_keys
from evaluator.core.formats.record import (
    CellError,
    Provenance,
    Reason,
    Record,
    Step,
    record_keys,
)
from evaluator.core.planning.cells import Cell, cells
from evaluator.core.planning.digests import recorded_keys
from evaluator.core.scores.uploads import records_in
from tests.repository import Repository

PARTS = {
    "submission": "5" * 64,
    "ingestion_program": "1" * 64,
    "input_data": "2" * 64,
    "image": "3" * 64,
    "limits": "4" * 64,
    "repeat": "0",
    "scoring_program": "6" * 64,
    "reference_data": "7" * 64,
    "columns": "8" * 64,
}
STEPS = [Step(step=step, wall_seconds=0.25, exit_code=0) for step in ("ingestion", "scoring")]
"""Of a cell whose code ran; a record of ``make_record`` shows the scorer's alone."""
NAME = CellId(benchmark="b", participant="p", submission="s", phase="main", task="one")


def make_record(
    name: CellId = NAME, keys: Keys | None = None, scores: dict[str, float] | None = None
) -> Record:
    return Record(
        cell=name,
        keys=record_keys(keys or cell_keys(PARTS)),
        status="finished",
        scores=scores or {"score": 0.1},
        steps=[Step(step="scoring", wall_seconds=0.25, exit_code=0)],
        provenance=Provenance(
            submission_tree="5" * 64,
            commit=None,
            submitted="2026-01-01T00:00:00+00:00",
            started="2026-01-02T00:00:00+00:00",
            finished="2026-01-02T00:00:01+00:00",
            evaluator="0.1.0",
            image="python:3.11-slim",
            isolation="docker",
            queue="default",
            cpu="a processor",
            cpus=2,
            memory=2**30,
        ),
    )


def failed(record: Record, actor: Actor, reason: Reason = Reason.PLATFORM_FAULT) -> Record:
    error = CellError(actor=actor, reason=reason, message="it broke")
    return record.replace(status="failed", scores={}, error=error)


def record_of(cell: Cell, **changes: Any) -> Record:
    """Return a record of a cell that a plan accepts."""
    name = CellId(
        benchmark=cell.id.benchmark,
        participant=cell.id.participant,
        submission=cell.id.submission,
        phase=cell.id.phase,
        task=cell.id.task,
        repeat=cell.id.repeat,
    )
    scores = dict.fromkeys(recorded_keys(cell.benchmark, cell.phase, cell.task), 0.5)
    made = make_record(name, cell.keys, scores)
    provenance = made.provenance.replace(
        submission_tree=cell.keys.parts["submission"],
        image=cell.benchmark.docker_image,
    )
    return made.replace(provenance=provenance, **changes)


def cells_of(repo: Repository) -> dict[str, Cell]:
    return {str(cell.id): cell for cell in cells(repo.snapshot(), utc_now())}


def write_records(repo: Repository, *names: str) -> list[str]:
    """Write the records of all cells, or of some, into the working tree; returns their paths."""
    paths = set()
    for name, cell in cells_of(repo).items():
        if not names or name in names:
            repo.put(record_of(cell))
            paths.add(cell.id.scores_path)
    return sorted(paths)


def prediction_key(repo: Repository, record: Record) -> str:
    """Return the key of the predictions that a record is of."""
    return cells_of(repo)[str(record.cell)].keys.prediction


@cache
def committed(benchmark: str) -> dict[str, Record]:
    """Records of this repository, with their logs: ``participant/name/phase/task`` -> record."""
    root = Path(__file__).parents[1]
    every = sorted(records_in(root).items())
    return {
        f"{cell.participant}/{cell.submission}/{cell.phase}/{cell.file_stem}": record
        for cell, record in every
        if cell.benchmark == benchmark
    }
