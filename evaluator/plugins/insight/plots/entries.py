"""A published board -> what its figures are drawn from."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from evaluator.core.formats.columns import Column
from evaluator.core.formats.fact_sheet import answer_number
from evaluator.core.formats.phases import Task
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.table import STATES, Floats, State
from evaluator.plugins.insight.statistics.material import compared_column
from evaluator.site.leaderboard.usage import NO_PRICES, Prices, Usage, usage_by_row

Group = Literal["submission", "baseline", "reported"]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One submission."""

    participant: str
    name: str
    title: str
    group: Group
    listed: bool
    """Whether the submission rule of the board lists it."""
    submitted: str
    """ISO time; empty where it is not known."""
    rank: int | None
    score: float | None
    """In the primary column, over all tasks."""
    seconds: float | None
    """Wall-clock time of a run's prediction step, the mean over tasks and repeats."""
    memory: int | None
    """Bytes; the largest of all prediction steps."""
    cost: float | None
    """Price of ``seconds`` on the machines that it ran on."""
    numbers: Mapping[str, float] = {}
    """Answers to the questions of the fact sheet that ask for a number, by the question's key."""

    @property
    def id(self) -> str:
        return f"{self.participant}/{self.name}"


@dataclass(frozen=True, kw_only=True)
class BoardEntries:
    """One board, as figures see it."""

    title: str
    phase: str
    primary: Column
    compared: Column
    """By which single tasks are compared."""
    tasks: tuple[Task, ...]
    entries: tuple[Entry, ...]
    """As on the board, the best first, then those that it does not list."""
    values: Floats
    """In the column by which single tasks are compared, by task and entry; NaN for none."""
    failures: Mapping[str, int]
    """Task slug -> number of submissions that failed there."""
    missing: Mapping[str, int]
    """Task slug -> number of submissions without a current result there."""
    baseline: str
    """``participant/name``; empty for none."""
    currency: str
    transposed: bool
    """Whether rows are data sets, and tasks the organiser's methods."""
    asked: Mapping[str, str] = field(default_factory=dict)
    """Questions whose answers are numbers and stand on the board: key -> title."""

    def value(self, task: int, place: int) -> float | None:
        number = float(self.values[task, place])
        return None if math.isnan(number) else number

    @property
    def relative(self) -> bool:
        """Whether scores say how submissions compare, such as mean ranks."""
        return self.primary.key != self.compared.key

    @property
    def nouns(self) -> str:
        return "data sets" if self.transposed else "submissions"

    @property
    def listed(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.listed)


def gather(board: PublicBoard, prices: Prices = NO_PRICES) -> BoardEntries | None:
    benchmark = board.benchmark
    rules = benchmark.leaderboard
    primary, compared = rules.primary, compared_column(rules)
    if rules.hidden or board.phase.shows == "status" or primary.hidden or compared.hidden:
        return None
    # Where participants choose what is listed, they chose that the rest is not shown.
    unlisted = () if rules.submission_rule.startswith("Add") else board.unlisted
    everything = (*board.rows, *unlisted)
    shown = np.array([row.counts for row in everything], dtype=np.bool_)
    table = board.table
    asked = {
        question.key: question.title for question in benchmark.board_questions
        if benchmark.answer_forms.get(question.key) == "number"
    }  # fmt: skip
    rows = [row for row in everything if row.counts]
    ids = {row.submission.id for row in board.rows}
    usage = usage_by_row(board, prices)
    slugs = [task.slug for task in board.tasks]
    states = table.states[:, : len(shown)][:, shown]

    def counted(*names: State) -> dict[str, int]:
        counts = np.isin(states, [STATES.index(name) for name in names]).sum(axis=1)
        return dict(zip(slugs, counts.tolist(), strict=True))

    return BoardEntries(
        title=benchmark.title,
        phase=board.phase.name,
        primary=primary,
        compared=compared,
        tasks=board.tasks,
        entries=tuple(
            _entry(
                row, usage[row.place], primary, benchmark.baseline, asked,
                listed=row.submission.id in ids,
            )
            for row in rows
        ),
        values=table.finished(compared.key)[:, : len(shown)][:, shown],
        failures=counted("failed"),
        missing=counted("missing", "stale"),
        baseline=benchmark.baseline,
        currency=prices.currency,
        transposed=benchmark.ranks_datasets,
        asked=asked,
    )  # fmt: skip


def _entry(
    row: Row, usage: Usage | None, primary: Column, baseline: str, asked: Collection[str],
    *, listed: bool,
) -> Entry:  # fmt: skip
    submission = row.submission
    name = f"{submission.participant}/{submission.name}"
    return Entry(
        participant=submission.participant,
        name=submission.name,
        title=submission.title,
        group="reported" if submission.reported
        else "baseline" if name == baseline or submission.solution
        else "submission",
        listed=listed,
        submitted=row.submitted,
        rank=row.rank,
        score=row.overall.get(primary.key) if row.is_placed else None,
        seconds=usage.seconds if usage else None,
        memory=usage.memory if usage else None,
        cost=usage.cost if usage else None,
        numbers={
            key: number for key in asked
            if (number := answer_number(str(submission.fact_sheet.get(key, "")))) is not None
        },
    )  # fmt: skip
