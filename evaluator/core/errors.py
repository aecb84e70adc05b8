"""Every error that a user can meet: who must act, what to do, and the exit code.

``__main__`` alone catches these. Anything else that escapes is a defect of pullbench.
"""

import difflib
import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Actor(StrEnum):
    """Who must act for the error to go away."""

    PARTICIPANT = "participant"
    ORGANISER = "organiser"
    PLATFORM = "platform"

    @classmethod
    def of(cls, path: str) -> "Actor":
        """Whose a file of the repository is."""
        return cls.PARTICIPANT if path.startswith("submissions/") else cls.ORGANISER


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that is wrong with one file."""

    file: str
    """Path from the repository's root, with forward slashes."""
    key: str = ""
    """Dotted path of the key in the file, such as ``phases[0].start``; empty for the whole file."""
    line: int | None = None
    """Line in the file, counted from 1, where it is known."""
    message: str
    hint: str = ""
    actor: Actor
    severity: str = "error"
    """``error``, ``warning``, or ``note``: what is as it should be, and good to know."""

    def __str__(self) -> str:
        """``file:line: key: message (hint) [who]``, printable: control characters are escaped."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        parts = [place, *([self.key] if self.key else []), self.message.rstrip(".")]
        hint = f" {self.hint}" if self.hint else ""
        return printable(f"{': '.join(parts)}.{hint} [{self.actor} must act]")


def participants_problem(file: str, message: str, hint: str) -> Problem:
    return Problem(file=printable(file), message=message, hint=hint, actor=Actor.PARTICIPANT)


def errors_in(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.severity == "error"]


class PullbenchError(Exception):
    """An error with a message that says what to do next."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", actor: Actor | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.actor = actor

    def __str__(self) -> str:
        hint = f"\n  {self.hint}" if self.hint else ""
        return printable(f"{self.message}{hint}", keep_newlines=True)


class InvalidInputError(PullbenchError):
    """Files that cannot be used; holds every problem found, not the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(PullbenchError):
    """The command line or the settings ask for something that does not exist."""

    exit_code = 2


class RefusedError(PullbenchError):
    """A pull request that cannot be judged, for what its commits are; its participant must act."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message, hint=hint, actor=Actor.PARTICIPANT)


class PlatformError(PullbenchError):
    """The machine, Docker, git or the network failed. Never booked to a participant."""

    exit_code = 3
    retryable = True
    """Whether another try, a moment later, may do better."""
    is_public = True
    """Whether its text is ours alone; else it may name what is nobody's business."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint, actor=Actor.PLATFORM)


class StoppedError(Exception):
    """The run was interrupted from outside; nothing is to be recorded."""


def nearest(name: str, names: Iterable[str], otherwise: str) -> str:
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.7)
    return f"Did you mean '{close[0]}'?" if close else otherwise


def counted(count: int, nouns: str) -> str:
    """Write a number of things: ``1 submission``, ``2 submissions``."""
    return f"{count:,} {nouns if count != 1 else nouns.removesuffix('s')}"


def some_of(names: Sequence[str], most: int = 10) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


GUIDES = "https://github.com/pullbench/pullbench/blob/main/site"
"""Where the pages lie that a message names: a deployment has no copy of them."""
_ROOM = (
    "Free space there (`df -h`), or inodes (`df -i`), and run it again; what was finished is kept."
)
_HOST_FAULTS = {
    errno.ENOSPC: ("no space or no inodes are left", _ROOM),
    errno.EDQUOT: ("the quota of this account is used up", _ROOM),
    errno.EROFS: ("the file system is read-only", "Mount it writable, or use another folder."),
    errno.EACCES: ("this account has no permission", "Give it the folder (`ls -ld`, `chown`)."),
    errno.EPERM: ("this account has no permission", "Give it the folder (`ls -ld`, `chown`)."),
    errno.EIO: ("the disk fails", "`dmesg` says more; use another disk."),
    errno.ENOENT: (
        "a file went away while it was used",
        "Does something else clear this folder? Run it again; what was finished is kept.",
    ),
    errno.EMFILE: ("too many files are open", "Raise `ulimit -n`, or use fewer --jobs."),
    errno.ENOMEM: ("no memory is left", "End other programs, or use fewer --jobs."),
}


def host_fault(error: OSError, *, named: bool) -> PlatformError | None:
    """Say what is missing on this machine; ``named`` with the file, which may be a stranger's."""
    what, hint = _HOST_FAULTS.get(error.errno or 0, ("", ""))
    if not what:
        return None
    place = f": {error.filename}" if named and error.filename else ""
    return PlatformError(f"{what}{place}", hint=hint)


def hint_of(said: str) -> str:
    """Say what to do about what a program says of this machine, in the system's English words."""
    if "Out of diskspace" in said or "couldn't write '" in said:  # git's own words
        return _ROOM
    return next(
        (hint for number, (_, hint) in _HOST_FAULTS.items() if os.strerror(number) in said), ""
    )


def error_name(error: BaseException) -> str:
    """The kind of an error of the host's: its text names paths, or what strangers chose."""
    number = error.errno if isinstance(error, OSError) else None
    if number is None and isinstance(error.__context__, OSError):
        number = error.__context__.errno  # of the connection that a client lost
    status = getattr(getattr(error, "response", error), "status_code", None)
    kind = f"{type(error).__name__} {status}" if status else type(error).__name__
    return errno.errorcode.get(number or 0, kind)


def printable(text: str, *, keep_newlines: bool = False) -> str:
    """Escape control and format characters, so that none acts on a terminal or hides another."""
    if text.isprintable():
        return text
    kept = "\n" if keep_newlines else ""
    return "".join(
        character
        if character in kept or character.isprintable()
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
