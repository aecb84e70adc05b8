"""A suite as a file: ``suites/<name>.yaml``, whose versions are its commits."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.parsing import Strict, parse
from evaluator.core.formats.schema import Document, read_yaml

FOLDER = "suites"
Criteria = Literal["OpenML-CC18", "none"]
"""What members pass; with ``none`` all are taken."""


class Member(Strict):
    """One data set of a suite."""

    name: Annotated[str, Field(min_length=1)]
    source: str
    """Where it was read: ``pypi:NAME==VERSION!FILE``, ``package:NAME/FILE``, an address, a file of
    the repository, ``benchmark:NAME/TASK``, or a task of the server."""
    target: str
    rows: int = Field(ge=1)
    features: int = Field(ge=1)
    classes: int = Field(ge=0)
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """Of all values in order, with the names of the columns and the target."""
    openml_task: int | None = Field(default=None, ge=1)
    """Number of its task at the suite's server."""


class LeftOut(Strict):
    """A data set that does not pass, and why."""

    name: Annotated[str, Field(min_length=1)]
    source: str
    reasons: Annotated[list[str], Field(min_length=1)]


class Suite(Strict):
    """The file."""

    title: Annotated[str, Field(min_length=1)]
    description: str = ""
    version: int = Field(default=1, ge=1)
    """One more after each change of its members."""
    criteria: Criteria = "OpenML-CC18"
    published: dict[str, int] = {}
    """Server -> number of the suite there."""
    members: list[Member]
    left_out: list[LeftOut] = []


def suite_path(name: str) -> str:
    return f"{FOLDER}/{name}.yaml"


def read_suite_file(content: bytes, path: str) -> tuple[Suite | None, list[Problem]]:
    """Read a suite and everything that is wrong with it; None where nothing can be made of it."""
    document = read_yaml(content, path, Actor.ORGANISER)
    suite = parse(Suite, document)
    if suite is not None:
        _names(suite.members, document)
    elif not document.problems:
        document.report((), "must hold the keys of a suite")
    errors = any(problem.severity == "error" for problem in document.problems)
    return None if errors else suite, document.problems


def _names(members: Sequence[Member], document: Document) -> None:
    seen: set[str] = set()
    for place, member in enumerate(members):
        if member.name in seen:
            document.report(
                ("members", place, "name"), f"'{member.name}' is the name of another member, too",
                "`suite detach` and `publish` know members by their names.",
            )  # fmt: skip
        seen.add(member.name)
