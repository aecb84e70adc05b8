"""Steps of a cell: from an exit report to measurements, or to a failure."""

import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from evaluator.core.compute.engine.resources import Grant
from evaluator.core.compute.engine.spec import Engine, ExitReport, Image
from evaluator.core.compute.job import Job
from evaluator.core.compute.mounts import Inputs
from evaluator.core.errors import Actor, printable, some_of
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.record import ACTOR_OF, CellError, Reason, Step, StepName
from evaluator.core.formats.record_limits import MAX_LOG, MAX_TEXT

Lane = AbstractContextManager[object]
"""Entered while a container runs: so many may at once. Waits for its turn."""
METADATA = "metadata"
"""Written after each step, as Codabench's worker does; scoring programs read the times in it."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One try to run the containers of one half of a cell."""

    job: Job
    inputs: Inputs
    engine: Engine
    scratch: Path
    """Folder that goes after it."""
    lane: Lane
    """Entered while the code runs: before and after, another cell's may run."""


class CellFailedError(Exception):
    """The cell ends here; carries what its record says."""

    def __init__(self, error: CellError, steps: Sequence[Step] = ()) -> None:
        super().__init__(error.message)
        self.error = error
        self.steps = tuple(steps)
        """Measurements of the containers that ended with it."""


def fail(
    reason: Reason,
    message: str,
    *,
    step: StepName | None,
    hint: str = "",
    actor: Actor | None = None,
    report: Step | None = None,
) -> CellFailedError:
    """Make the exception for a reason. Texts are cut: an overlong record counts nowhere."""
    error = CellError(
        actor=actor or ACTOR_OF[reason], reason=reason, message=message[:MAX_TEXT],
        hint=hint[:MAX_TEXT], step=step,
    )  # fmt: skip
    return CellFailedError(error, [report] if report else [])


def to_step(name: StepName, report: ExitReport, grant: Grant) -> Step:
    """Return a container's measurements and log; what may be public is decided later."""
    text = printable(report.log.decode("utf-8", "replace"), keep_newlines=True)
    return Step(
        step=name,
        wall_seconds=report.wall_seconds,
        cpu_seconds=report.cpu_seconds,
        peak_memory=report.peak_memory,
        exit_code=report.exit_code,
        gpus=list(report.gpus),
        granted=grant.granted,
        less=grant.shortfall,
        log=text[-MAX_LOG:],
    )


def check_exit(
    report: ExitReport,
    limits: Limits,
    seconds: float,
    step: Step,
    author: Actor = Actor.PARTICIPANT,
    image: Image | None = None,
) -> None:
    """Raise the failure that an exit report means, if it means one.

    ``author`` is whose code the prediction step runs, ``image`` what it runs in. In the scoring
    step only the organiser's program runs, so that the organiser must act.
    """
    predicts = step.step == "ingestion"
    actor = author if predicts else Actor.ORGANISER
    stops = {
        "time": (
            Reason.TIMED_OUT,
            f"was stopped after {seconds:.10g} s, the limit of the phase",
            "Make it faster.",
        ),
        "memory": (
            Reason.OUT_OF_MEMORY,
            f"used more than {limits.memory / 2**20:,.0f} MiB of memory",
            "Use less memory.",
        ),
        "output": (
            Reason.OUTPUT_LIMIT,
            f"wrote more than {limits.output_size / 2**20:,.0f} MiB of output, or too many files",
            "Write less.",
        ),
    }
    if report.stopped_by in stops:
        reason, message, hint = stops[report.stopped_by]
        if actor == Actor.ORGANISER:
            what = "program" if predicts else "scoring program"
            hint = f"Make the {what} cheaper, or raise the limits of the bundle."
        raise fail(reason, message, step=step.step, hint=hint, actor=actor, report=step)
    if report.exit_code != 0:
        if predicts:
            raise exit_failure(step, actor, image)
        raise fail(
            Reason.SCORER_FAILED, f"the scoring program ended with exit code {report.exit_code}",
            step="scoring", report=step,
            hint="Correct it; where predictions are at fault it should write rejected.txt.",
        )  # fmt: skip


def exit_failure(step: Step, actor: Actor, image: Image | None = None) -> CellFailedError:
    """Make the failure of a prediction step that ended with an error by itself."""
    missing = _NO_PACKAGE.findall(step.log)
    hint = f" {_missing_package(image, missing[-1])}" if missing and image is not None else ""
    return fail(
        Reason.EXITED, f"ended with exit code {step.exit_code}",
        step="ingestion", hint=f"The end of its log says more.{hint}", actor=actor, report=step,
    )  # fmt: skip


_NO_PACKAGE = re.compile(r"No module named '([\w.]{1,80})'|no package called .([\w.]{1,80})")
"""What Python and R say."""


def _missing_package(image: Image, names: Sequence[str]) -> str:
    files = sorted(image.context.glob("requirements*.txt")) if image.context else []
    lines = [line for file in files for line in file.read_text(errors="replace").splitlines()]
    packages = [match[0] for line in lines if (match := _REQUIREMENT.match(line.strip()))]
    has = f"; its requirements.txt lists {some_of(packages, 20)}" if packages else ""
    return (
        f"The image {image.name} has no package '{''.join(names)}'{has}. Do without it, or ask the "
        "organisers to add it."
    )


_REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*(==[\w.]+)?")


def write_metadata(folder: Path, step: Step, *, by_ingestion: bool) -> None:
    """Write exit code and time for the scoring program, whole or not at all.

    Codabench gives those of an ingestion program names of their own; scoring programs read either.
    """
    code = "null" if step.exit_code is None else step.exit_code
    lines = {"exitCode": code, "elapsedTime": repr(step.wall_seconds)}
    if by_ingestion:
        lines |= {"ingestionExitCode": code, "ingestionElapsedTime": repr(step.wall_seconds)}
    unfinished = folder / f".{METADATA}.part"
    unfinished.write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    unfinished.chmod(0o644)
    unfinished.replace(folder / METADATA)
