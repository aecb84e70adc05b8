"""Suites of the working tree: made, changed, written."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from evaluator.core.errors import Actor, InvalidInputError, PullbenchError, UsageError
from evaluator.core.formats.schema import dump_yaml
from evaluator.plugins.openml.suites.criteria import Checked
from evaluator.plugins.openml.suites.format import (
    Criteria,
    LeftOut,
    Member,
    Suite,
    read_suite_file,
    suite_path,
)


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


def created(
    title: str, description: str, checked: Iterable[Checked], criteria: Criteria = "OpenML-CC18"
) -> Suite:
    """Return a suite of what passes, with a table of what does not."""
    members, left_out = _sorted_out(checked, criteria)
    return Suite(
        title=title, description=description, criteria=criteria, members=members,
        left_out=left_out,
    )  # fmt: skip


def attached(suite: Suite, checked: Iterable[Checked]) -> Suite:
    """Return the next version, with what passes added or replaced by name."""
    members, left_out = _sorted_out(checked, suite.criteria)
    new = {member.name for member in members}
    remaining = [member for member in suite.members if member.name not in new]
    out = {item.name for item in left_out} | new
    return _next(
        suite, [*remaining, *members],
        [*(item for item in suite.left_out if item.name not in out), *left_out],
    )  # fmt: skip


def detached(suite: Suite, names: Sequence[str]) -> Suite:
    """Return the next version without these members. Raises UsageError."""
    names_before = {member.name for member in suite.members}
    for name in names:
        if name not in names_before:
            raise UsageError(f"the suite has no member '{name}'")
    members = [member for member in suite.members if member.name not in names]
    gone = [
        LeftOut(name=member.name, source=member.source, reasons=["detached"])
        for member in suite.members
        if member.name in names
    ]
    return _next(suite, members, [*suite.left_out, *gone])


def with_task(suite: Suite, name: str, task: int) -> Suite:
    """Return the same version, with the number of a member's task at its server."""
    members = [
        member.model_copy(update={"openml_task": task}) if member.name == name else member
        for member in suite.members
    ]
    return suite.model_copy(update={"members": members})


def _next(suite: Suite, members: list[Member], left_out: list[LeftOut]) -> Suite:
    changed = members != suite.members
    return suite.model_copy(
        update={
            "members": members, "left_out": left_out, "version": suite.version + changed,
        }
    )  # fmt: skip


def _sorted_out(
    checked: Iterable[Checked], criteria: Criteria
) -> tuple[list[Member], list[LeftOut]]:
    members, left_out = [], []
    for item in checked:
        table = item.table
        if item.passed or criteria == "none":
            members.append(
                Member(
                    name=table.name, source=table.source, target=table.target,
                    rows=len(table.frame), features=len(table.frame.columns) - 1,
                    classes=int(table.frame[table.target].nunique()), sha256=table.sha256(),
                    openml_task=table.openml_task,
                )
            )  # fmt: skip
        else:
            left_out.append(LeftOut(name=table.name, source=table.source, reasons=item.reasons))
    return members, left_out


def task_numbers(suite: Suite) -> list[int]:
    """Numbers of all members' tasks. Raises PullbenchError where one has none."""
    without = [member.name for member in suite.members if member.openml_task is None]
    if without:
        raise PullbenchError(
            f"{len(without)} members have no task at a server, such as '{without[0]}'",
            hint="`pullbench suite publish-data` creates them there.",
            actor=Actor.ORGANISER,
        )
    return [member.openml_task for member in suite.members if member.openml_task is not None]
