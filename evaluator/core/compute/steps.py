"""Steps of a cell: their measurements, and failures with their reasons and who must act."""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.compute.engine.resources import Grant
from evaluator.core.compute.engine.spec import Engine, ExitReport, Image, ImageError, ProgramError
from evaluator.core.compute.gateway import OpenWay
from evaluator.core.compute.job import Job
from evaluator.core.compute.mounts import PROGRAM, CellInputs
from evaluator.core.errors import (
    Actor,
    InvalidInputError,
    PlatformError,
    PullbenchError,
    StoppedError,
    error_name,
    host_fault,
    printable,
    some_of,
)
from evaluator.core.formats.extension import Limits
from evaluator.core.formats.record import (
    ACTOR_OF,
    MAX_LOG,
    MAX_TEXT,
    CellError,
    Reason,
    Step,
    StepName,
)
from evaluator.core.log import tell_operator

Lane = AbstractContextManager[object]
"""Entered while a container runs: so many may at once. Waits for its turn."""
METADATA = "metadata"
"""Written after each step, as Codabench's worker does; scoring programs read the times in it."""


@dataclass(frozen=True, kw_only=True)
class StepAttempt:
    """One try to run the containers of one half of a cell."""

    job: Job
    inputs: CellInputs
    engine: Engine
    scratch: Path
    """Folder that goes after it."""
    lane: Lane
    way: OpenWay | None = None
    """Open for the program of the prediction step, or for the agent."""
    scoring_way: OpenWay | None = None


class CellFailedError(Exception):
    """The cell ends here; carries what its record says."""

    def __init__(self, error: CellError, steps: Sequence[Step] = ()) -> None:
        super().__init__(error.message)
        self.error = error
        self.steps = tuple(steps)
        """Measurements of the containers that ended with it."""

    def but(self, **changes: Any) -> "CellFailedError":
        return CellFailedError(self.error.replace(**changes), self.steps)

    def and_hint(self, hint: str) -> "CellFailedError":
        return self.but(hint=f"{self.error.hint} {hint}".strip()[:MAX_TEXT])


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
    """A container's measurements and log; what may be public is decided later."""
    text = printable(report.log.decode("utf-8", "replace"), keep_newlines=True)
    return Step(
        step=name, wall_seconds=report.wall_seconds, cpu_seconds=report.cpu_seconds,
        peak_memory=report.peak_memory, exit_code=report.exit_code, gpus=list(report.gpus),
        granted=grant.granted, less=grant.shortfall, log=text[-MAX_LOG:],
    )  # fmt: skip


def check_exit(
    report: ExitReport,
    limits: Limits,
    seconds: float,
    step: Step,
    author: Actor = Actor.PARTICIPANT,
    image: Image | None = None,
) -> None:
    """Raise what a report means; ``author`` is whose code predicts: the organiser's scores."""
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
            raise exit_failure(step, actor, image, report.entrypoint)
        raise fail(
            Reason.SCORER_FAILED, f"the scoring program ended with exit code {report.exit_code}",
            step="scoring", report=step,
            hint=_of_image(image, step.log, report.entrypoint).replace(_ASK, _ADD)
            or "Correct it; where predictions are at fault it should write rejected.txt.",
        )  # fmt: skip


def exit_failure(
    step: Step, actor: Actor, image: Image | None = None, entrypoint: str = ""
) -> CellFailedError:
    hint = f"The end of its log says more. {_of_image(image, step.log, entrypoint)}".rstrip()
    return fail(
        Reason.EXITED, f"ended with exit code {step.exit_code}",
        step="ingestion", hint=hint, actor=actor, report=step,
    )  # fmt: skip


def _of_image(image: Image | None, log: str, entrypoint: str) -> str:
    """Say what of an image may have ended a program; empty for nothing."""
    if image is not None and (missing := _NO_PACKAGE.findall(log)):
        return _missing_package(image, missing[-1])
    if _NO_HOST.search(log):
        return f"It looked for a host, and programs have no network. {_ASK}"
    if image is not None and entrypoint and not _FRAME.search(log):
        return (
            f"The image {image.name} has the ENTRYPOINT `{entrypoint}`, which is given the command "
            "as its arguments. If it does not run them, end its Dockerfile with `ENTRYPOINT []`."
        )
    return ""


_ASK, _ADD = "Do without it, or ask the organisers to add it.", "Add it to the image."
_NO_PACKAGE = re.compile(r"No module named '([\w.]{1,80})'|no package called .([\w.]{1,80})")
"""What Python and R say."""
_NO_HOST = re.compile(
    r"name resolution|could not resolve|name or service not known|network is unreachable",
    re.IGNORECASE,
)
"""What the C library, curl and R say in a container without a network."""


def _missing_package(image: Image, names: Sequence[str]) -> str:
    files = sorted(image.context.glob("requirements*.txt")) if image.context else []
    lines = [line for file in files for line in file.read_text(errors="replace").splitlines()]
    packages = [match[0] for line in lines if (match := _REQUIREMENT.match(line.strip()))]
    has = f"; its requirements.txt lists {some_of(packages, 20)}" if packages else ""
    return f"The image {image.name} has no package '{''.join(names)}'{has}. {_ASK}"


_REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*(==[\w.]+)?")


def write_metadata(folder: Path, step: Step, *, by_ingestion: bool) -> None:
    """Write what scoring programs read, under both of Codabench's names, whole or not at all."""
    code = "null" if step.exit_code is None else step.exit_code
    lines = {"exitCode": code, "elapsedTime": repr(step.wall_seconds)}
    if by_ingestion:
        lines |= {"ingestionExitCode": code, "ingestionElapsedTime": repr(step.wall_seconds)}
    unfinished = folder / f".{METADATA}.part"
    unfinished.write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    unfinished.chmod(0o644)
    unfinished.replace(folder / METADATA)


@contextmanager
def as_cell_failures() -> Iterator[None]:
    """Raise CellFailedError if the content is at fault, PlatformError if this machine is."""
    try:
        yield
    except InvalidInputError as error:
        actor = error.problems[0].actor
        raise fail(Reason.BAD_INPUT, error.message, step=None, actor=actor) from None
    except ImageError as error:
        if error.__cause__ is not None:
            tell_operator(error)
        raise as_failure(Reason.BAD_IMAGE, error) from None
    except ProgramError as error:
        raise as_failure(Reason.BAD_PROGRAM, error) from None
    except (CellFailedError, StoppedError):
        raise
    except PlatformError as error:
        if error.is_public:
            raise
        text = f"this machine failed ({error_name(error)})"
        raise PlatformError(text, hint=error.hint) from error
    except Exception as error:
        fault = host_fault(error, named=False) if isinstance(error, OSError) else None
        if fault is not None:
            raise fault from error
        # Also our own defects: they must not end the run, nor appear in public.
        raise PlatformError(f"this machine failed ({error_name(error)})") from error


def judge(job: Job, failure: CellFailedError, earlier: Sequence[Step] = ()) -> CellFailedError:
    """Decide whose failure it is if an organiser's program failed on a participant's files.

    A program that ended well on a control failed because of these files. A log is no proof, since a
    participant's code can write it too: it only says whom to ask first without a control.
    """
    error = failure.error
    known = error.step in job.ended_well
    logs = {step.step: step.log.strip() for step in (*earlier, *failure.steps)}
    log = logs.get(error.step or "scoring", "")
    if error.step == "scoring" and error.actor == Actor.ORGANISER:
        if not known:
            return failure if _NO_PACKAGE.search(log) else failure.and_hint(_UNKNOWN)
        said = f"; it said: {log.splitlines()[-1][:500]}" if log else ""
        return failure.but(
            actor=Actor.PARTICIPANT if job.scores_files else job.author,
            message=f"{error.message}{said}"[:MAX_TEXT],
            hint=_KNOWN,
        )
    if error.reason != Reason.EXITED or known or not job.ingestion_program:
        return failure
    frames = _FRAME.findall(log)
    own = [frame for frame in frames if frame.startswith(f"{PROGRAM}/")]
    # Elsewhere below /app, and where programs can write, code may be the participant's.
    if not own or any(_MAY_BE_SUBMITTED.match(frame) for frame in frames if frame not in own):
        return failure
    hint = error.hint.replace(_ASK, _ADD)
    return failure.but(actor=Actor.ORGANISER, hint=hint).and_hint(_UNKNOWN)


_FRAME = re.compile(r'^ *File "((?!<frozen)[^"]+)", line \d+', re.MULTILINE)
_MAY_BE_SUBMITTED = re.compile(r"/(app|tmp|dev|run|var)/|[^/]")
_KNOWN = (
    "The program ended well on other files, with the same data. Correct these files; the end of "
    "the log says more. Organisers: let the program refuse such files by name, in rejected.txt."
)
_UNKNOWN = (
    "Whether these files or the program are at fault is not known: no record says that it ended "
    "well on others with the same data. Enter a baseline."
)


def as_failure(reason: Reason, error: PullbenchError) -> CellFailedError:
    return fail(reason, error.message, step=None, hint=error.hint, actor=error.actor)
