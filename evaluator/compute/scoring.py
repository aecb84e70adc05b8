"""The second half of a cell: predictions and reference data -> scores."""

from pathlib import Path

from evaluator.compute import mounts
from evaluator.compute.engine.output import output_folder
from evaluator.compute.engine.spec import Engine, RunSpec
from evaluator.compute.job import Job
from evaluator.compute.mounts import Inputs
from evaluator.compute.program import read_command
from evaluator.compute.scores import Scores, ScoresError, check_rejection, read_scores
from evaluator.compute.steps import check_exit, fail, to_step
from evaluator.errors import Actor
from evaluator.formats.record import Step


def score(
    job: Job, inputs: Inputs, predictions: Path, engine: Engine, scratch: Path
) -> tuple[Scores, Step]:
    """Run the scoring program; returns scores and measurements. Raises CellFailedError."""
    name = f"{job.benchmark.path}/{job.task.scoring_program}"
    command = read_command(
        inputs.scoring_program, name, mounts.SCORING_SUBSTITUTIONS, Actor.ORGANISER
    )
    limits = job.benchmark.limits
    seconds = job.phase.execution_time_limit
    with output_folder(scratch / "scores", limits.output_size) as output:
        report = engine.run(
            RunSpec(
                image=inputs.image,
                command=command,
                mounts=mounts.scoring_mounts(inputs, predictions, output.path),
                workdir=mounts.PROGRAM,
                output=output,
                limits=limits,
                seconds=seconds,
                environment=job.environment,
            )
        )
        show = not (job.phase.hide_output or job.phase.hide_score_output)
        step = to_step("scoring", report, show_log=show)
        try:
            if report.stopped_by is None:
                check_rejection(output.path)
            check_exit("scoring", report, limits, seconds, step)
            scores = read_scores(output.path, job.benchmark.leaderboard.score_keys)
        except ScoresError as error:
            raise fail(
                error.reason, error.message, step="scoring", hint=error.hint, report=step
            ) from None
    return scores, step
