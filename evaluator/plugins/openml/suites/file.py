"""Suites as files, ``suites/<name>.yaml``, whose versions are commits: read, changed, checked."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from evaluator.core.errors import Actor, InvalidInputError, Problem, UsageError, errors_in, some_of
from evaluator.core.formats.names import name_problem
from evaluator.core.formats.parsing import Strict, parse
from evaluator.core.formats.schema import Document, dump_yaml, read_yaml
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.openml.suites.criteria import CheckedTable

FOLDER = "suites"
Criteria = Literal["OpenML-CC18", "none"]
"""What members pass; with ``none`` all do."""


class SuiteMember(Strict):
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
    members: list[SuiteMember]
    left_out: list[LeftOut] = []


def suite_path(name: str) -> str:
    return f"{FOLDER}/{name}.yaml"


def read_suite_file(content: bytes, path: str) -> tuple[Suite | None, list[Problem]]:
    """Read a suite and everything that is wrong with it; None where nothing can be made of it."""
    document = read_yaml(content, path, Actor.ORGANISER)
    suite = parse(Suite, document)
    if suite is not None:
        _check_names(suite.members, document)
    elif not document.problems:
        document.report((), "must hold the keys of a suite")
    errors = errors_in(document.problems)
    return None if errors else suite, document.problems


def _check_names(members: Sequence[SuiteMember], document: Document) -> None:
    seen: set[str] = set()
    for place, member in enumerate(members):
        if member.name in seen:
            document.report(
                ("members", place, "name"), f"'{member.name}' is the name of another member, too",
                "`suite detach` knows members by their names.",
            )  # fmt: skip
        seen.add(member.name)


def parse_suite(content: bytes, path: str) -> Suite:
    """Read a suite. Raises InvalidInputError with all that is wrong with it."""
    suite, problems = read_suite_file(content, path)
    if suite is None:
        raise InvalidInputError(problems)
    return suite


def read_suite(root: Path, name: str) -> Suite:
    """Read a suite of the working tree. Raises UsageError, InvalidInputError."""
    file = root / suite_path(name)
    if not file.is_file():
        raise UsageError(f"there is no suite '{name}'", hint="`pullbench suite create` makes one.")
    return parse_suite(file.read_bytes(), suite_path(name))


def write_suite(root: Path, name: str, suite: Suite) -> Suite:
    """Write a suite and return it; the same suite gives the same bytes."""
    file = root / suite_path(name)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(dump_yaml(suite.model_dump(exclude_none=True)))
    return suite


def new_suite(
    title: str, checked: Iterable[CheckedTable], criteria: Criteria = "OpenML-CC18"
) -> Suite:
    members, left_out = _split_by_checks(checked, criteria)
    return Suite(title=title, criteria=criteria, members=members, left_out=left_out)


def attach_members(suite: Suite, checked: Iterable[CheckedTable]) -> Suite:
    members, left_out = _split_by_checks(checked, suite.criteria)
    new = {member.name for member in members}
    remaining = [member for member in suite.members if member.name not in new]
    out = {item.name for item in left_out} | new
    return _new_version(
        suite, [*remaining, *members],
        [*(item for item in suite.left_out if item.name not in out), *left_out],
    )  # fmt: skip


def detach_members(suite: Suite, names: Sequence[str]) -> Suite:
    """The next version without these members. Raises UsageError."""
    by_name = {member.name: member for member in suite.members}
    if unknown := [name for name in names if name not in by_name]:
        raise UsageError(f"the suite has no member '{unknown[0]}'")
    members = [member for member in suite.members if member.name not in names]
    gone = [
        LeftOut(name=name, source=member.source, reasons=["detached"])
        for name, member in by_name.items() if name in names
    ]  # fmt: skip
    return _new_version(suite, members, [*suite.left_out, *gone])


def _new_version(suite: Suite, members: list[SuiteMember], left_out: list[LeftOut]) -> Suite:
    version = suite.version + (members != suite.members)
    update = {"members": members, "left_out": left_out, "version": version}
    return suite.model_copy(update=update)


def _split_by_checks(
    checked: Iterable[CheckedTable], criteria: Criteria
) -> tuple[list[SuiteMember], list[LeftOut]]:
    members, left_out = [], []
    for item in checked:
        table = item.table
        if item.passed or criteria == "none":
            members.append(
                SuiteMember(
                    name=table.name, source=table.source, target=table.target,
                    rows=len(table.frame), features=len(table.frame.columns) - 1,
                    classes=int(table.frame[table.target].nunique()), sha256=table.sha256(),
                    openml_task=table.openml_task,
                )
            )  # fmt: skip
        else:
            left_out.append(LeftOut(name=table.name, source=table.source, reasons=item.reasons))
    return members, left_out


_SUFFIX = ".yaml"
_ELSEWHERE = re.compile(r"pypi:|package:|https?://|t/[0-9]+$")


def check_suites(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    files = snapshot.tree.under(FOLDER)
    if prefixes:
        files = [path for path in files if path.startswith(tuple(prefixes))]
    contents = snapshot.tree.read(files)
    for path in files:
        name = path.removeprefix(f"{FOLDER}/").removesuffix(_SUFFIX)
        if not path.endswith(_SUFFIX):
            yield Problem(
                file=path, message="is no suite, since its name does not end in .yaml",
                hint="`pullbench suite create` writes suites/<name>.yaml.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
            continue
        if bad_name := name_problem(name, path, Actor.ORGANISER):
            yield bad_name
        suite, problems = read_suite_file(contents.get(path, b""), path)
        yield from problems
        here = [
            member.source
            for member in (suite.members if suite else ())
            if not _ELSEWHERE.match(member.source)
            for place in [posixpath.normpath(member.source.partition("!")[0])]
            if place.startswith(("/", "..")) or snapshot.tree.is_ignored(place)
        ]
        if here:
            yield Problem(
                file=path, key="members",
                message=f"has sources of one machine alone: {some_of(here)}",
                hint="Put the files into the repository, or name a release "
                "(pypi:NAME==VERSION!FILE) or an address; the digest stays.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
