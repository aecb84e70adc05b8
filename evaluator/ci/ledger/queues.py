"""Planned cells -> a CI matrix, grouped by queue."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypedDict

from evaluator.core.planning.plan import PlannedCell

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


def to_matrix(
    planned: Sequence[PlannedCell],
    queues: Mapping[str, Sequence[str]],
    *,
    max_jobs: int = MAX_JOBS,
) -> Matrix:
    """Make at most ``max_jobs`` jobs, each of one queue.

    ``queues`` gives the labels of a queue's runners; a queue that it lacks is itself a label of
    self-hosted runners. Cells of one submission stay in one job, since they share an image; where
    there are more submissions than jobs, jobs of a queue are filled evenly.
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
        labels = list(queues.get(queue, ["self-hosted", queue]))
        include += [
            {"name": f"{queue}-{number}", "queue": queue, "runs_on": labels,
             "cells": " ".join(cells)}
            for number, cells in enumerate(jobs, len(include) + 1)
        ]  # fmt: skip
    return {"include": include}
