"""Scores files -> the table of one phase."""

import datetime as dt
import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.reported import Reported
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import CellError, Reason
from evaluator.core.formats.scores_file import Line, Run, ScoresFile, Took
from evaluator.core.formats.submission import Submission
from evaluator.core.formats.sums import deviation, mean
from evaluator.core.leaderboard.cells import computed
from evaluator.core.leaderboard.failures import kind_of_text
from evaluator.core.leaderboard.grids import Grids
from evaluator.core.leaderboard.table import (
    FAILED,
    FINISHED,
    MISSING,
    STALE,
    Facts,
    Floats,
    LoadRecords,
    States,
    Table,
)
from evaluator.core.leaderboard.times import read_moment
from evaluator.core.scores.redaction import day_of, withheld_error

_REPORTED_REASONS = {"time": Reason.TIMED_OUT, "memory": Reason.OUT_OF_MEMORY}
"""Reasons of failures that others report, by their kind; any other is an error's."""
_NAN = math.nan


class TableBuilder:
    """Takes the scores of one submission after another, and keeps none of their objects."""

    def __init__(self, benchmark: Benchmark, phase: Phase, tasks: Sequence[Task]) -> None:
        self._benchmark = benchmark
        self._keys = benchmark.boards[phase.slug].score_keys
        self._withheld = phase.shows == "status"
        self._tasks = {task.slug: task for task in tasks}
        self._places = {slug: place for place, slug in enumerate(self._tasks)}
        self._counted = len(tasks)
        self._repeats = {task.slug: benchmark.repeats_of(task) for task in tasks}
        self._submissions: list[Submission] = []
        self._facts: list[Facts] = []
        self._errors: dict[tuple[int, int], CellError] = {}
        self._less: dict[tuple[int, int], dict[str, None]] = defaultdict(dict)
        self._columns = _Columns(scores={key: [] for key in self._keys})

    def add_variant(self, variant: Task) -> None:
        """Add the place of a task on which some stages alone take part."""
        if variant.slug not in self._places:
            self._places[variant.slug] = len(self._places)
            self._tasks[variant.slug] = variant
            self._repeats[variant.slug] = self._benchmark.repeats

    def add(
        self,
        submission: Submission,
        file: ScoresFile | None,
        stale: Collection[tuple[str, int | None]] = (),
        cells: Collection[tuple[str, int | None]] | None = None,
    ) -> None:
        """Add a submission with the lines of a scores file that are of the board's tasks.

        ``stale`` are tasks and repeats whose lines are of other content than the commit's; where
        ``cells`` are given, no others count.
        """
        place = len(self._submissions)
        self._submissions.append(submission)
        if file is None or submission.reported is not None:
            self._facts.append(Facts())
            return
        lines = [
            (task, line)
            for line in file.cells
            if (task := self._places.get(line.task)) is not None
            and (cells is None or (line.task, line.repeat) in cells)
            and _is_repeat(line.repeat, self._repeats[line.task])
        ]
        lines.sort(key=lambda item: item[0])  # as tasks stand on the board
        tasks, own = [task for task, _ in lines], [line for _, line in lines]
        self._add_lines(place, tasks, own, file.runs, stale)
        less = {name for name, run in file.runs.items() if any(s.less for s in run.steps.values())}
        for task, line in lines:
            if line.error is not None:
                error = withheld_error(line.error) if self._withheld else line.error
                self._errors.setdefault((task, place), error)
            if line.run in less and not self._withheld:
                for text in _less(file.runs[line.run], line):
                    self._less[task, place][text] = None
        self._facts.append(_facts(file, own[: bisect_left(tasks, self._counted)]))

    def _add_lines(
        self, submission: int, tasks: list[int], lines: list[Line], runs: Mapping[str, Run],
        stale: Collection[tuple[str, int | None]],
    ) -> None:  # fmt: skip
        columns = self._columns
        columns.submission += [submission] * len(lines)
        columns.task += tasks
        columns.repeat += [line.repeat or 0 for line in lines]
        columns.finished += [line.status == "finished" for line in lines]
        columns.failed += [line.error is not None for line in lines]
        columns.stale += [(line.task, line.repeat) in stale for line in lines]
        columns.queue += [runs[line.run].queue for line in lines]
        columns.scored += [self._scored(line) for line in lines]
        shown = not self._withheld
        for key, values in columns.scores.items():
            values += [
                line.scores.get(key, _NAN) if shown and line.status == "finished" else _NAN
                for line in lines
            ]
        ingestion = [line.ingestion if shown else None for line in lines]
        scoring = [line.scoring if shown else None for line in lines]
        columns.ingestion += [took.wall_seconds if took else _NAN for took in ingestion]
        columns.scoring += [took.wall_seconds if took else _NAN for took in scoring]
        columns.ingestion_memory += map(_peak, ingestion)
        columns.scoring_memory += map(_peak, scoring)

    def _scored(self, line: Line) -> dt.datetime | None:
        """Return when a cell first was."""
        if line.status != "finished":
            return None
        if line.earlier and not self._withheld:
            return read_moment(line.earlier[0].finished)
        ended = line.started + dt.timedelta(seconds=line.seconds)
        return day_of(ended) if self._withheld else ended

    def table(self, load_records: LoadRecords) -> Table:
        lines = self._columns.arrays()
        grids = Grids(lines, len(self._places), len(self._submissions), self._columns.scores)
        repeats = np.array(list(self._repeats.values()), dtype=np.int64)[:, None]
        states = np.where(
            grids.any("stale"), STALE,
            np.where(grids.count < repeats, MISSING,
                     np.where(grids.any("failed"), FAILED, FINISHED)),
        ).astype(np.int8)  # fmt: skip
        values, deviations = grids.means(self._keys)
        at_once = np.array([task.parallel for task in self._tasks.values()], dtype=np.bool_)
        for place, submission in enumerate(self._submissions):
            if submission.reported is not None:
                self._report(place, submission.reported, states, values, deviations)
        for column in self._benchmark.leaderboard.computed:
            column_values = computed(column, values)
            if column_values is not None:
                values[column.key] = column_values
        return Table(
            submissions=tuple(self._submissions),
            tasks=tuple(self._places),
            lines=lines,
            task_places=np.arange(len(self._places)),
            submission_places=np.arange(len(self._submissions)),
            states=states,
            values=values,
            deviations={key: grid for key, grid in deviations.items() if not np.isnan(grid).all()},
            seconds=grids.seconds(at_once),
            memory=grids.largest(("ingestion_memory", "scoring_memory")),
            recorded=grids.count > 0,
            errors=self._errors,
            less={place: ", ".join(texts) for place, texts in self._less.items()},
            facts=tuple(self._facts),
            load_records=load_records,
        )

    def _report(
        self, submission: int, reported: Reported, states: States,
        values: Mapping[str, Floats], deviations: Mapping[str, Floats],
    ) -> None:  # fmt: skip
        """Write what is reported into the grids: it stands as it is."""
        for slug, task in self._places.items():
            scores, spreads, why = _reported_scores(reported, slug, self._keys)
            for key in self._keys:
                values[key][task, submission] = scores.get(key, _NAN)
                deviations[key][task, submission] = spreads.get(key, _NAN)
            states[task, submission] = FAILED if why else FINISHED if scores else MISSING
            if why:
                reason = _REPORTED_REASONS.get(kind_of_text(why), Reason.EXITED)
                self._errors[task, submission] = CellError(
                    actor=Actor.PARTICIPANT, reason=reason, message=why
                )


@dataclass(kw_only=True)
class _Columns:
    """The columns of ``Table.lines`` while they grow."""

    scores: dict[str, list[float]]
    submission: list[int] = field(default_factory=list)
    task: list[int] = field(default_factory=list)
    repeat: list[int] = field(default_factory=list)
    finished: list[bool] = field(default_factory=list)
    failed: list[bool] = field(default_factory=list)
    stale: list[bool] = field(default_factory=list)
    ingestion: list[float] = field(default_factory=list)
    scoring: list[float] = field(default_factory=list)
    ingestion_memory: list[float] = field(default_factory=list)
    scoring_memory: list[float] = field(default_factory=list)
    queue: list[str] = field(default_factory=list)
    scored: list[dt.datetime | None] = field(default_factory=list)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        kinds: dict[type[np.generic], tuple[str, ...]] = {
            np.intp: ("submission", "task", "repeat"),
            np.bool_: ("finished", "failed", "stale"),
            np.float64: ("ingestion", "scoring", "ingestion_memory", "scoring_memory"),
            np.object_: ("queue", "scored"),
        }
        return {
            name: np.array(getattr(self, name), kind)
            for kind, names in kinds.items()
            for name in names
        }


def _is_repeat(repeat: int | None, repeats: int) -> bool:
    """Whether a cell is of the repeats that the bundle asks for."""
    return repeat is None if repeats == 1 else repeat is not None and repeat < repeats


def _peak(took: Took | None) -> float:
    return _NAN if took is None or took.peak_memory is None else took.peak_memory


def _less(run: Run, line: Line) -> list[str]:
    """Return what the machine did not give the steps that ran."""
    took = {"ingestion": line.ingestion, "scoring": line.scoring}
    return [given.less for step, given in run.steps.items() if given.less and took[step]]


def _facts(file: ScoresFile, lines: Sequence[Line]) -> Facts:
    runs = [file.runs[line.run] for line in lines]
    return Facts(
        submitted=min((run.submitted for run in runs), default=""),
        contents=tuple(dict.fromkeys(run.submission for run in runs)),
        has_earlier=any(line.earlier for line in lines),
        has_details=any(line.details is not None for line in lines),
    )


def _reported_scores(
    reported: Reported, task: str, keys: Sequence[str]
) -> tuple[Mapping[str, float], Mapping[str, float], str]:
    """Return means and deviations over the folds that are reported of a task, and why it failed."""
    why = reported.why(task)
    folds = reported.folds.get(task)
    if folds is None:
        return reported.scores.get(task, {}), reported.deviations.get(task, {}), why
    finished = [fold for fold in folds if not isinstance(fold, str)]
    values, deviations = {}, {}
    for key in keys:
        if finished and all(key in fold for fold in finished):
            numbers = [fold[key] for fold in finished]
            values[key] = mean(numbers)
            if len(numbers) > 1:
                deviations[key] = deviation(numbers)
    return values, deviations, why
