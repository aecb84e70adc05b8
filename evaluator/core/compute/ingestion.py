"""The first half of a cell: submission -> predictions."""

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evaluator.core.compute import mounts
from evaluator.core.compute.engine.output import Room, TooMuchError, UnsafeOutputError, collect
from evaluator.core.compute.engine.spec import ExitReport, ProgramError, RunSpec
from evaluator.core.compute.job import Job
from evaluator.core.compute.scoring import scoring_rooms
from evaluator.core.compute.steps import (
    METADATA,
    StepAttempt,
    check_exit,
    fail,
    to_step,
    write_metadata,
)
from evaluator.core.compute.store import Predictions, PredictionStore
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason, Step


def predict(
    attempt: StepAttempt, store: PredictionStore, started: Callable[[], dt.datetime]
) -> Predictions:
    """Run the participant's code and store what it wrote. Raises CellFailedError."""
    job, inputs, engine = attempt.job, attempt.inputs, attempt.engine
    spec, actor = ingestion_spec(attempt, mounts.INGESTION_SUBSTITUTIONS)
    seconds = _prediction_seconds(job)
    rooms, later = [Room(job.limits.output_size)], scoring_rooms(job.limits.output_size)
    with engine.outputs(inputs.code_image, rooms, attempt.scratch, later) as (output,):
        with answered_by(actor):
            created = engine.create(replace(spec, outputs={mounts.OUTPUT: output}, seconds=seconds))
            with created, attempt.lane:
                report = created.start().wait()
        if attempt.way:
            attempt.way.end()
        step = to_step("ingestion", report, job.grant)
        _check_budget(job, report, step)
        if not (job.ingestion_may_fail and report.stopped_by is None):
            check_exit(report, job.limits, seconds, step, job.author, inputs.code_image)

        def fill(target: Path) -> None:
            collect(output, target)
            if (target / METADATA).exists():
                raise fail(
                    Reason.UNSAFE_OUTPUT,
                    f"wrote a file called '{METADATA}', which is the worker's to write",
                    step="ingestion", hint="Give it another name.", report=step, actor=job.author,
                )  # fmt: skip
            write_metadata(target, step, by_ingestion=inputs.ingestion_program is not None)

        try:
            return store.put(
                job.keys.prediction, fill, step,
                started=started().isoformat(), record=job.predicted_for or job.record_name,
                attachments=attempt.way.attachments() if attempt.way else {},
            )  # fmt: skip
        except UnsafeOutputError as error:
            too_much = isinstance(error, TooMuchError)
            raise fail(
                Reason.OUTPUT_LIMIT if too_much else Reason.UNSAFE_OUTPUT,
                f"left output that cannot be taken: {error.text(named=job.names_outputs)}",
                step="ingestion", hint="Write less." if too_much else "Write plain files only.",
                report=step, actor=job.author,
            ) from None  # fmt: skip


def ingestion_spec(
    attempt: StepAttempt, substitutions: Sequence[tuple[str, str]]
) -> tuple[RunSpec, Actor]:
    """The container of submitted code, without outputs, and who answers for it."""
    job, inputs = attempt.job, attempt.inputs
    if inputs.ingestion_program is not None:
        folder, name, actor = inputs.ingestion_program, job.ingestion_program, Actor.ORGANISER
    else:
        folder, name, actor = inputs.submission, job.submission_path, Actor.PARTICIPANT
    spec = RunSpec(
        image=inputs.code_image,
        command=mounts.read_command(folder, name, substitutions, actor),
        mounts=mounts.ingestion_mounts(inputs),
        workdir=mounts.PROGRAM,
        outputs={},
        limits=job.limits,
        seconds=job.seconds,
        network=attempt.way.network if attempt.way else job.network,
        gpus=job.grant.gpus,
        exclusive=job.exclusive,
        environment={**job.environment, **(attempt.way.environment if attempt.way else {})},
    )
    return spec, actor


@contextlib.contextmanager
def answered_by(actor: Actor) -> Iterator[None]:
    """Say whose command cannot be started: the engine cannot know."""
    try:
        yield
    except ProgramError as error:
        raise ProgramError(error.message, hint=error.hint, actor=actor) from None


def _prediction_seconds(job: Job) -> float:
    """The seconds after which the prediction step is stopped; 0 is never."""
    limit, budget = job.seconds, job.budget
    if budget is None:
        return limit
    seconds = budget.seconds_of(job.task_index)
    return min(seconds, limit) if limit else seconds


def _check_budget(job: Job, report: ExitReport, step: Step) -> None:
    """Raise a failure, also of what ended in the moment before: records keep to the budget."""
    budget, task = job.budget, job.task_index
    if budget is None or _prediction_seconds(job) < budget.seconds_of(task):
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


def refuse_results(job: Job, submission: Path) -> None:
    """Refuse results that nothing can score, or that state their own time."""
    if job.parallel:
        raise fail(
            Reason.BAD_INPUT,
            f"the task '{job.task_name}' is played by an agent while it is scored; it takes no "
            "results",
            step=None, hint="Submit 'kind: code'.",
        )  # fmt: skip
    if (submission / METADATA).exists():
        raise fail(
            Reason.UNSAFE_OUTPUT,
            f"the predictions hold a file called '{METADATA}', which is the worker's to write",
            step=None,
            hint="Give it another name"
            + (", or submit 'kind: code'." if job.kind.holds_predictions else "."),
        )  # fmt: skip
