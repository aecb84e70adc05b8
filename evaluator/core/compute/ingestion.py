"""The first half of a cell: submission -> predictions."""

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

from evaluator.core.compute import mounts
from evaluator.core.compute.budget import check_budget, prediction_seconds
from evaluator.core.compute.engine.output import Room, TooMuchError, UnsafeOutputError, collect
from evaluator.core.compute.engine.spec import Engine, ProgramError, RunSpec
from evaluator.core.compute.job import Job
from evaluator.core.compute.mounts import Inputs
from evaluator.core.compute.program import read_command
from evaluator.core.compute.steps import METADATA, Lane, check_exit, fail, to_step, write_metadata
from evaluator.core.compute.store import Predictions, PredictionStore
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason


def predict(
    job: Job,
    inputs: Inputs,
    engine: Engine,
    store: PredictionStore,
    scratch: Path,
    lane: Lane,
    started: Callable[[], dt.datetime],
) -> Predictions:
    """Run the participant's code and store what it wrote. Raises CellFailedError.

    ``lane`` is entered while the code runs: before and after, another cell's may run. ``started``
    returns when the evaluation began.
    """  # fmt: skip
    folder, name, actor = running_program(job, inputs)
    command = read_command(folder, name, mounts.INGESTION_SUBSTITUTIONS, actor)
    limits = job.limits
    seconds = prediction_seconds(job)
    with engine.outputs(inputs.code_image, [Room(limits.output_size)], scratch) as (output,):
        with answered_by(actor):
            created = engine.create(
                RunSpec(
                    image=inputs.code_image,
                    command=command,
                    mounts=mounts.ingestion_mounts(inputs),
                    workdir=mounts.PROGRAM,
                    outputs={mounts.OUTPUT: output},
                    limits=limits,
                    seconds=seconds,
                    network=job.network,
                    gpus=job.grant.gpus,
                    exclusive=job.exclusive,
                    environment=job.environment,
                )
            )
            with created, lane:
                report = created.start().wait()
        step = to_step("ingestion", report, job.grant)
        check_budget(job, report, step)
        if not (job.ingestion_may_fail and report.stopped_by is None):
            check_exit("ingestion", report, limits, seconds, step, job.author, inputs.code_image)

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
            )  # fmt: skip
        except UnsafeOutputError as error:
            too_much = isinstance(error, TooMuchError)
            raise fail(
                Reason.OUTPUT_LIMIT if too_much else Reason.UNSAFE_OUTPUT,
                f"left output that cannot be taken: {error.shown(named=job.names_outputs)}",
                step="ingestion", hint="Write less." if too_much else "Write plain files only.",
                report=step, actor=job.author,
            ) from None  # fmt: skip


def running_program(job: Job, inputs: Inputs) -> tuple[Path, str, Actor]:
    """Folder, name for messages, and owner of the program that runs."""
    if inputs.ingestion_program is not None:
        return inputs.ingestion_program, job.ingestion_program, Actor.ORGANISER
    return inputs.submission, job.submission_path, Actor.PARTICIPANT


@contextlib.contextmanager
def answered_by(actor: Actor) -> Iterator[None]:
    """Return whose the command is that cannot be started: the engine cannot know."""
    try:
        yield
    except ProgramError as error:
        raise ProgramError(error.message, hint=error.hint, actor=actor) from None
