"""Failures around containers, each with its reason and with who must act."""

from collections.abc import Iterator
from contextlib import contextmanager

from evaluator.compute.engine.spec import ImageError, ProgramError
from evaluator.compute.steps import CellFailedError, fail
from evaluator.errors import (
    Actor,
    InvalidInputError,
    PlatformError,
    PullbenchError,
    StoppedError,
    error_name,
    host_fault,
)
from evaluator.formats.record import Reason
from evaluator.log import tell_operator


@contextmanager
def explained() -> Iterator[None]:
    """Raise CellFailedError where the content is at fault, PlatformError where this machine is."""
    try:
        yield
    except InvalidInputError as error:
        actor = error.problems[0].actor
        raise fail(Reason.BAD_INPUT, error.message, step=None, actor=actor) from None
    except ImageError as error:
        if error.__cause__ is not None:
            tell_operator(error)
        raise _as_failure(Reason.BAD_IMAGE, error) from None
    except ProgramError as error:
        raise _as_failure(Reason.BAD_PROGRAM, error) from None
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


def _as_failure(reason: Reason, error: PullbenchError) -> CellFailedError:
    return fail(reason, error.message, step=None, hint=error.hint, actor=error.actor)


def platform_fault(error: PlatformError) -> CellFailedError:
    """Return the failure of a cell whose machine failed for good."""
    return fail(
        Reason.PLATFORM_FAULT, error.message, step=None, hint=error.hint, actor=Actor.PLATFORM
    )
