"""An issue, as GitHub's event tells of it, and the answers in its text.

All of it is a stranger's. Anybody can write the same headings by hand: that is the same entry, by
whoever wrote it. A text is compared with the labels of the form, and says nothing of who enters.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from evaluator.ci.forge.events import read_event
from evaluator.ci.forge.inert_markdown import quoted
from evaluator.core.errors import some_of
from evaluator.plugins.forms.issue_form import BENCHMARK, Field

_MAX_BODY = 65_536
_EMPTY = "_No response_"
_BOX = re.compile(r"[-*] \[([ xX])\] (.*)")
_AGAIN = "Open the form again from the page *Submit*, and fill it in."


class _Account(BaseModel):
    id: int
    login: str
    type: str = "User"


class _Issue(BaseModel):
    number: int
    body: str | None = None
    user: _Account | None = None
    pull_request: Any = None


class _Event(BaseModel):
    action: str
    issue: _Issue
    sender: _Account | None = None
    changes: Any = None
    """Where a transferred issue was."""


@dataclass(frozen=True, kw_only=True)
class EntryIssue:
    """An issue that asks to enter, when it was opened."""

    number: int
    account: int
    login: str
    body: str
    benchmark: str
    """As the text names it; may be any text."""


class FormRefusedError(Exception):
    """What is wrong with a form, in sentences as Markdown for people who know no YAML."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(*sentences)
        self.sentences = sentences


def read_issue(event: bytes) -> EntryIssue | None:
    """Read a forge's event; None unless a person has just opened an entry. Raises UsageError."""
    read = read_event(_Event, event, name="issues", what="an issue")
    issue, user = read.issue, read.issue.user
    body = (issue.body or "").replace("\r\n", "\n")
    if read.action != "opened" or read.changes or issue.pull_request is not None:
        return None
    # The sender is who acted: a transferred issue has its author's name, and another sender.
    if user is None or user.type != "User" or read.sender is None or read.sender.id != user.id:
        return None
    named = re.match(rf"### {BENCHMARK}\n+([^\n]+)\n", f"{body}\n")
    if named is None or len(body) > _MAX_BODY:
        return None
    return EntryIssue(
        number=issue.number, account=user.id, login=user.login, body=body,
        benchmark=named[1].strip(),
    )  # fmt: skip


def read_answers(body: str, fields: Sequence[Field]) -> dict[str, str | bool]:
    """Answers by key; boxes are True or False. Raises FormRefusedError with all faults."""
    by_heading = {f"### {field.label}": field for field in fields}
    order: list[Field] = []
    texts: dict[str, list[str]] = {}
    for line in body.split("\n"):
        if line.strip() in by_heading:
            order.append(by_heading[line.strip()])
            texts[order[-1].key] = []
        elif order:
            texts[order[-1].key].append(line)
    if order != list(fields):
        raise FormRefusedError(
            "This is not the form of today: a question is missing, is there twice, or has changed. "
            + _AGAIN
        )
    answers: dict[str, str | bool] = {}
    faults = []
    for field in fields:
        text = "\n".join(texts[field.key]).strip()
        text = "" if text == _EMPTY else text
        if field.type == "checkboxes":
            boxes = _BOX.findall(text)
            if [label.strip() for _, label in boxes] != [*field.options]:
                faults.append(f"The box below {quoted(field.label)} is not that of today. {_AGAIN}")
            answers[field.key] = is_ticked = all(mark != " " for mark, _ in boxes)
            if field.required and not is_ticked:
                faults.append(f"You did not tick the box below {quoted(field.label)}.")
        elif field.required and not text:
            faults.append(f"{quoted(field.label)} has no answer.")
        elif field.type == "dropdown" and text and text not in field.options:
            options = some_of(list(map(quoted, field.options)))
            faults.append(
                f"{quoted(field.label)} has the answer {quoted(text)}, which is none of: {options}."
            )
        elif field.type == "input" and "\n" in text:
            faults.append(f"{quoted(field.label)} has an answer of several lines: write one.")
        else:
            answers[field.key] = text
    if faults:
        raise FormRefusedError(*faults)
    return answers


def in_words(key: str, fields: Sequence[Field]) -> str:
    """How people know a key of submission.yaml: by the label of the field."""
    return next((quoted(field.label) for field in fields if field.key == key), "")
