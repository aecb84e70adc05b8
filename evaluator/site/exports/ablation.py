"""An ablation as data: JSON beside the board's, and a CSV with one value a line."""

import csv
import io

from typing_extensions import TypedDict  # of typing, pydantic makes no schema before Python 3.12

from evaluator.core.formats.plain_text import inert
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.site.leaderboard.ablation import Variant, all_ablations


class StageData(TypedDict):
    """A stage of the benchmark's workflow."""

    key: str
    title: str


class EffectData(TypedDict):
    """What a submission reaches with some of its stages, in one column on one task."""

    participant: str
    submission: str
    reference: bool
    """Whether it is the organiser's own pipeline."""
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
    """Return all that is known of the stages, by task, column and row of the board."""
    return [
        {
            "participant": row.row.submission.participant,
            "submission": row.row.submission.name,
            "reference": row.is_reference,
            "task": item.task.slug if item.task else "",
            "column": item.column.key,
            "variant": one.variant,
            "stage": one.stage,
            "stages": list(one.stages),
            "status": one.state,
            "value": one.value,
            "change": one.change,
        }
        for item in all_ablations(board)
        for row in item.rows
        for one in row.effects
    ]


def ablation_csv(board: PublicBoard) -> str:
    """Return the same as CSV, with repr precision; stages are joined with ``+``."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(EffectData.__annotations__), lineterminator="\n")
    writer.writeheader()
    for one in effect_data(board):
        line = {**one, "stages": "+".join(one["stages"])}
        writer.writerow({key: inert(value) for key, value in line.items()})
    return text.getvalue()
