"""What each stage of a workflow is worth: alone, and by what is lost without it.

Changes are turned so that more is better in every column: a gain is what a stage alone adds to the
organiser's own pipeline, a loss, below zero, is what is missing without it from all together.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.formats.columns import Column
from evaluator.core.formats.phases import Task
from evaluator.core.formats.stages import Stage, variant_slug, without
from evaluator.core.formats.sums import mean
from evaluator.core.leaderboard.board import Row
from evaluator.core.leaderboard.published import PublicBoard, once_per_board
from evaluator.core.leaderboard.table import State, TaskResult
from evaluator.core.leaderboard.tables import csv_parts
from evaluator.site.content.forms import filled

Variant = Literal["together", "alone", "without"]


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One cell of an ablation, or several over the tasks."""

    variant: Variant
    stage: str
    """Key; empty for all together."""
    stages: tuple[str, ...]
    """Those that were the participant's."""
    state: State
    value: float | None
    """None while it has not finished."""
    change: float | None
    """More is better. ``together`` and ``alone``: gain over the organiser's own pipeline;
    ``without``: against all together, so that a loss is negative. None where either is missing."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class AblationRow:
    """One submission."""

    row: Row
    is_reference: bool
    together: Effect
    alone: tuple[Effect | None, ...]
    """By stage of the benchmark; None where the submission does not bring it."""
    without: tuple[Effect | None, ...]
    """Likewise."""

    @property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(one for one in (self.together, *self.alone, *self.without) if one)


@dataclass(frozen=True, kw_only=True)
class Ablation:
    """One column on one task, or its mean over those that count."""

    task: Task | None
    """None over all tasks of the board."""
    column: Column
    stages: tuple[Stage, ...]
    reference: Row | None
    """The organiser's own pipeline, where it stands on the board."""
    rows: tuple[AblationRow, ...]
    """In the order of the board; those whose code is evaluated in stages."""


@once_per_board
def ablations(board: PublicBoard) -> tuple[Ablation, ...]:
    ranked = board.benchmark.leaderboard.ranked_by or board.benchmark.leaderboard.primary
    tables = all_ablations(board)
    keys = [item.column.key for item in tables]
    key = ranked.key if ranked.key in keys else next(iter(keys), "")
    return tuple(item for item in tables if item.column.key == key)


@once_per_board
def effects_of_rows(board: PublicBoard) -> Mapping[str, str]:
    """What the page of a submission shows of its stages, by its id."""
    found: dict[str, str] = defaultdict(str)
    for item in ablations(board):
        for row in item.rows:
            found[row.row.submission.id] += repr((item.reference is None, row.effects))
    return found


def all_ablations(board: PublicBoard) -> tuple[Ablation, ...]:
    """Tables of columns with values on each task; None without stages or results."""
    hidden = board.benchmark.leaderboard.hidden or board.phase.shows == "status"
    if hidden or not board.benchmark.stages:
        return ()
    return tuple(
        _ablation(board, column, task)
        for task in _scopes(board)
        for column in board.task_columns
        if column.ranks is None
    )


def _scopes(board: PublicBoard) -> Iterator[Task | None]:
    if len(board.tasks) > 1 and not board.benchmark.leaderboard.rule.of_first_task:
        yield None
    yield from board.tasks


def _ablation(board: PublicBoard, column: Column, task: Task | None) -> Ablation:
    everyone = (*board.rows, *board.unlisted)
    reference = next((row for row in everyone if _is_reference(row, board)), None)
    listed = [row for row in board.rows if row.submission.kind.runs_code]
    if reference is not None and reference not in listed:
        listed.append(reference)
    return Ablation(
        task=task, column=column, stages=board.benchmark.stages, reference=reference,
        rows=tuple(_row(row, reference, board, column, task) for row in listed),
    )  # fmt: skip


def _is_reference(row: Row, board: PublicBoard) -> bool:
    item = row.submission
    named = item.short_name == board.benchmark.baseline
    return named and item.kind.runs_code and not item.stages


def _row(
    row: Row, reference: Row | None, board: PublicBoard, column: Column, task: Task | None
) -> AblationRow:
    held = row.submission.stages
    sign = 1 if column.sorting == "desc" else -1
    slugs = [task.slug] if task else [one.slug for one in board.tasks if one.slug in row.counted]

    def effect(variant: Variant, stage: str, stages: tuple[str, ...]) -> Effect:
        results = list(_results(row, reference, slugs, stages))
        value = _value(results, column)
        before = after = None
        if variant == "without":
            before, after = _value(list(_results(row, reference, slugs, held)), column), value
        elif reference is not None:
            before, after = _value([reference.tasks[slug] for slug in slugs], column), value
        errors = (result.error.reason for result in results if result and result.error)
        return Effect(
            variant=variant, stage=stage, stages=stages, state=_state(results), value=value,
            change=None if before is None or after is None else sign * (after - before),
            reason=next(errors, ""),
        )  # fmt: skip

    keys = [stage.key for stage in board.benchmark.stages]
    return AblationRow(
        row=row,
        is_reference=row is reference,
        together=effect("together", "", held),
        alone=tuple(effect("alone", key, (key,)) if key in held else None for key in keys),
        without=tuple(
            effect("without", key, without(held, key)) if key in held else None for key in keys
        ),
    )


def _results(
    row: Row, reference: Row | None, slugs: Sequence[str], stages: tuple[str, ...]
) -> Iterator[TaskResult | None]:
    for slug in slugs:
        if stages == row.submission.stages:
            yield row.tasks[slug]
        elif stages:
            yield row.variants.get(variant_slug(slug, stages))
        else:
            yield reference.tasks[slug] if reference else None


def _value(results: Sequence[TaskResult | None], column: Column) -> float | None:
    """Mean over tasks; None while any has not finished."""
    finished = [one.values for one in results if one and one.state == "finished"]
    values = [values[column.key] for values in finished if column.key in values]
    return mean(values) if values and len(values) == len(results) else None


def _state(results: Sequence[TaskResult | None]) -> State:
    order: tuple[State, ...] = ("failed", "stale", "missing")
    states = {result.state if result else "missing" for result in results}
    return next((state for state in order if state in states), "finished")


class StageData(TypedDict):
    """A stage of the benchmark's workflow."""

    key: str
    title: str


class EffectData(TypedDict):
    """What a submission reaches with some of its stages, in one column on one task."""

    participant: str
    submission: str
    reference: bool
    task: str
    """Slug; empty for the mean over the tasks that count, where there are several."""
    column: str
    """Key."""
    variant: Variant
    """``together``: all of its stages; ``alone``: one of them; ``without``: all but that one."""
    stage: str
    """Key; empty for ``together``."""
    stages: list[str]
    """Those that were the participant's; the organiser's stood in for the others."""
    status: str
    """As of a task; ``missing`` where it has not run."""
    value: float | None
    change: float | None
    """More is better, whatever the column's direction. Of ``together`` and ``alone`` against the
    organiser's own pipeline; of ``without`` against ``together``, so that a loss is negative."""


def stage_data(board: PublicBoard) -> list[StageData]:
    return [{"key": stage.key, "title": stage.name} for stage in board.benchmark.stages]


def effect_data(board: PublicBoard) -> list[EffectData]:
    return [
        filled(
            EffectData,
            one,
            participant=row.row.submission.participant,
            submission=row.row.submission.name,
            reference=row.is_reference,
            task=item.task.slug if item.task else "",
            column=item.column.key,
            status=one.state,
            stages=list(one.stages),
        )
        for item in all_ablations(board)
        for row in item.rows
        for one in row.effects
    ]


def ablation_csv(board: PublicBoard) -> str:
    """The same as CSV, with repr precision; stages are joined with ``+``."""
    lines = [{**one, "stages": "+".join(one["stages"])} for one in effect_data(board)]
    head = list(EffectData.__annotations__)
    return "".join(csv_parts(head, [[line[key] for line in lines] for key in head]))
