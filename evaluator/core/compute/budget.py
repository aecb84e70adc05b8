"""The budget of a prediction step: the container is stopped at it, from outside."""

from evaluator.core.compute.engine.spec import ExitReport
from evaluator.core.compute.job import Job
from evaluator.core.compute.steps import fail
from evaluator.core.formats.record import Reason, Step


def prediction_seconds(job: Job) -> float:
    """Return the seconds after which the prediction step is stopped; 0 is never."""
    limit, budget = job.seconds, job.budget
    if budget is None:
        return limit
    seconds = budget.seconds_of(job.task_index)
    return min(seconds, limit) if limit else seconds


def check_budget(job: Job, report: ExitReport, step: Step) -> None:
    """Raise the failure of a run that took more than its budget.

    One that ended by itself in the moment before it was to be stopped is judged by its measured
    time, too: what the record says must not be above what is allowed.
    """
    budget, task = job.budget, job.task_index
    if budget is None or prediction_seconds(job) < budget.seconds_of(task):
        return
    if report.stopped_by != "time" and report.wall_seconds <= budget.seconds_of(task):
        return
    raise fail(
        Reason.TIMED_OUT,
        f"was stopped at its budget: {budget.used(task, report.wall_seconds)} used; "
        f"the budget is {budget.text(task)}",
        step="ingestion", report=step,
        hint="Make it faster; loading, preprocessing and constructors count.",
    )  # fmt: skip
