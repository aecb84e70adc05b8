"""Planned cells -> a CI matrix, grouped by queue."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from evaluator.planning.plan import PlannedCell

MAX_JOBS = 256
"""Jobs that a GitHub matrix may hold."""


def to_matrix(planned: Sequence[PlannedCell], *, max_jobs: int = MAX_JOBS) -> dict[str, Any]:
    """``{"include": [{"queue": ..., "cells": [...]}]}`` with at most ``max_jobs`` entries.

    Cells of one submission stay in one job, since they share an image; where there are more
    submissions than jobs, jobs of the same queue are filled evenly.
    """
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for item in planned:
        groups[item.cell.benchmark.queue][item.cell.submission.id].append(str(item.cell.id))
    include: list[dict[str, Any]] = []
    share = max(1, max_jobs // max(1, len(groups)))
    for queue, submissions in sorted(groups.items()):
        jobs: list[list[str]] = [[] for _ in range(min(share, len(submissions)))]
        for position, (_, cells) in enumerate(sorted(submissions.items())):
            jobs[position % len(jobs)] += cells
        include += [{"queue": queue, "cells": cells} for cells in jobs]
    return {"include": include}
