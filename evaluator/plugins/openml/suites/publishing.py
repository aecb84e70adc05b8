"""Suites and runs -> a server, through the package's own client and with a key."""

import csv
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.errors import Actor, PullbenchError, UsageError
from evaluator.core.formats.table_folds import write_table
from evaluator.plugins.openml.suites.file import Member, Suite, task_numbers
from evaluator.plugins.openml.suites.tables import Table
from evaluator.plugins.openml.tabular.writing import arrow_table
from evaluator.plugins.openml.tasks.client import KEY, Client

MAX_PREDICTIONS = 2**28
"""Bytes of one fold's predictions."""


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


@dataclass(frozen=True, kw_only=True)
class FoldFiles:
    """One evaluated fold: the predictions and the reference data that they were scored with."""

    predictions: Path
    """predictions.csv"""
    reference: Path
    """Folder with dataset.json, rows.json and truth.parquet."""


def partial_run(lacking: Sequence[str], command: str) -> PullbenchError:
    """Return why a server takes no run where folds are lacking."""
    more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
    return PullbenchError(
        f"{'; '.join(lacking[:5])}{more}. A server compares a run with all rows of the official "
        "splits, and takes none on some of the folds",
        hint=f"Evaluate what is lacking: {command}", actor=Actor.ORGANISER,
    )  # fmt: skip


def run_of(flow: str, version: str, description: str, folds: list[FoldFiles]) -> dict[str, Any]:
    """Return a run on one task as OpenML takes it. Raises PullbenchError."""
    rows: list[list[Any]] = []
    task = dataset = None
    for fold in folds:
        meta = json.loads((fold.reference / "dataset.json").read_text(encoding="utf-8"))
        file = fold.reference / "rows.json"
        if not file.is_file():
            raise PullbenchError(
                "the benchmark does not say which rows its folds test",
                hint="Only benchmarks made by `pullbench import openml` can be published.",
                actor=Actor.ORGANISER,
            )
        where = json.loads(file.read_text(encoding="utf-8"))
        if where.get("folds") != len(folds):
            raise PullbenchError(
                f"the benchmark has {len(folds)} folds of the task, not all "
                f"{where.get('folds') or 'that it has'}. A server compares a run with all rows of "
                "the official splits, and takes none on some of the folds",
                hint="Import the task with `pullbench import openml`, without --folds.",
                actor=Actor.ORGANISER,
            )
        task, dataset = where["task"], where["dataset"]
        try:
            rows += _rows(fold, meta, where)
        except (KeyError, TypeError, ValueError, csv.Error) as error:
            raise PullbenchError(f"predictions.csv cannot be read: {error!r}"[:300]) from None
    return {"flow": flow, "version": version, "description": description, "task": task,
            "dataset": dataset, "rows": rows, "tags": ["pullbench"]}  # fmt: skip


def _rows(fold: FoldFiles, meta: dict[str, Any], where: dict[str, Any]) -> list[list[Any]]:
    import pyarrow.parquet as pq

    truth = pq.read_table(fold.reference / "truth.parquet")["truth"].to_pylist()
    if fold.predictions.is_symlink() or fold.predictions.stat().st_size > MAX_PREDICTIONS:
        raise PullbenchError("predictions.csv is no plain file of at most 256 MiB")
    with fold.predictions.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    if not len(rows) == len(truth) == len(where["rows"]):
        raise PullbenchError(f"predictions.csv has {len(rows)} rows for {len(truth)} test rows")
    answers = []
    for line, row, right in zip(rows, where["rows"], truth, strict=True):
        if meta["classes"]:
            # OpenML wants the labels in the order of the data set, the client adds their names.
            labels = where.get("labels") or meta["classes"]
            sure = [float(line[label]) if label in line else float(line["predictions"] == label)
                    for label in labels]  # fmt: skip
            answers.append([where["repeat"], where["fold"], 0, row, line["predictions"], str(right),
                         *sure])  # fmt: skip
        else:
            answers.append([where["repeat"], where["fold"], row, float(line["predictions"]), right])
    return answers


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
