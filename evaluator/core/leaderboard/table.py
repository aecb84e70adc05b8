"""One table of cells, from the scores files; everything that is shown, ranked or exported is here.

It has two forms. *Lines* hold one cell each, a repeat of a task by a submission: its scores, extra
numbers, times and whether it failed. *Grids*, by task and submission, join the repeats; NaN stands
for none. Records are read again for logs and detailed pages alone.
"""

import datetime as dt
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from evaluator.core.formats.record import CellError, Earlier, Record
from evaluator.core.formats.submission import Submission

State = Literal["finished", "failed", "stale", "missing"]
"""``stale``: there is a record, but of other content than the commit's; ``missing``: none yet."""
STATES: tuple[State, ...] = ("finished", "failed", "stale", "missing")
"""In the order of their numbers; that of what finished is 0."""
FINISHED, FAILED, STALE, MISSING = range(len(STATES))
Floats = npt.NDArray[np.float64]
States = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Weights = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
Lines = Mapping[str, npt.NDArray[Any]]
T = TypeVar("T")
ByCell = Mapping[tuple[int, int], T]
"""Places of a task and of a submission -> something."""
LoadRecords = Callable[[Submission, str], Sequence[Record]]
"""Submission, slug of a task -> its records by repeat."""
ReadFiles = Callable[[Iterable[str]], Mapping[str, bytes]]
"""Paths -> contents of those that are there."""
SCORE, EXTRA = "score:", "extra:"
"""Before a key, in the names of lines' columns."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the records of one submission say of it as a whole."""

    submitted: str = ""
    """ISO time; empty before the first record."""
    contents: tuple[str, ...] = ()
    """Digests of the submission's files, as its records have them, in the order of tasks."""
    has_attachments: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """The cells of submissions to one phase."""

    submissions: tuple[Submission, ...]
    tasks: tuple[str, ...]
    """Slugs: of the phase's tasks, then of variants in which some stages alone take part."""
    repeats: Places
    """By task, how often it is run."""
    at_once: Flags
    """By task, whether its steps run at the same time."""
    lines: Lines
    """What ``cells`` holds, as it was read: of more tasks and submissions perhaps."""
    task_places: Places
    """Of each task of ``lines`` its place in this table; -1 of one that is not in it."""
    submission_places: Places
    """The same of submissions."""
    states: States
    """Places among STATES."""
    values: Mapping[str, Floats]
    """Column key -> means over repeats, computed columns included; also of what is stale."""
    deviations: Mapping[str, Floats]
    """Column key -> sample standard deviations over repeats, of columns that have any."""
    seconds: Floats
    """Wall-clock time of all steps and repeats."""
    memory: Floats
    """Bytes of the largest step."""
    recorded: Flags
    errors: ByCell[CellError]
    """The first failure of each."""
    less: ByCell[str]
    """What a machine did not give of what was asked for."""
    earlier: ByCell[Sequence[tuple[int | None, Earlier]]]
    """Repeats with the scores that they had under earlier versions of the benchmark."""
    facts: tuple[Facts, ...]
    load_records: LoadRecords
    read_files: ReadFiles

    @cached_property
    def cells(self) -> Lines:
        """The lines of its tasks and submissions, by column.

        ``submission`` and ``task`` (places), ``repeat``, ``finished``, ``failed``, ``stale``,
        ``reason`` (of a failure), ``started`` and ``took`` (seconds to its end), ``ingestion`` and
        ``scoring`` (wall-clock seconds), ``ingestion_memory`` and ``scoring_memory`` (bytes),
        ``queue``, ``has_earlier``, ``score:KEY`` for each column that is written, and ``extra:KEY``
        for numbers beside the columns.
        """
        task = self.task_places[self.lines["task"]]
        submission = self.submission_places[self.lines["submission"]]
        here = (task >= 0) & (submission >= 0)
        cells = {**self.lines, "task": task, "submission": submission}
        return cells if here.all() else {name: column[here] for name, column in cells.items()}

    def by_repeat(self, name: str) -> Floats:
        """A column of ``cells`` by task, submission and repeat; NaN for none."""
        cells = self.cells
        grid = np.full((*self.states.shape, self.repeats.max(initial=1)), np.nan)
        if name in cells:
            grid[cells["task"], cells["submission"], cells["repeat"]] = cells[name]
        return grid

    def finished(self, key: str) -> Floats:
        return np.where(self.states == FINISHED, self.value(key), np.nan)

    def value(self, key: str) -> Floats:
        grid = self.values.get(key)
        return np.full(self.states.shape, np.nan) if grid is None else grid

    @cached_property
    def place_of_task(self) -> Mapping[str, int]:
        return {slug: place for place, slug in enumerate(self.tasks)}

    def select(self, submissions: Sequence[int], tasks: Sequence[int] | None = None) -> "Table":
        """The table of some submissions, by their places, in that order."""
        if tasks is None:
            tasks = range(len(self.tasks))
        grid = np.ix_(np.asarray(tasks, np.intp), np.asarray(submissions, np.intp))
        new_task = _new_places(tasks, len(self.tasks))
        new_submission = _new_places(submissions, len(self.submissions))

        def moved(by_cell: ByCell[T]) -> dict[tuple[int, int], T]:
            places = ((new_task[task], new_submission[place]) for task, place in by_cell)
            return {
                (int(task), int(place)): value
                for (task, place), value in zip(places, by_cell.values(), strict=True)
                if task >= 0 and place >= 0
            }

        return replace(
            self,
            submissions=tuple(self.submissions[place] for place in submissions),
            tasks=tuple(self.tasks[place] for place in tasks),
            repeats=self.repeats[list(tasks)],
            at_once=self.at_once[list(tasks)],
            task_places=_compose(self.task_places, new_task),
            submission_places=_compose(self.submission_places, new_submission),
            states=self.states[grid],
            values={key: values[grid] for key, values in self.values.items()},
            deviations={key: values[grid] for key, values in self.deviations.items()},
            seconds=self.seconds[grid],
            memory=self.memory[grid],
            recorded=self.recorded[grid],
            errors=moved(self.errors),
            less=moved(self.less),
            earlier=moved(self.earlier),
            facts=tuple(self.facts[place] for place in submissions),
        )


def _compose(places: Places, new_places: Places) -> Places:
    return np.append(new_places, -1)[places]  # place -1 is nowhere, and stays so


def _new_places(wanted: Sequence[int], count: int) -> Places:
    places = np.full(count, -1, dtype=np.intp)
    places[np.asarray(wanted, np.intp)] = np.arange(len(wanted))
    return places


@dataclass(frozen=True, slots=True, eq=False)
class TaskResult:
    """What one submission reached on one task: a place of the table, read when it is asked."""

    table: Table
    task: int
    submission: int

    @property
    def state(self) -> State:
        return STATES[self.table.states.item(self.task, self.submission)]

    @property
    def values(self) -> dict[str, float]:
        return self._numbers(self.table.values)

    @property
    def deviations(self) -> dict[str, float]:
        return self._numbers(self.table.deviations)

    @property
    def seconds(self) -> float | None:
        """Wall-clock seconds of all repeats; None without a record."""
        seconds: float = self.table.seconds.item(self.task, self.submission)
        return None if math.isnan(seconds) else seconds

    @property
    def peak_memory(self) -> int | None:
        memory: float = self.table.memory.item(self.task, self.submission)
        return None if math.isnan(memory) else int(memory)

    @property
    def error(self) -> CellError | None:
        return self.table.errors.get((self.task, self.submission))

    @property
    def less(self) -> str:
        return self.table.less.get((self.task, self.submission), "")

    @property
    def earlier(self) -> Sequence[tuple[int | None, Earlier]]:
        return self.table.earlier.get((self.task, self.submission), ())

    @property
    def records(self) -> tuple[Record, ...]:
        """By repeat, those that are stale included; read when they are asked for."""
        table = self.table
        if not table.recorded[self.task, self.submission]:
            return ()
        return tuple(table.load_records(table.submissions[self.submission], table.tasks[self.task]))

    def _numbers(self, grids: Mapping[str, Floats]) -> dict[str, float]:
        numbers = ((key, grid.item(self.task, self.submission)) for key, grid in grids.items())
        return {key: number for key, number in numbers if not math.isnan(number)}


def end_of(started: dt.datetime, took: float) -> dt.datetime:
    return started + dt.timedelta(seconds=took)
