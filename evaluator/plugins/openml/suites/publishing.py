"""Suites, their data and runs -> a server, through the package's own client and with a key."""

import csv
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import Source
from evaluator.core.compute.private import PrivateParts
from evaluator.core.compute.store import stored_for
from evaluator.core.errors import Actor, PullbenchError, UsageError
from evaluator.core.formats.record import Record
from evaluator.core.formats.table_folds import write_table
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import Cell, cells
from evaluator.core.planning.snapshot import Snapshot, load_snapshot
from evaluator.core.scores.jobs import make_job
from evaluator.core.scores.runnable import data_folder
from evaluator.core.scores.running import BUILD
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
    """Create a suite, or attach and detach what changed; return what was done, in words, too."""
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


MAX_PREDICTIONS = 2**28
"""Bytes of one fold's predictions."""
_WHOLE = (
    "A server compares a run with all rows of the official splits, and takes none on some of the "
    "folds"
)


@dataclass(frozen=True, kw_only=True)
class FoldFiles:
    """One evaluated fold: the predictions and the reference data that they were scored with."""

    predictions: Path
    reference: Path
    """Folder with dataset.json, rows.json and truth.parquet."""


def publish_runs(
    start: Path, name: str, client: Client
) -> Iterator[tuple[str, str | PullbenchError]]:
    """Upload the stored predictions of BENCHMARK/PARTICIPANT/NAME, one run for each whole task.

    Yields each task and its run in words, or why it has none. Raises UsageError for an unknown
    submission, or without an API key.
    """
    key = api_key()
    snapshot = load_snapshot(start)
    submission_cells = [
        cell for cell in cells(snapshot, utc_now()) if f"{cell.id}".startswith(f"{name}/")
    ]
    if not submission_cells:
        raise UsageError(f"there is no submission '{name}'", hint="BENCHMARK/PARTICIPANT/NAME")
    tasks: dict[str, list[Cell]] = {}
    for cell in submission_cells:
        tasks.setdefault(cell.task.slug, []).append(cell)
    for task, parts in tasks.items():
        entry = parts[0].submission
        text = f"{entry.name or entry.id}: {entry.description}".strip(": ")
        flow = f"pullbench.{entry.id.replace('/', '.')}"
        # Another content of the submission is another version of its flow.
        version = parts[0].keys.parts["submission"][:12]
        try:
            files = _fold_files(snapshot, parts, f"pullbench run {name} --fresh")
            run = run_of(flow, version, text[:500] or flow, files)
        except PullbenchError as error:
            yield task, error
            continue
        answer = client.ask("publish_run", run, key=key)
        yield task, f"r/{answer['id']} of flow {answer['flow']}, {len(run['rows'])} rows"


def _fold_files(snapshot: Snapshot, parts: Sequence[Cell], command: str) -> list[FoldFiles]:
    """Return all folds of a task. Raises PullbenchError if one has no valid, stored predictions."""
    root = snapshot.tree.root
    records = snapshot.records(parts[0].id.benchmark)
    private = PrivateParts(
        data=data_folder(snapshot), cache=root / BUILD / "cache" / "fetched",
        memory=partial(Path, root / BUILD), limit=snapshot.settings.max_data, isolated=False,
    )  # fmt: skip
    files, missing = [], []
    for cell in parts:
        record = records.get(cell.id)
        folder, key = root / snapshot.settings.predictions, cell.keys.prediction
        stored = stored_for(folder, record, key) if record else None
        fault = _fault(record, cell, stored=stored is not None)
        if fault:
            missing.append(f"fold {cell.id.repeat or 0} {fault}")
        elif stored is not None and not missing:
            files.append(_files(snapshot, cell, stored.folder, private))
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise PullbenchError(
            f"{'; '.join(missing[:5])}{more}. {_WHOLE}",
            hint=f"Evaluate what is lacking: {command}", actor=Actor.ORGANISER,
        )  # fmt: skip
    return files


def _fault(record: Record | None, cell: Cell, *, stored: bool) -> str:
    if record is None:
        return "has no record"
    if record.keys.score != cell.keys.score:
        return "has a record of other content than the commit's"
    if record.error is not None:
        return f"failed: {record.error.reason}"
    return "" if stored else "has no stored predictions here"


def _files(snapshot: Snapshot, cell: Cell, predictions: Path, private: PrivateParts) -> FoldFiles:
    exporter = Exporter(snapshot.tree, snapshot.tree.root / BUILD / "cache" / "trees")
    job = make_job(snapshot, cell, exporter)
    reference = Source(exporter, private).inputs(job).reference_data
    if reference is None:
        raise PullbenchError(f"task '{cell.task.slug}' has no reference data")
    return FoldFiles(predictions=predictions / "predictions.csv", reference=reference)


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
                f"{where.get('folds') or 'that it has'}. {_WHOLE}",
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
