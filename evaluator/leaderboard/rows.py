"""One submission on a board, and where it stands with the organiser."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from evaluator.formats.approvals import Decision
from evaluator.formats.submission import Submission
from evaluator.leaderboard.cells import State, TaskResult
from evaluator.leaderboard.packed_tasks import PackedTasks
from evaluator.leaderboard.summaries import STATES, Summary, summary_of
from evaluator.ranking.win_rate import COVERAGE

MIN_COVERAGE = 0.5
"""With win rates, the share of its tasks on which a row must have run to have a rank: a lucky first
result is no lead."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What an organiser decided about a submission."""

    state: Literal["approved", "refused", "awaiting approval"]
    reason: str = ""
    date: str = ""
    """ISO date of the decision; empty before there is one."""

    def __str__(self) -> str:
        return f"{self.state}: {self.reason}" if self.reason else self.state


@dataclass(frozen=True, kw_only=True)
class Row:
    """One submission on a board."""

    rank: int | None
    """From 1; equal rows share one, and the next is left out (1, 1, 3) unless ranks are dense.
    None while any task is not finished; with mean ranks, while none is."""
    submission: Submission
    submitted: str
    """ISO time; empty before the first record."""
    tasks: Mapping[str, TaskResult]
    """By task slug."""
    overall: Mapping[str, float]
    """Column key -> value over all tasks of the board; empty while any is not finished."""
    counted: frozenset[str]
    """Slugs of the tasks that count for it: not its participant's own data, nor retired data. None
    where it is a data set that is retired itself."""
    variants: Mapping[str, TaskResult] = field(default_factory=dict)
    """By slug, what it reached with some of its stages alone; never part of a rank."""
    standing: Standing | None = None
    """None where the benchmark ranks without approval."""

    def at_rank(self, rank: int) -> "Row":
        """Return the same row at a rank; what was found of it stays found, and tells no rank."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), rank=rank)
        return made

    @cached_property
    def results(self) -> tuple[TaskResult, ...]:
        """What it reached on the tasks that count."""
        return tuple(result for slug, result in self.tasks.items() if slug in self.counted)

    @cached_property
    def summary(self) -> Summary:
        """What its results say at a glance."""
        if isinstance(self.tasks, PackedTasks):
            return self.tasks.summary
        return summary_of(self.tasks, self.counted)

    @cached_property
    def _states(self) -> Collection[State]:
        """Of the tasks that count."""
        states = [STATES[code] for code in self.summary.states]
        if len(self.counted) == len(states):
            return states
        return [one for slug, one in zip(self.tasks, states, strict=True) if slug in self.counted]

    @cached_property
    def state(self) -> State:
        """The state that a reader must know of first."""
        for state in ("failed", "stale", "missing"):
            if state in self._states:
                return state
        return "finished"

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
        """Why it has no rank, where it has none."""
        return self.state if self.counts or self.state != "finished" else str(self.standing)

    @cached_property
    def finished(self) -> int:
        """Number of tasks that it has finished."""
        return sum(state == "finished" for state in self._states)


def standing_of(
    submission: Submission, tasks: Mapping[str, TaskResult], decisions: Iterable[Decision]
) -> Standing:
    """Find where a submission stands, by the last decision about it."""
    name = f"{submission.participant}/{submission.name}"
    own = [item for item in decisions if item.submission == name]
    if not own:
        return Standing(state="awaiting approval")
    content = {
        record.provenance.submission_tree for one in tasks.values() for record in one.records
    }
    fitting = [
        item for item in own if all(tree.startswith(item.content) for tree in content or {""})
    ]
    if not fitting:
        return Standing(
            state="awaiting approval",
            reason=f"its files are not those of the decision of {own[-1].date}",
        )
    last = fitting[-1]
    return Standing(state=last.decision, reason=last.reason, date=last.date.isoformat())
