"""Scores files -> the table of one phase."""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import Reported
from evaluator.core.formats.phases import Phase, Task
from evaluator.core.formats.record import CellError, Earlier
from evaluator.core.formats.scores_file import Line, Run, ScoresFile, Took
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.computed import add_computed
from evaluator.core.leaderboard.previous_lines import KINDS, Compared, PreviousLines, columns_of
from evaluator.core.leaderboard.repeats import join_repeats
from evaluator.core.leaderboard.reported import reported_scores
from evaluator.core.leaderboard.table import (
    EXTRA,
    FAILED,
    FINISHED,
    MISSING,
    SCORE,
    Facts,
    Floats,
    Lines,
    LoadRecords,
    ReadFiles,
    States,
    Table,
)
from evaluator.core.scores.redaction import withheld_line

_NAN = math.nan
T = TypeVar("T")


class TableBuilder:
    """Takes the scores of one submission after another, and keeps none of their objects."""

    def __init__(
        self, benchmark: Benchmark, phase: Phase, tasks: Sequence[Task],
        previous: PreviousLines | None = None,
    ) -> None:  # fmt: skip
        self._benchmark = benchmark
        self._previous = previous or PreviousLines()
        self._new_places = np.full(len(self._previous.digests), -1, np.intp)
        self._keys = benchmark.boards[phase.slug].score_keys
        # Numbers beside the columns that somebody reads from the table.
        self._extra = {benchmark.fingerprint} - {""}
        self._withheld = phase.shows == "status"
        self._tasks = {task.slug: task for task in tasks}
        self._places = {slug: place for place, slug in enumerate(self._tasks)}
        self._counted = len(tasks)
        self._repeats = {task.slug: benchmark.repeats_of(task) for task in tasks}
        self._submissions: list[Submission] = []
        self._facts: list[Facts] = []
        self._errors: dict[tuple[int, int], CellError] = {}
        self._less: dict[tuple[int, int], dict[str, None]] = defaultdict(dict)
        self._earlier: dict[tuple[int, int], list[tuple[int | None, Earlier]]] = defaultdict(list)
        self._lines: dict[str, list[Any]] = defaultdict(list)

    def add_variants(self, stages: Sequence[str]) -> None:
        for task in list(self._tasks.values())[: self._counted] if stages else ():
            for variant in task.variants(tuple(stages)):
                if variant.slug not in self._places:
                    self._places[variant.slug] = len(self._places)
                    self._tasks[variant.slug] = variant
                    self._repeats[variant.slug] = self._benchmark.repeats

    def add_previous(self, submission: Submission, place: int) -> None:
        self._new_places[place] = len(self._submissions)
        self._submissions.append(submission)
        self._facts.append(self._previous.facts[place])

    def add(
        self,
        submission: Submission,
        file: ScoresFile | None,
        stale: Collection[tuple[str, int | None]] = (),
        cells: Collection[tuple[str, int | None]] | None = None,
    ) -> None:
        """Add lines of the board's tasks, or ``cells``; ``stale`` ones are of other content."""
        place = len(self._submissions)
        self._submissions.append(submission)
        if file is None or submission.reported is not None:
            self._facts.append(Facts())
            return
        lines = [
            (task, withheld_line(line) if self._withheld else line)
            for line in file.cells
            if (task := self._places.get(line.task)) is not None
            and (cells is None or (line.task, line.repeat) in cells)
            and _is_repeat(line.repeat, self._repeats[line.task])
        ]
        lines.sort(key=lambda item: item[0])  # as tasks stand on the board
        tasks, cell_lines = [task for task, _ in lines], [line for _, line in lines]
        self._add_lines(place, tasks, cell_lines, file.runs, stale)
        less = {name for name, run in file.runs.items() if any(s.less for s in run.steps.values())}
        for task, line in lines:
            if line.error is not None:
                self._errors.setdefault((task, place), line.error)
            if line.run in less:
                for text in _less(file.runs[line.run], line):
                    self._less[task, place][text] = None
            if line.earlier:
                self._earlier[task, place] += ((line.repeat, item) for item in line.earlier)
        self._facts.append(_facts(file, cell_lines[: bisect_left(tasks, self._counted)]))

    def _add_lines(
        self, submission: int, tasks: list[int], lines: list[Line], runs: Mapping[str, Run],
        stale: Collection[tuple[str, int | None]],
    ) -> None:  # fmt: skip
        columns = self._lines
        columns["submission"] += [submission] * len(lines)
        columns["task"] += tasks
        columns["repeat"] += [line.repeat or 0 for line in lines]
        columns["finished"] += [line.status == "finished" for line in lines]
        columns["failed"] += [line.error is not None for line in lines]
        columns["reason"] += [
            line.error.reason if line.error and not self._withheld else "" for line in lines
        ]
        columns["stale"] += [(line.task, line.repeat) in stale for line in lines]
        columns["has_earlier"] += [bool(line.earlier) for line in lines]
        columns["queue"] += [runs[line.run].queue for line in lines]
        for key in self._keys:
            columns[SCORE + key] += [
                line.scores.get(key, _NAN) if line.status == "finished" else _NAN for line in lines
            ]
        for key in self._extra:
            columns[EXTRA + key] += [line.extra.get(key, _NAN) for line in lines]
        columns["started"] += [line.started for line in lines]
        columns["took"] += [line.seconds for line in lines]
        ingestion = [line.ingestion for line in lines]
        scoring = [line.scoring for line in lines]
        columns["ingestion"] += [took.wall_seconds if took else _NAN for took in ingestion]
        columns["scoring"] += [took.wall_seconds if took else _NAN for took in scoring]
        columns["ingestion_memory"] += map(_peak, ingestion)
        columns["scoring_memory"] += map(_peak, scoring)

    @cached_property
    def _all_lines(self) -> Lines:
        self._add_lines(0, [], [], {}, ())  # each column is there
        lines = {
            name: np.array(column, KINDS.get(name, np.float64))
            for name, column in self._lines.items()
        }
        before = dict(self._previous.lines())
        if not before:
            return lines
        before["submission"] = self._new_places[before["submission"]]
        both = {name: np.concatenate([before[name], column]) for name, column in lines.items()}
        order = np.argsort(both["submission"], kind="stable")
        order = order[both["submission"][order] >= 0]
        self._join(self._errors, self._previous.errors)
        less = [(task, place, dict.fromkeys(x)) for task, place, x in self._previous.less]
        self._join(self._less, less)
        self._join(self._earlier, self._previous.earlier)
        return {name: column[order] for name, column in both.items()}

    def _join(self, found: dict[tuple[int, int], T], before: Iterable[tuple[int, int, T]]) -> None:
        """Add what was found before, in the order in which it would be found now."""
        moved = ((task, int(self._new_places[place]), value) for task, place, value in before)
        found |= {(task, place): value for task, place, value in moved if place >= 0}
        ordered = sorted(found.items(), key=lambda item: item[0][::-1])
        found.clear()
        found.update(ordered)

    def lines(self, digests: list[str], compared: list[Compared]) -> PreviousLines:
        """What it holds for a later build; to be called before ``table``."""
        return PreviousLines(
            digests=digests,
            compared=compared,
            columns=columns_of(self._all_lines),
            facts=self._facts,
            errors=[(*cell, error) for cell, error in self._errors.items()],
            less=[(*cell, [*texts]) for cell, texts in self._less.items()],
            earlier=[(*cell, items) for cell, items in self._earlier.items()],
        )

    def table(self, load_records: LoadRecords, read_files: ReadFiles) -> Table:
        lines = self._all_lines
        tasks, submissions = len(self._places), len(self._submissions)
        repeats = np.array(list(self._repeats.values()), np.intp)
        at_once = np.array([task.parallel for task in self._tasks.values()], np.bool_)
        grids = join_repeats(lines, submissions, repeats, at_once)
        values, deviations = grids["values"], grids["deviations"]
        for place, submission in enumerate(self._submissions):
            if submission.reported is not None:
                self._report(place, submission.reported, grids["states"], values, deviations)
        add_computed(values, self._benchmark.leaderboard.computed)
        grids["deviations"] = {
            key: grid for key, grid in deviations.items() if not np.isnan(grid).all()
        }
        return Table(
            submissions=tuple(self._submissions),
            tasks=tuple(self._places),
            repeats=repeats,
            at_once=at_once,
            lines=lines,
            task_places=np.arange(tasks),
            submission_places=np.arange(submissions),
            errors=self._errors,
            less={place: ", ".join(texts) for place, texts in self._less.items()},
            earlier=dict(self._earlier),
            facts=tuple(self._facts),
            load_records=load_records,
            read_files=read_files,
            **grids,
        )

    def _report(
        self, submission: int, reported: Reported, states: States,
        values: Mapping[str, Floats], deviations: Mapping[str, Floats],
    ) -> None:  # fmt: skip
        for slug, task in self._places.items():
            scores, spreads, error = reported_scores(reported, slug, self._keys)
            for key in self._keys:
                values[key][task, submission] = scores.get(key, _NAN)
                deviations[key][task, submission] = spreads.get(key, _NAN)
            states[task, submission] = FAILED if error else FINISHED if scores else MISSING
            if error:
                self._errors[task, submission] = error


def _is_repeat(repeat: int | None, repeats: int) -> bool:
    return repeat is None if repeats == 1 else repeat is not None and repeat < repeats


def _peak(took: Took | None) -> float:
    return _NAN if took is None or took.peak_memory is None else took.peak_memory


def _less(run: Run, line: Line) -> list[str]:
    took = {"ingestion": line.ingestion, "scoring": line.scoring}
    return [given.less for step, given in run.steps.items() if given.less and took[step]]


def _facts(file: ScoresFile, lines: Sequence[Line]) -> Facts:
    runs = [file.runs[line.run] for line in lines]
    return Facts(
        submitted=min((run.submitted for run in runs), default=""),
        contents=tuple(dict.fromkeys(run.submission for run in runs)),
        has_attachments=any(line.details or line.files for line in lines),
    )
