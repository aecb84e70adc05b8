"""One table of cells: a line for each, from the scores files; and the same by task and submission.

Everything that a board shows, ranks or exports comes from here. Grids hold a line for each task
and a column for each submission; NaN stands for none. What only the pages of single submissions
show, their records, is read again from the scores file when it is asked for.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from evaluator.core.formats.record import CellError, Record
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.cells import STATES, TaskResult

Floats = npt.NDArray[np.float64]
States = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Weights = npt.NDArray[np.int64]
Places = npt.NDArray[np.intp]
FINISHED, FAILED, STALE, MISSING = range(len(STATES))
T = TypeVar("T")
ByCell = Mapping[tuple[int, int], T]
"""Places of a task and of a submission -> something."""
LoadRecords = Callable[[Submission, str], Sequence[Record]]
"""Submission, slug of a task -> its records by repeat."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What the records of one submission say of it as a whole."""

    submitted: str = ""
    """ISO time; empty before the first record."""
    contents: tuple[str, ...] = ()
    """Digests of the submission's files, as its records have them, in the order of tasks."""
    has_earlier: bool = False
    """Whether a record remembers former scores."""
    has_details: bool = False
    """Whether a record has detailed results."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """The cells of submissions to one phase."""

    submissions: tuple[Submission, ...]
    tasks: tuple[str, ...]
    """Slugs: of the phase's tasks, then of variants in which some stages alone take part."""
    lines: Mapping[str, npt.NDArray[Any]]
    """What ``cells`` holds, as it was read: of more tasks and submissions perhaps."""
    task_places: Places
    """Of each task of ``lines`` its place in this table; -1 of one that is not in it."""
    submission_places: Places
    """The same of submissions."""
    states: States
    """Places among STATES."""
    values: Mapping[str, Floats]
    """Column key -> values over repeats, computed columns included; also of what is stale."""
    deviations: Mapping[str, Floats]
    """Column key -> sample standard deviations over repeats, of columns that have any."""
    seconds: Floats
    """Wall-clock time of all steps and repeats."""
    memory: Floats
    """Bytes of the largest step."""
    recorded: Flags
    """Whether there is a record."""
    errors: ByCell[CellError]
    """The first failure of each."""
    less: ByCell[str]
    """What a machine did not give of what was asked for."""
    facts: tuple[Facts, ...]
    """By submission."""
    load_records: LoadRecords

    @cached_property
    def cells(self) -> pd.DataFrame:
        """A line for each cell with a record.

        ``submission`` and ``task`` (places), ``repeat``, ``finished``, ``failed``, ``stale``,
        ``ingestion`` and ``scoring`` (wall-clock seconds), ``ingestion_memory`` and
        ``scoring_memory`` (bytes), ``queue``, and ``scored``: when it first was.
        """
        cells = pd.DataFrame(dict(self.lines))
        cells["task"] = self.task_places[self.lines["task"]]
        cells["submission"] = self.submission_places[self.lines["submission"]]
        cells["queue"] = cells["queue"].astype("category")
        cells["scored"] = pd.to_datetime(cells["scored"], utc=True)
        return cells[(cells["task"] >= 0) & (cells["submission"] >= 0)]

    def finished(self, key: str) -> Floats:
        return np.where(self.states == FINISHED, self.value(key), np.nan)

    def value(self, key: str) -> Floats:
        """Return the values of a column; NaN everywhere for one that nothing has."""
        grid = self.values.get(key)
        return np.full(self.states.shape, np.nan) if grid is None else grid

    def with_values(self, values: Mapping[str, Floats]) -> "Table":
        """Return the table with columns added, or in place of those of the same key."""
        return replace(self, values={**self.values, **values})

    @cached_property
    def place_of_task(self) -> Mapping[str, int]:
        return {slug: place for place, slug in enumerate(self.tasks)}

    def select(self, submissions: Sequence[int], tasks: Sequence[int] | None = None) -> "Table":
        """Return the table of some submissions, by their places, in that order."""
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
            facts=tuple(self.facts[place] for place in submissions),
        )

    def results(self, submission: int, tasks: Sequence[int]) -> list[TaskResult]:
        which = (np.asarray(tasks, np.intp), submission)
        values, deviations = _by_task(self.values, which), _by_task(self.deviations, which)
        states = self.states[which].tolist()
        seconds = self.seconds[which].tolist()
        memory = self.memory[which].tolist()
        return [
            TaskResult(
                state=STATES[states[number]],
                values=values[number],
                deviations=deviations[number],
                error=self.errors.get((task, submission)),
                seconds=_number(seconds[number]),
                peak_memory=None if math.isnan(memory[number]) else int(memory[number]),
                less=self.less.get((task, submission), ""),
                has_earlier=self.facts[submission].has_earlier,
                load=partial(self._records, task, submission),
            )
            for number, task in enumerate(tasks)
        ]

    def _records(self, task: int, submission: int) -> tuple[Record, ...]:
        if not self.recorded[task, submission]:
            return ()
        return tuple(self.load_records(self.submissions[submission], self.tasks[task]))


def _compose(places: Places, new_places: Places) -> Places:
    """Return the places after another selection."""
    return np.where(places < 0, -1, new_places[places])


def _new_places(wanted: Sequence[int], count: int) -> Places:
    places = np.full(count, -1, dtype=np.intp)
    places[np.asarray(wanted, np.intp)] = np.arange(len(wanted))
    return places


def _by_task(
    grids: Mapping[str, Floats], which: tuple[npt.NDArray[np.intp], int]
) -> list[dict[str, float]]:
    """Return by task the values that a submission has, by key."""
    values: list[dict[str, float]] = [{} for _ in which[0]]
    for key, grid in grids.items():
        for of_task, value in zip(values, grid[which].tolist(), strict=True):
            if not math.isnan(value):
                of_task[key] = value
    return values


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
