"""A step's output for GitHub Actions: annotations, a summary, outputs."""

import json
import os
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from evaluator.core.errors import Problem, printable
from evaluator.core.log import inert, say


def show(problems: Iterable[Problem]) -> None:
    for problem in problems:
        say(f"{problem.severity}: {problem}")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            click.echo(_annotation(problem))


def _annotation(problem: Problem) -> str:
    """A workflow command; what it says can neither end it nor begin another."""
    place = f"file={_property(problem.file)}"
    if problem.line:
        place += f",line={problem.line}"
    level = "notice" if problem.severity == "note" else problem.severity
    key = f"{problem.key}: " if problem.key else ""
    text = f"{key}{problem.message.rstrip('.')}. {problem.hint} [{problem.actor} must act]"
    return f"::{level} {place},title=pullbench::{_data(inert(text))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(inert(printable(text))).replace(":", "%3A").replace(",", "%2C")


def summarise(markdown: str) -> None:
    _append("GITHUB_STEP_SUMMARY", f"{markdown}\n")


def set_outputs(values: Mapping[str, object]) -> None:
    """Set outputs of the step as text or JSON, between delimiters that no value can guess."""
    for name, value in values.items():
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        delimiter = f"end-{uuid.uuid4().hex}"
        _append("GITHUB_OUTPUT", f"{name}<<{delimiter}\n{text}\n{delimiter}\n")


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(text)
