"""What a machine has less of than a cell asks for; no engine is asked, nor loaded."""

from evaluator.core.compute.engine.resources import grant, host_capacity
from evaluator.core.compute.engine.spec import Capacity
from evaluator.core.compute.job import scores_files
from evaluator.core.planning.plan import PlannedCell


def too_small(item: PlannedCell, capacity: Capacity | None = None) -> str:
    """Return what a machine, by default this one, lacks of a cell's limits; empty for nothing."""
    cell = item.cell
    gpus = 0 if scores_files(cell.submission, cell.task) else cell.benchmark.gpus
    asked = cell.benchmark.limits_of(cell.task)
    return grant(asked, gpus, capacity or host_capacity()).shortfall
