"""All statistics of one board, put together, and the analysis of a board at a revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from evaluator.core.errors import UsageError
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.leaderboard.snapshot_boards import leaderboard_at
from evaluator.plugins.insight.statistics.boxes import Box, make_box
from evaluator.plugins.insight.statistics.conclusions import conclusions
from evaluator.plugins.insight.statistics.duels import (
    BudgetChange,
    Duel,
    champions,
    compare_budgets,
    duels,
    mean_ranks,
    rank_all,
)
from evaluator.plugins.insight.statistics.material import Material, count_failures, gather, why_none
from evaluator.plugins.insight.statistics.outcomes import (
    Outcomes,
    Table,
    blocks,
    impute,
    scale_outcomes,
    task_means,
)
from evaluator.plugins.insight.statistics.significance import Friedman, Nemenyi, friedman, nemenyi
from evaluator.site.content.insight import Missing

MAX_METHODS = 100
"""Methods of a study: pairs of them are compared, and figures show each."""


@dataclass(frozen=True, kw_only=True)
class Against:
    """The same methods and tasks in another phase or benchmark."""

    title: str
    """Of the other board."""
    changes: tuple[BudgetChange, ...]
    """From this board to the other."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What a board says. Methods are ``participant/submission``, the best mean rank first."""

    title: str
    phase: str
    verdict: str
    """What the board concludes: the only verdict."""
    material: Material
    outcomes: Outcomes
    """With what was imputed."""
    zero: str | None
    """Method that is 0 of the scale; None is the worst of each task."""
    one: str | None
    """Method that is 1; None is the best of each task."""
    rule: Literal["constant", "amlb", "none"]
    """``analysis.impute``: how absent values are filled in."""
    stand_in: str | None
    """Method whose values stand in for absent ones; None where absent ones rank last."""
    table: Table
    """Block -> method -> value; greater is better."""
    scaled: Table
    ranks: Mapping[str, Mapping[str, float]]
    means: Mapping[str, float]
    friedman: Friedman | None
    nemenyi: Nemenyi | None
    """Only if Friedman's test is significant."""
    duels: Mapping[tuple[str, str], Duel]
    champions: Mapping[str, int]
    boxes: Mapping[str, Box]
    failures: Mapping[str, Mapping[str, int]]
    against: tuple[Against, ...]
    omitted: int = 0
    """Rows of the board beyond MAX_METHODS, which take no part."""

    @property
    def methods(self) -> tuple[str, ...]:
        """The best mean rank first."""
        return tuple(self.means)

    def name(self, method: str) -> str:
        return self.material.names.get(method, method)


def make_study(board: PublicBoard, others: Sequence[PublicBoard] = ()) -> Study | Missing:
    """Analyse a board, with ``others`` of the same tasks and methods, or say why not."""
    everything, verdict = len(board.rows), conclusions(board)
    board = _first(board)
    if reason := why_none(board):
        return Missing(reason)
    material, rules = gather(board), board.benchmark.analysis
    result = material.outcomes
    if len(result.methods) < 2:
        return Missing("There are too few methods with results of single repeats.")
    ends = (rules.constant, board.benchmark.baseline)
    zero = next((end for end in ends if end in result.methods), None)
    one = rules.reference if rules.reference in result.methods and rules.reference != zero else None
    named = rules.stand_in or rules.constant
    stand_in = named if rules.impute != "none" and named in result.methods else None
    whole = rules.impute != "amlb"
    outcomes = impute(result, stand_in, whole_tasks=whole) if stand_in else result
    table = blocks(outcomes)
    ranks = rank_all(table)
    means = mean_ranks(ranks)
    test = friedman(ranks)
    scaled = scale_outcomes(outcomes, zero=zero, one=one)
    columns = {m: [v for b in scaled.values() if (v := b[m]) is not None] for m in means}
    failures = count_failures(material.failures)
    return Study(
        title=board.benchmark.title, phase=board.phase.name, verdict=verdict,
        material=material, outcomes=outcomes, zero=zero, one=one,
        rule=rules.impute, stand_in=stand_in,
        table=table, scaled=scaled, ranks=ranks, means=means, friedman=test,
        nemenyi=nemenyi(means, len(table)) if test and test.differs else None,
        duels=duels(table), champions=champions(table),
        boxes={m: make_box(values) for m, values in columns.items() if values},
        failures={m: failures[m] for m in means if failures.get(m)},
        against=tuple(
            comparison for other in others
            if (comparison := _against(_first(other), outcomes, (zero, one), stand_in))
        ),
        omitted=everything - len(board.rows),
    )  # fmt: skip


def _first(board: PublicBoard) -> PublicBoard:
    """A board with its first rows alone, and those that the analysis needs by name."""
    if len(board.rows) <= MAX_METHODS:
        return board
    rules = board.benchmark.analysis
    named = {rules.constant, rules.reference, rules.stand_in, board.benchmark.baseline}
    rows = (
        row for place, row in enumerate(board.rows)
        if place < MAX_METHODS or row.submission.short_name in named
    )  # fmt: skip
    return replace(board, rows=tuple(rows))


def _against(
    other: PublicBoard,
    outcomes: Outcomes,
    ends: tuple[str | None, str | None],
    stand_in: str | None,
) -> Against | None:
    if other.benchmark.leaderboard.hidden or other.phase.shows == "status":
        return None
    theirs = gather(other).outcomes
    if stand_in in theirs.methods and stand_in is not None:
        whole = other.benchmark.analysis.impute != "amlb"
        theirs = impute(theirs, stand_in, whole_tasks=whole)
    there = [end if end in theirs.methods else None for end in ends]
    changes = compare_budgets(task_means(outcomes), task_means(theirs), zero=there[0], one=there[1])
    title = f"{other.benchmark.title}: {other.phase.name}"
    return Against(title=title, changes=changes) if changes else None


def analyse(
    start: Path,
    benchmark: str,
    *,
    phase: str | None = None,
    at: str | None = None,
    against: str | None = None,
) -> Study:
    """Analyse the board of one phase: the last one begun, where none is named.

    ``against`` is ``BENCHMARK`` or ``BENCHMARK/PHASE``: a board with some of the same tasks and
    methods; by default all other phases of the benchmark. Raises UsageError with the reason where
    nothing can be concluded.
    """
    board = leaderboard_at(start, benchmark, phase=phase, task=None, at=at)
    if against is not None:
        name, _, other = against.partition("/")
        others = [leaderboard_at(start, name, phase=other or None, task=None, at=at)]
    else:
        others = [
            leaderboard_at(start, benchmark, phase=item.slug, task=None, at=at)
            for item in board.benchmark.phases
            if item.slug != board.phase.slug
        ]
    study = make_study(board, others)
    if isinstance(study, Missing):
        raise UsageError(
            f"{board.benchmark.name}: {study.reason}",
            hint="An analysis needs three methods, and three tasks or one that is repeated.",
        )
    return study
