"""Preloaded by a worker of Dask that lies: what it answers for whom."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from evaluator.core.compute.evaluation import Evaluated
from evaluator.core.compute.job import Job
from evaluator.core.formats.record import Attachment
from evaluator.plugins.dask.worker import CellPlugin

HONEST = getattr(CellPlugin, "honest", CellPlugin.evaluate)  # Dask loads this twice
HUGE = b"x" * (5 * 2**20)


def lie(self: CellPlugin, job: Job, *, fresh: bool) -> Any:
    answer = HONEST(self, job, fresh=fresh)
    record = answer.record
    named = Attachment.of(HUGE)
    lies: dict[str, Callable[[], Any]] = {
        "raises": lambda: 1 // 0,
        "rubbish": lambda: {"scores": {"right": 1.0}},
        "anothers": lambda: edited(cell=replace(record.cell, participant="alice")),
        "column": lambda: edited(scores={**record.scores, "bonus": 9.0}),
        "log": lambda: edited(steps=[replace(record.steps[0], log="x" * 2**20)]),
        "page": lambda: replace_page(b"<script>", record),
        "large": lambda: replace_page(HUGE, edited(attachments={"html": named}).record),
        "isolated": lambda: edited(provenance=record.provenance.replace(isolation="docker")),
    }

    def edited(**changes: Any) -> Evaluated:
        return Evaluated(record=record.replace(**changes), attachments=answer.attachments)

    def replace_page(page: bytes, record: Any) -> Evaluated:
        return Evaluated(record=record, attachments={"html": page})

    return lies.get(job.cell.participant, lambda: answer)()  # type: ignore[no-untyped-call]


CellPlugin.honest = HONEST  # type: ignore[attr-defined]
CellPlugin.evaluate = lie  # type: ignore[method-assign]
