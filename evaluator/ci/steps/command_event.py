"""A command in a comment, as the forge's event tells of it.

A comment is a stranger's text: it is compared with four words, and the rest of its first line with
the names of cells.
"""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any

from pydantic import AwareDatetime, BaseModel

from evaluator.ci.forge.events import read_event

_LINE = re.compile(r"/(evaluate|retry|withdraw|log)(?:[ \t]+(\S.*?))?[ \t\r]*")
_MAX_LINE = 1000
"""Characters: the time of a match may grow with the square of the length."""


class _Account(BaseModel):
    login: str
    type: str = "User"


class _Comment(BaseModel):
    id: int
    body: str | None
    user: _Account | None
    created_at: AwareDatetime


class _Issue(BaseModel):
    number: int
    pull_request: Any = None


class _Event(BaseModel):
    action: str
    issue: _Issue
    comment: _Comment


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command, and who wrote it when and where."""

    word: str
    argument: str
    """Rest of the line; compared with names of cells, and not shown."""
    place: int
    """Number of the pull request or issue that has the comment."""
    pull_request: int
    """0 for an issue: it is not looked up yet."""
    comment: int
    by: str
    at: dt.datetime


def read_command(event: bytes) -> Command | None:
    """Read a command from a forge's event; None if the comment has none. Raises UsageError."""
    read = read_event(_Event, event, name="issue_comment", what="a comment")
    comment = read.comment
    first = (comment.body or "").partition("\n")[0]
    line = _LINE.fullmatch(first) if len(first) <= _MAX_LINE else None
    if read.action != "created" or line is None:
        return None
    if comment.user is None or comment.user.type != "User":
        return None  # a bot, such as this one
    return Command(
        word=line[1], argument=line[2] or "", place=read.issue.number,
        pull_request=0 if read.issue.pull_request is None else read.issue.number,
        comment=comment.id, by=comment.user.login, at=comment.created_at,
    )  # fmt: skip
