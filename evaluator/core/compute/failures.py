"""Failures around containers, each with its reason and with who must act."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from evaluator.core.compute.engine.spec import ImageError, ProgramError
from evaluator.core.compute.job import Job
from evaluator.core.compute.mounts import PROGRAM
from evaluator.core.compute.steps import CellFailedError, fail
from evaluator.core.errors import (
    Actor,
    InvalidInputError,
    PlatformError,
    PullbenchError,
    StoppedError,
    error_name,
    host_fault,
)
from evaluator.core.formats.record import Reason, Step
from evaluator.core.formats.record_limits import MAX_TEXT
from evaluator.core.log import tell_operator


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
            return _with_hint(failure, _UNKNOWN)
        said = f"; it said: {log.splitlines()[-1][:500]}" if log else ""
        return CellFailedError(
            error.model_copy(
                update={
                    "actor": Actor.PARTICIPANT if job.scores_files else job.author,
                    "message": f"{error.message}{said}"[:MAX_TEXT],
                    "hint": _KNOWN,
                }
            ),
            failure.steps,
        )
    if error.reason != Reason.EXITED or known or not job.ingestion_program:
        return failure
    frames = _FRAME.findall(log)
    own = [frame for frame in frames if frame.startswith(f"{PROGRAM}/")]
    # Elsewhere below /app, and where programs can write, code may be the participant's.
    if not own or any(_MAY_BE_SUBMITTED.match(frame) for frame in frames if frame not in own):
        return failure
    asked = error.model_copy(update={"actor": Actor.ORGANISER})
    return _with_hint(CellFailedError(asked, failure.steps), _UNKNOWN)


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


def _with_hint(failure: CellFailedError, hint: str) -> CellFailedError:
    hint = f"{failure.error.hint} {hint}".strip()[:MAX_TEXT]
    return CellFailedError(failure.error.model_copy(update={"hint": hint}), failure.steps)


def as_failure(reason: Reason, error: PullbenchError) -> CellFailedError:
    return fail(reason, error.message, step=None, hint=error.hint, actor=error.actor)
