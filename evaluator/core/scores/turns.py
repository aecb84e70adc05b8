"""Entries that run once more, in turn with the best, before their scores are written."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from evaluator.core.compute.evaluation import Evaluated
from evaluator.core.compute.job import Job
from evaluator.core.formats.attachments import ATTACHMENTS, RACE_SUFFIX
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Record
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.plugins import Service


class RaceInTurn(Protocol):
    """Runs an entry and the best before it in turn, where the bundle asks for that."""

    def due(self, snapshot: Snapshot, now: dt.datetime) -> Sequence[str]:
        """Ids of submissions with records that are to race once more."""

    def run(
        self,
        snapshot: Snapshot,
        cell: Cell,
        records: Sequence[Record],
        run_again: Callable[[Cell], Record],
    ) -> bytes | None:
        """Take all records of a submission, and the first one's cell, whose attachment is returned.

        It has the earlier races of the same content, too. None if there are none.
        """


RACE = Service[RaceInTurn]("races.alternate")


def race_of(benchmarks: Iterable[Benchmark]) -> RaceInTurn | None:
    """The races if a benchmark asks for them: they load all that boards need."""
    kind = ATTACHMENTS.get(RACE_SUFFIX)
    return RACE.load() if kind and any(map(kind.takes, benchmarks)) else None


def with_races(
    race: RaceInTurn | None,
    snapshot: Snapshot,
    raced: Mapping[str, Sequence[tuple[Job, Evaluated]]],
    planned: Mapping[CellId, PlannedCell],
    run_again: Callable[[Cell], Record],
) -> Iterator[tuple[Job, Evaluated]]:
    """Race submissions in the order in which they came; the first cell of each says how it went."""
    if raced:  # that of a pull request has the entries of its participant alone
        snapshot = read_snapshot(snapshot.tree)
    for ended in sorted(raced.values(), key=lambda one: one[0][1].record.provenance.submitted):
        (job, first), *others = ended
        records = [one.record for _, one in ended]
        content = race and race.run(snapshot, planned[job.cell].cell, records, run_again)
        files = {}
        if race and content:
            first = first.with_attachment(RACE_SUFFIX, content)
            files = {job.cell.attachment_path(RACE_SUFFIX): content}
        every = [(job, first), *others]
        snapshot = snapshot.with_records({job.cell: one.record for job, one in every}, files)
        yield from every
