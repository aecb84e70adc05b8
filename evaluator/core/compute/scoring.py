"""The second half of a cell: predictions and reference data -> scores."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from evaluator.core.compute import mounts
from evaluator.core.compute.engine.output import (
    MAX_FILES,
    OutputFolder,
    Room,
    UnsafeOutputError,
    copy_top_files,
)
from evaluator.core.compute.engine.spec import ExitReport, Mount, RunSpec
from evaluator.core.compute.job import Job
from evaluator.core.compute.mounts import read_command
from evaluator.core.compute.scores import (
    Scores,
    ScoresError,
    check_rejection,
    find_page,
    read_scores,
)
from evaluator.core.compute.steps import Attempt, CellFailedError, check_exit, fail, to_step
from evaluator.core.errors import Actor
from evaluator.core.formats.record import Reason, Step
from evaluator.core.formats.record_limits import MAX_PAGE_BYTES


def score(attempt: Attempt, predictions: Path, check: Callable[[], None]) -> Scores:
    """Run the scoring program. Raises CellFailedError.

    ``check`` raises if the predictions are not what they were; it is called once they are copied.
    """
    job, engine = attempt.job, attempt.engine
    rooms = [Room(job.limits.output_size), _room_for(predictions, job.limits.output_size)]
    with engine.outputs(attempt.inputs.image, rooms, attempt.scratch) as (output, copied):
        copied.fill(predictions)
        check()
        outputs = {mounts.OUTPUT: output, mounts.PREDICTIONS: copied}
        spec = scoring_spec(attempt, mounts.scoring_mounts(attempt.inputs), outputs)
        with engine.create(spec) as created, attempt.lane:
            report = created.start().wait()
        step = to_step("scoring", report, job.scoring_grant)
        try:
            return read_output(attempt, report, [step], output)
        except CellFailedError as error:
            raise _doubt_kind(job, error) from None


def _room_for(predictions: Path, size: int) -> Room:
    """Room for a copy of the predictions, and for as much again as a program may write.

    Codabench lets scoring programs write among them, and public bundles put lock files there; the
    store's own stay as they were scored. Most copies want the same room, as volumes are made in
    advance.
    """
    sizes = [path.stat().st_size for path in predictions.rglob("*") if path.is_file()]
    # Each file takes whole pages.
    bytes_, files = sum(-(-length // 4096) * 4096 for length in sizes), 2 * len(sizes)
    return Room(max(bytes_, size) + size, max(files, MAX_FILES) + MAX_FILES, executable=True)


def _doubt_kind(job: Job, failure: CellFailedError) -> CellFailedError:
    """Say what else may be wrong if results are submitted in place of predictions."""
    error = failure.error
    if (
        not job.kind.holds_predictions
        or not job.ingestion_program
        or error.reason not in (Reason.SCORER_FAILED, Reason.NO_SCORES)
    ):
        return failure
    hint = (
        f"{error.hint} Or were these files for the ingestion program? "
        "Then the submission is 'kind: code'."
    ).strip()
    return CellFailedError(error.model_copy(update={"hint": hint}), failure.steps)


def scoring_spec(
    attempt: Attempt, visible: list[Mount], outputs: Mapping[str, OutputFolder]
) -> RunSpec:
    """Make the container of the scoring program. It has no GPU, and a network only by name."""
    job, inputs, substitutions = attempt.job, attempt.inputs, mounts.SCORING_SUBSTITUTIONS
    return RunSpec(
        image=inputs.image,
        command=read_command(
            inputs.scoring_program, job.scoring_program, substitutions, Actor.ORGANISER
        ),
        mounts=visible,
        workdir=mounts.PROGRAM,
        outputs=outputs,
        limits=job.limits,
        seconds=job.seconds,
        network=job.scoring_network,
        exclusive=job.exclusive,
        environment=job.environment,
    )


def read_output(
    attempt: Attempt, report: ExitReport, steps: list[Step], output: OutputFolder
) -> Scores:
    """Read what the scoring program left; its step is the last. Raises CellFailedError."""
    job, written = attempt.job, attempt.scratch / "written"
    try:
        copy_top_files(output, written, MAX_PAGE_BYTES)
        if report.stopped_by is None:
            check_rejection(written)
        check_exit(report, job.limits, job.seconds, steps[-1])
        scores = _read_scores(job, written)
    except UnsafeOutputError as error:
        raise fail(
            Reason.SCORER_FAILED, f"the scoring program's output cannot be taken: {error}",
            step="scoring", hint="Let it write plain files only.", report=steps[-1],
        ) from None  # fmt: skip
    except ScoresError as error:
        raise _refusal(job, error, steps[-1]) from None
    return replace(scores, steps=steps, page=find_page(written) if job.takes_page else None)


def _refusal(job: Job, error: ScoresError, step: Step) -> CellFailedError:
    # The author of the code answers for refused predictions, the participant for a data set.
    refused = error.reason == Reason.REJECTED
    hint = "Correct the data set and submit it again."
    return fail(
        error.reason, error.message, step="scoring", report=step,
        hint=hint if refused and job.is_check else error.hint,
        actor=job.author if refused and not job.scores_files else None,
    )  # fmt: skip


def _read_scores(job: Job, written: Path) -> Scores:
    if not job.is_check:
        return read_scores(written, job.score_keys, job.optional_keys, job.extra_keys)
    try:
        return read_scores(written, ())
    except ScoresError as error:
        if error.reason == Reason.NO_SCORES:
            return Scores(columns={})
        raise
