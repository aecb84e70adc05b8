"""Suites and runs -> a server, through the package's own client and with a key."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, PullbenchError, UsageError
from evaluator.core.formats.table_folds import write_table
from evaluator.plugins.openml.suites.file import Member, Suite, task_numbers
from evaluator.plugins.openml.suites.tables import Table
from evaluator.plugins.openml.tabular.writing import arrow_table
from evaluator.plugins.openml.tasks.client import KEY, Client


def api_key() -> str:
    """Return the key from the environment. Raises UsageError."""
    key = os.environ.get(KEY, "")
    if not key:
        raise UsageError(f"publishing needs an API key in {KEY}")
    return key


def publish_suite(suite: Suite, client: Client, alias: str | None) -> tuple[Suite, str]:
    """Create the suite at the server, or attach and detach what changed; say what was done.

    Raises UsageError, PullbenchError, PlatformError.
    """
    key = api_key()
    wanted = task_numbers(suite)
    number = suite.published.get(client.server)
    if number is None:
        text = {"name": suite.title, "description": suite.description or suite.title,
                "tasks": wanted, "alias": alias}  # fmt: skip
        number = int(client.ask("publish_suite", text, key=key)["id"])
        published = {**suite.published, client.server: number}
        return suite.model_copy(update={"published": published}), f"s/{number} is there"
    published_tasks = client.ask("suite", number)["tasks"]
    change: dict[str, Any] = {
        "id": number,
        "attach": [task for task in wanted if task not in published_tasks],
        "detach": [task for task in published_tasks if task not in wanted],
    }
    if change["attach"] or change["detach"]:
        client.ask("change_suite", change, key=key)
    return suite, (
        f"s/{number}: {len(change['attach'])} attached, {len(change['detach'])} detached"
    )


_NAME = re.compile(r"[A-Za-z0-9_.(),-]{1,128}")
"""What OpenML takes as the name of a data set."""


def publish_data(
    suite: Suite, read: Callable[[Member], Table], client: Client, rights: Mapping[str, str],
    procedure: int, key: str, *, dry_run: bool,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """Yield what became of each member that has no task: created at the server, or found there.

    A dry run sends nothing. ``read`` returns the values of a member; ``rights`` are licence,
    creator and citation. ``data`` and ``task`` are numbers at the server, None if it has none.
    Raises PullbenchError before anything is sent if OpenML does not take a name; PlatformError.
    """
    members = [member for member in suite.members if member.openml_task is None]
    for member in members:
        if not _NAME.fullmatch(member.name):
            raise PullbenchError(
                f"OpenML takes no data set of the name '{member.name}'",
                hint="Letters, digits and _ . ( ) , - only: change it in the suite's file.",
                actor=Actor.ORGANISER,
            )
    command = "find_dataset" if dry_run else "publish_dataset"
    with tempfile.TemporaryDirectory(prefix="pullbench-") as scratch:
        for member in members:
            table = read(member)
            item = _item(suite, member, table, rights, procedure, Path(scratch, "table.parquet"))
            answer = client.ask(command, item, key=key)
            rows, columns = table.frame.shape
            yield {
                "name": member.name, "rows": rows, "columns": columns, "target": table.target,
                **{key: answer[key] for key in ("bytes", "md5", "procedure", "data", "task")},
            }  # fmt: skip


def _item(
    suite: Suite,
    member: Member,
    table: Table,
    rights: Mapping[str, str],
    procedure: int,
    file: Path,
) -> dict[str, Any]:
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
        "attributes": attributes, **rights,
        "description": f"{member.name}, of the collection \"{suite.title}\". Source: "
        f"{member.source}. SHA-256 of its values as CSV: {member.sha256}.",
    }  # fmt: skip
