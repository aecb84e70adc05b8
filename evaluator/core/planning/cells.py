"""The cells of a snapshot, each with its keys."""

import datetime as dt
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId, Keys
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.digests import PartDigests, TaskRepeat
from evaluator.core.planning.entries import entries
from evaluator.core.planning.records import ScoreKeys
from evaluator.core.planning.snapshot import Snapshot


class Cell(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A cell with all that is needed to evaluate it."""

    id: CellId
    keys: Keys
    benchmark: Benchmark
    phase: Phase
    task: Task
    submission: Submission
    migrated: bool
    """Whether it was carried here from the phase before."""

    @property
    def scores_files(self) -> bool:
        """Whether the submission's files are scored as they are, and none of them is run."""
        return self.submission.kind.scores_files(self.task) or self.task.is_check

    @property
    def is_whole(self) -> bool:
        """Whether all of the submission takes part, and not some of its stages alone."""
        return self.task.stages is None or self.task.stages == self.submission.stages


def cells(snapshot: Snapshot, now: dt.datetime) -> Iterator[Cell]:
    """All cells of a snapshot, with their keys; ``now`` decides what has been migrated."""
    return cells_of(snapshot, entries(snapshot, now), PartDigests(snapshot.tree))


def cells_of(
    snapshot: Snapshot, entries: Iterable[Submission], digests: PartDigests
) -> Iterator[Cell]:
    for submission in entries:
        for run, content in _runs(snapshot, submission, digests):
            yield _cell(snapshot, submission, run, content)


def open_cells(
    snapshot: Snapshot, entries: Sequence[Submission], digests: PartDigests, now: dt.datetime
) -> tuple[list[Cell], int]:
    """Cells that have no valid record, or not begun; and how many others count."""
    files = snapshot.record_files
    files.read_keys(one.place for one in entries)
    open_ones: list[Cell] = []
    settled = 0
    for submission in entries:
        keys = files.score_keys(submission.place)
        for run, content in _runs(snapshot, submission, digests):
            key = run.keys.score(content, run.number, run.stages)
            if keys.get(run.name) == key and run.phase.has_started(now):
                settled += not run.task.retired
            else:
                open_ones.append(_cell(snapshot, submission, run, content))
    return open_ones, settled


def score_keys(snapshot: Snapshot, submission: Submission, digests: PartDigests) -> ScoreKeys:
    return {
        run.name: run.keys.score(content, run.number, run.stages)
        for run, content in _runs(snapshot, submission, digests)
    }


def _runs(
    snapshot: Snapshot, submission: Submission, digests: PartDigests
) -> Iterable[tuple[TaskRepeat, str]]:
    """What a submission is evaluated on, each with the digest of what takes part of it."""
    benchmark = snapshot.benchmarks[submission.benchmark]
    phase = benchmark.phase(submission.phase)
    if phase is None or not submission.kind.is_evaluated:
        return ()
    tasks = _tasks(snapshot, submission, benchmark, phase)
    runs = digests.tasks(benchmark, phase, tasks, submission.environment)
    if any(task.stages is not None for task in tasks):
        return [(run, digests.submission(submission, run.task.stages)) for run in runs]
    return zip(runs, itertools.repeat(digests.submission(submission)), strict=False)


def _cell(snapshot: Snapshot, submission: Submission, run: TaskRepeat, content: str) -> Cell:
    return Cell(
        id=submission.cell(*run.name),
        keys=run.keys.of(content, run.number, run.stages),
        benchmark=snapshot.benchmarks[submission.benchmark],
        phase=run.phase,
        task=run.task,
        submission=submission,
        migrated=snapshot.by_id[submission.id].phase != submission.phase,
    )


def _tasks(
    snapshot: Snapshot, submission: Submission, benchmark: Benchmark, phase: Phase
) -> tuple[Task, ...]:
    """What it is tried on: a data set on its check, and as an accepted row on all."""
    dataset = snapshot.datasets.get(submission.id)
    check: tuple[Task, ...] = ()
    if dataset is not None and submission.phase == dataset.submission.phase:
        check = tuple(filter(None, [benchmark.check_task]))
    if dataset is not None and not (dataset.counts and submission.kind.is_row(benchmark)):
        return check
    tasks = phase.tasks
    if benchmark.stages and submission.kind.runs_code:
        tasks = tuple(
            variant
            for task in phase.tasks
            for variant in (
                replace(task, stages=submission.stages), *task.variants(submission.stages)
            )
        )  # fmt: skip
    return (*check, *tasks) if check else tasks
