"""Planned cells -> a CI matrix, grouped by queue, and what the job *score* gets."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypedDict

from evaluator.core.formats.settings import Settings
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.scores.hand_over import is_scored_apart
from evaluator.core.scores.runnable import labels_of

SCORE = "score"
"""The job that is given encrypted data, and runs the organiser's scoring program alone."""
MAX_JOBS = 256
"""Jobs that a GitHub matrix may hold."""


class MatrixJob(TypedDict):
    """One job of the matrix."""

    name: str
    """Queue, and number in the matrix: it names an artifact and, by its number, an output."""
    queue: str
    runs_on: list[str]
    """Labels of the runners that may take it."""
    cells: str
    """Names of its cells, with blanks between."""


class Matrix(TypedDict):
    """What ``strategy.matrix`` is given."""

    include: list[MatrixJob]


def split_scored(
    planned: Sequence[PlannedCell], settings: Settings
) -> tuple[list[PlannedCell], list[PlannedCell]]:
    """Cells of the matrix, and those of the job *score*. Some are of both: predicted, then scored.

    A queue of the organiser's own machines may have the key there, so its cells stay in the matrix.
    """
    matrix: list[PlannedCell] = []
    scored: list[PlannedCell] = []
    for item in planned:
        cell = item.cell
        is_scored = bool(
            (cell.submission.sealed or any(pin.encrypted for pin in cell.task.private))
            and cell.scores_files
            and "self-hosted" not in labels_of(cell.benchmark.queue, settings.queues)
        )
        if not is_scored:
            matrix.append(item)
        if is_scored or is_scored_apart(cell, settings):
            scored.append(item)
    return matrix, scored


def job_outputs(planned: Sequence[PlannedCell], settings: Settings) -> dict[str, object]:
    """What a workflow starts jobs by: `matrix` and `count`, and the names of *score*'s cells.

    `predicted` names by job those that are predicted there before.
    """
    matrix, scored = split_scored(planned, settings)
    jobs, names = to_matrix(matrix, settings.queues), {str(item.cell.id) for item in scored}
    predicted = {
        job["name"]: cells
        for job in jobs["include"]
        if (cells := " ".join(cell for cell in job["cells"].split() if cell in names))
    }
    return {
        "matrix": jobs,
        "count": len(matrix),
        SCORE: " ".join(str(item.cell.id) for item in scored),
        "predicted": predicted or "",
    }


def to_matrix(
    planned: Sequence[PlannedCell], queues: Mapping[str, Sequence[str]], *, max_jobs: int = MAX_JOBS
) -> Matrix:
    """Make at most ``max_jobs`` jobs, each of one queue.

    ``queues`` gives the labels of a queue's runners. Cells of one submission stay in one job, since
    they share an image; where there are more submissions than jobs, jobs of a queue are filled
    evenly.
    """
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in planned:
        groups[item.cell.benchmark.queue][item.cell.submission.id].append(str(item.cell.id))
    include: list[MatrixJob] = []
    share = max(1, max_jobs // max(1, len(groups)))
    for queue, submissions in sorted(groups.items()):
        jobs: list[list[str]] = [[] for _ in range(min(share, len(submissions)))]
        for position, (_, cells) in enumerate(sorted(submissions.items())):
            jobs[position % len(jobs)] += cells
        include += [
            {"name": f"{queue}-{number}", "queue": queue, "runs_on": labels_of(queue, queues),
             "cells": " ".join(cells)}
            for number, cells in enumerate(jobs, len(include) + 1)
        ]  # fmt: skip
    return {"include": include}
