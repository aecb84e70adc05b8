"""One submission on a board, and where it stands with the organiser."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from evaluator.core.formats.approvals import ApprovalDecision
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.table import (
    FINISHED,
    STATES,
    Facts,
    State,
    States,
    Table,
    TaskResult,
)
from evaluator.core.ranking.rules import COVERAGE

MIN_COVERAGE = 0.5
"""With win rates, the share of its tasks on which a row must have run to have a rank: a lucky first
result is no lead."""

_NO_INTERVALS: Mapping[str, tuple[float, float]] = {}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What an organiser decided about a submission."""

    state: Literal["approved", "refused", "awaiting approval"]
    reason: str = ""
    date: str = ""
    """ISO date of the decision; empty before there is one."""

    def __str__(self) -> str:
        return f"{self.state}: {self.reason}" if self.reason else self.state


@dataclass(frozen=True, kw_only=True, eq=False)
class Row:
    """One submission on a board."""

    table: Table
    place: int
    """Of the submission in the table."""
    task_slugs: tuple[str, ...]
    weights: tuple[int, ...]
    """Of the tasks, in what is made over all of them."""
    variant_slugs: tuple[str, ...] = ()
    """Slugs of the variants in which some of its stages alone take part."""
    rank: int | None = None
    """From 1; equal rows share one, and the next is left out (1, 1, 3) unless ranks are dense.
    None while any task is not finished; with mean ranks, while none is."""
    overall: Mapping[str, float]
    """Column key -> value over all tasks of the board; empty while any is not finished."""
    intervals: Mapping[str, tuple[float, float]] = field(default_factory=lambda: _NO_INTERVALS)
    """Column key -> both ends of a 95% interval, of columns that are derived."""
    counted: frozenset[str]
    """Slugs of the tasks that count for it: not its participant's own data, nor retired data. None
    where it is a data set that is retired itself."""
    standing: Standing | None = None
    """None where the benchmark ranks without approval, and nobody refused it."""

    @property
    def submission(self) -> Submission:
        return self.table.submissions[self.place]

    @property
    def facts(self) -> Facts:
        return self.table.facts[self.place]

    @property
    def submitted(self) -> str:
        return self.facts.submitted

    @cached_property
    def tasks(self) -> Mapping[str, TaskResult]:
        return self._results(self.task_slugs)

    @cached_property
    def variants(self) -> Mapping[str, TaskResult]:
        """What it reached with some of its stages alone, by slug; never part of a rank."""
        return self._results(self.variant_slugs)

    def _results(self, slugs: Sequence[str]) -> dict[str, TaskResult]:
        places = self.table.place_of_task
        return {slug: TaskResult(self.table, places[slug], self.place) for slug in slugs}

    @property
    def states(self) -> States:
        """Of all tasks of the board, as places among STATES."""
        return self.table.states[: len(self.task_slugs), self.place]

    @property
    def less(self) -> str:
        """What machines did not give of what was asked for; empty where all had all."""
        if not self.table.less:
            return ""
        less = self.table.less
        texts = (less.get((task, self.place), "") for task in range(len(self.task_slugs)))
        return ", ".join(dict.fromkeys(text for text in texts if text))

    @cached_property
    def counted_places(self) -> list[int]:
        return [place for place, slug in enumerate(self.task_slugs) if slug in self.counted]

    @cached_property
    def _states(self) -> list[int]:
        states: list[int] = self.states.tolist()
        if len(self.counted) == len(states):
            return states
        return [states[place] for place in self.counted_places]

    @property
    def state(self) -> State:
        """The state that a reader must know of first."""
        return STATES[min(filter(None, self._states), default=FINISHED)]

    @property
    def counts(self) -> bool:
        """Whether it may be ranked: whether an organiser approved it, where that is needed."""
        return self.standing is None or self.standing.state == "approved"

    @property
    def is_placed(self) -> bool:
        """Whether it has a place: with win rates, once it has run on half of what counts for it."""
        return bool(self.overall) and self.overall.get(COVERAGE, 1.0) >= MIN_COVERAGE

    @property
    def why_unranked(self) -> str:
        return self.state if self.counts or self.state != "finished" else str(self.standing)

    @property
    def finished(self) -> int:
        return self._states.count(FINISHED)


def standing_of(
    submission: Submission,
    contents: Sequence[str],
    decisions: Iterable[ApprovalDecision],
    *,
    needs_approval: bool = True,
) -> Standing | None:
    """What the last decision on these ``contents`` says, or that one is awaited."""
    name = f"{submission.participant}/{submission.name}"
    about_it = [item for item in decisions if item.submission == name]
    fitting = [
        item
        for item in about_it
        if all(content.startswith(item.content) for content in contents or [""])
    ]
    if fitting:
        last = fitting[-1]
        standing = Standing(state=last.decision, reason=last.reason, date=last.date.isoformat())
        return standing if needs_approval or standing.state == "refused" else None
    if not needs_approval:
        return None
    reason = f"its files are not those of the decision of {about_it[-1].date}" if about_it else ""
    return Standing(state="awaiting approval", reason=reason)
