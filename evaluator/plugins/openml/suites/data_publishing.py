"""Members of a suite -> data sets and tasks of a server."""

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, PullbenchError
from evaluator.core.formats.table_folds import write_table
from evaluator.plugins.openml.suites.format import Member, Suite
from evaluator.plugins.openml.suites.tables import Table
from evaluator.plugins.openml.tabular.writing import arrow_table
from evaluator.plugins.openml.tasks.client import Client

_NAME = re.compile(r"[A-Za-z0-9_.(),-]{1,128}")
"""What OpenML takes as the name of a data set."""


@dataclass(frozen=True, kw_only=True)
class Rights:
    """What a server asks of data beside their values."""

    licence: str
    creator: str = ""
    citation: str = ""


@dataclass(frozen=True, kw_only=True)
class PublishedData:
    """What a server has, or lacks, of one member."""

    name: str
    rows: int
    columns: int
    target: str
    bytes: int
    """Of its ARFF."""
    md5: str
    procedure: str
    """By which the server splits the rows."""
    data: int | None
    """Number of the data set; None where the server has none. So is ``task``."""
    task: int | None


def publish_data(
    suite: Suite, read: Callable[[Member], Table], client: Client, rights: Rights, procedure: int,
    key: str, *, dry_run: bool,
) -> Iterator[PublishedData]:  # fmt: skip
    """Yield what became of each member that has no task: created at the server, or found there.

    A dry run sends nothing. ``read`` returns the values of a member. Raises PullbenchError before
    anything is sent where a name is none that OpenML takes; PlatformError.
    """
    members = [member for member in suite.members if member.openml_task is None]
    _check_names(members)
    command = "find_dataset" if dry_run else "publish_dataset"
    with tempfile.TemporaryDirectory(prefix="pullbench-") as scratch:
        for member in members:
            table = read(member)
            item = _item(suite, member, table, rights, procedure, Path(scratch, "table.parquet"))
            answer = client.ask(command, item, key=key)
            yield PublishedData(
                name=member.name, rows=len(table.frame), columns=len(table.frame.columns),
                target=table.target, **answer,
            )  # fmt: skip


def _check_names(members: list[Member]) -> None:
    for member in members:
        if not _NAME.fullmatch(member.name):
            raise PullbenchError(
                f"OpenML takes no data set of the name '{member.name}'",
                hint="Letters, digits and _ . ( ) , - only: change it in the suite's file.",
                actor=Actor.ORGANISER,
            )


def _item(
    suite: Suite, member: Member, table: Table, rights: Rights, procedure: int, file: Path
) -> dict[str, Any]:
    """Return what the client is asked to send; the table itself is written to a file."""
    frame = table.frame.copy()
    nominal = {*table.nominal(), table.target}
    attributes: list[tuple[str, str | list[str]]] = []
    for name in frame.columns:
        if name in nominal:
            frame[name] = frame[name].astype(object).map(str, na_action="ignore")
            attributes.append((name, sorted(set(frame[name].dropna()))))
        else:
            kind = "REAL" if frame[name].dtype.kind == "f" else "INTEGER"
            attributes.append((name, kind))
    write_table(arrow_table(frame), file)
    return {
        "name": member.name, "target": table.target, "table": str(file), "procedure": procedure,
        "attributes": attributes, "licence": rights.licence, "creator": rights.creator,
        "citation": rights.citation,
        "description": f"{member.name}, of the collection \"{suite.title}\". Source: "
        f"{member.source}. SHA-256 of its values as CSV: {member.sha256}.",
    }  # fmt: skip
