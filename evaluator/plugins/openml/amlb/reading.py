"""AMLB's YAML files, which hold a list or a mapping at their top."""

from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import Document, read_yaml


def read_file(path: Path) -> Document:
    """Read a file. Raises UsageError, InvalidInputError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{shown(str(path))} cannot be read: {error.strerror}") from None
    document = read_yaml(content, path.name, Actor.ORGANISER, lenient=True, lists=True)
    stop(document.problems)
    return document


def stop(problems: list[Problem]) -> None:
    """Raise InvalidInputError where one of the problems is an error."""
    if any(problem.severity == "error" for problem in problems):
        raise InvalidInputError(problems)


def fold_case(entries: Any) -> dict[str, str]:
    """Names by their lower-case form: AMLB finds all of its names whatever their case."""
    return {str(name).lower(): str(name) for name in entries}
