"""Parallel mode: agent and environment, two containers at once that share one folder.

Codabench calls it ``ingestion_only_during_scoring``: the ingestion side (the agent) is played by
the scoring program (the environment) while both run. There is no prediction step and nothing to
reuse: a changed scoring program plays again.

The agent's side sees what it sees in a prediction step, and ``shared``; never the reference data,
nor the scorer's output. Both have no network but what the bundle names. ``shared`` is bounded,
and the agent's side can make no links: one is resolved where it is read, so that it could mean
an answer among the scorer's folders. Pipes and Unix sockets in ``shared`` work.

In the scorer's folder of the submission's files (``input/res``), ``metadata`` appears as soon as
the agent's side has ended, however it ended: the one sign of it that no participant can forge.
"""

import os
import shutil
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

from evaluator.core.compute import mounts
from evaluator.core.compute.engine.output import (
    OutputFolder,
    Room,
    UnsafeOutputError,
    has_link,
    is_full,
)
from evaluator.core.compute.engine.spec import ExitReport, Mount, RunSpec
from evaluator.core.compute.ingestion import answered_by, ingestion_spec
from evaluator.core.compute.job import Job
from evaluator.core.compute.scoring import ScoringResult, read_output, scoring_spec
from evaluator.core.compute.steps import (
    METADATA,
    CellFailedError,
    StepAttempt,
    check_exit,
    fail,
    to_step,
    write_metadata,
)
from evaluator.core.formats.record import Reason, Step

GRACE_SECONDS = 10
"""What a scorer is given to notice that the agent failed, and to score it all the same."""
_SUBSTITUTIONS = mounts.substitutions(mounts.INPUT_DATA, mounts.INGESTED_PROGRAM)
"""Of the agent. Codabench maps ``$program`` to a path that is not mounted here, and
``$predictions`` to the submission, which is at input/res in its scoring step."""


def play(attempt: StepAttempt) -> ScoringResult:
    """Run both sides to the scorer's end. Raises CellFailedError."""
    job, inputs = attempt.job, attempt.inputs
    submitted = _link_submission(inputs.submission, attempt.scratch / "submitted")
    rooms = [Room(job.limits.output_size)] * 3
    outputs = attempt.engine.outputs(inputs.image, rooms, attempt.scratch)
    with outputs as (agent_output, scores, shared):
        scorer_outputs = {mounts.OUTPUT: scores, mounts.SHARED: shared}
        visible = _environment_mounts(inputs, submitted)
        scorer_spec = scoring_spec(attempt, visible, scorer_outputs)
        agent_outputs = {mounts.OUTPUT: agent_output, mounts.SHARED: shared}
        agent, scorer = _run_both(attempt, scorer_spec, agent_outputs, submitted)
        if attempt.way:
            attempt.way.end()
        steps = [
            to_step("ingestion", agent, job.grant),
            to_step("scoring", scorer, job.scoring_grant),
        ]
        try:
            return _judge(attempt, agent, scorer, steps, scores, shared)
        except CellFailedError as error:
            raise CellFailedError(error.error, steps) from None


def _environment_mounts(inputs: mounts.CellInputs, submitted: Path) -> list[Mount]:
    """Mounts of the side of parallel mode that knows the answers.

    ``submitted`` holds the submission's files, mounted in the place of predictions. What the agent
    leaves in ``shared`` is its only output.
    """
    predictions = Mount(source=submitted, target=mounts.PREDICTIONS, is_plain=True)
    given = [*mounts.scoring_mounts(inputs), predictions]
    if inputs.input_data:
        given.append(mounts.data_mount(inputs.input_data, mounts.INPUT_DATA))
    return given


def _link_submission(submission: Path, target: Path) -> Path:
    """Lay the submission's files out, without copying them, so that metadata can join them."""
    shutil.copytree(submission, target, copy_function=_link)
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    if (target / METADATA).is_file():  # that of a program; the worker's has its place
        (target / METADATA).unlink()
    return target


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or too many links
        shutil.copy(source, target)


def _run_both(
    attempt: StepAttempt,
    scorer_spec: RunSpec,
    agent_outputs: Mapping[str, OutputFolder],
    submitted: Path,
) -> tuple[ExitReport, ExitReport]:
    engine = attempt.engine
    spec, actor = ingestion_spec(attempt, _SUBSTITUTIONS)
    agent_spec = replace(spec, outputs=agent_outputs, links=False)
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="side") as pool:
        # First the scorer, so that at the limit it has not outlived the agent.
        scorer = engine.create(scorer_spec).start()
        scored = pool.submit(scorer.wait)
        try:
            with answered_by(actor):
                agent = engine.create(agent_spec).start()
                acted = pool.submit(agent.wait)
                try:
                    _watch(attempt, acted, scored, submitted)
                finally:
                    agent.kill()
                report = acted.result()
        finally:
            scorer.kill()
        return report, scored.result()


def _watch(
    attempt: StepAttempt, acted: Future[ExitReport], scored: Future[ExitReport], submitted: Path
) -> None:
    """When the scorer has ended, or has had its time after the agent failed."""
    wait((acted, scored), return_when=FIRST_COMPLETED)
    if not acted.done():
        return
    report = acted.result()
    step = to_step("ingestion", report, attempt.job.grant)
    write_metadata(submitted, step, by_ingestion=attempt.inputs.ingestion_program is not None)
    goes_on = report.exit_code == 0 or attempt.job.ingestion_may_fail
    wait((scored,), timeout=None if goes_on else GRACE_SECONDS)


def _judge(
    attempt: StepAttempt,
    agent: ExitReport,
    scorer: ExitReport,
    steps: list[Step],
    scores: OutputFolder,
    shared: OutputFolder,
) -> ScoringResult:
    """Read the scores, or decide whose failure it is: a scorer that ended well decides."""
    try:
        is_linked = has_link(shared)
    except UnsafeOutputError as error:
        raise _unsafe(f"left a shared folder that cannot be read: {error.fault}") from None
    if is_linked:
        raise _unsafe("left a link in the shared folder")
    try:
        if scorer.stopped_by == "caller":
            raise fail(
                Reason.SCORER_FAILED,
                f"did not end within {GRACE_SECONDS} s after the agent's side had failed",
                step="scoring", hint="Let it look for input/res/metadata, which then appears.",
            )  # fmt: skip
        return read_output(attempt, scorer, steps, scores)
    except CellFailedError as failure:
        if failure.error.reason is not Reason.REJECTED:
            _blame_agent(attempt.job, agent, scorer, steps[0], shared)
        raise


def _unsafe(message: str) -> CellFailedError:
    return fail(Reason.UNSAFE_OUTPUT, message, step="ingestion", hint="Write plain files only.")


def _blame_agent(
    job: Job, agent: ExitReport, scorer: ExitReport, step: Step, shared: OutputFolder
) -> None:
    limits, seconds = job.limits, job.seconds
    ran_on = agent.stopped_by == "caller" or agent.ended > scorer.ended
    if not ran_on and agent.exit_code != 0:
        check_exit(agent, limits, seconds, step)
    if scorer.stopped_by == "time" and ran_on:
        raise fail(
            Reason.TIMED_OUT, f"had not ended after {seconds} s, the limit of the phase",
            step="ingestion", hint="Make it faster; it ran for as long as the scoring program did.",
        )  # fmt: skip
    if is_full(shared):
        raise fail(
            Reason.OUTPUT_LIMIT,
            f"filled the shared folder, which holds {limits.output_size / 2**20:,.0f} MiB",
            step="ingestion", hint="Write less, or remove what was read.",
        )  # fmt: skip
