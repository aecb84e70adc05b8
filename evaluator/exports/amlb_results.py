"""Records -> results.csv of the AutoML Benchmark, and its predictions.csv where they are stored."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.clock import utc_now
from evaluator.compute.store import stored_for
from evaluator.errors import UsageError
from evaluator.formats.bundle import Benchmark
from evaluator.formats.phases import Phase, Task
from evaluator.formats.record import Record
from evaluator.git.tree import open_repository, read_tree
from evaluator.importers.exchange.amlb_predictions import FILE
from evaluator.importers.exchange.amlb_table import AmlbRow, signed
from evaluator.importers.exchange.metrics import losses, metric_names
from evaluator.leaderboard.rows import Row
from evaluator.leaderboard.select_board import leaderboard
from evaluator.planning.plan import cells
from evaluator.planning.snapshot import Snapshot, take_snapshot
from evaluator.scores.redaction import disclose

_MODES = {"docker": "docker", "gvisor": "docker", "none": "local", "podman": "docker"}


def amlb_rows(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> list[AmlbRow]:
    """Return a row for each fold that has a record, or is reported, in the order of the board.

    Hidden scores are left out, as on the site. Raises UsageError.
    """
    snapshot, now = _snapshot_of(start, benchmark, at)
    board = leaderboard(snapshot, benchmark, phase=phase, task=None, now=now)
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        raise UsageError(f"the results of {benchmark} are not public")
    rows: list[AmlbRow] = []
    names = [row.submission.name for row in board.rows]
    for row in (*board.rows, *board.unlisted):
        name = row.submission.name
        framework = name if names.count(name) < 2 else f"{row.submission.participant}_{name}"
        for task in board.tasks:
            rows += _rows(snapshot, board.benchmark, board.phase, task, row, framework)
    return rows


def _snapshot_of(start: Path, benchmark: str, at: str | None) -> tuple[Snapshot, Any]:
    snapshot = take_snapshot(read_tree(open_repository(start), at), only=benchmark)
    return snapshot, (snapshot.tree.committed if at else None) or utc_now()


def _rows(
    snapshot: Snapshot, benchmark: Benchmark, phase: Phase, task: Task, row: Row, framework: str
) -> Iterator[AmlbRow]:
    result, reported = row.tasks[task.slug], row.submission.reported
    meta = _dataset(snapshot, benchmark, task)
    common = {
        "id": str(meta.get("id") or task.name),
        "constraint": str(meta.get("constraint") or phase.slug),
        "type": str(meta.get("type") or ""),
    }
    name = re.sub(r"[^\w-]", "_", str(meta.get("name") or task.name))
    if result.records:
        for record in result.records:
            whole = snapshot.record_files[record.cell]
            yield _row(whole, benchmark, name, framework, common, meta)
        return
    folds: tuple[Mapping[str, float] | str, ...] = ()
    if reported is not None and task.slug in reported.folds:
        folds = reported.folds[task.slug]
    elif result.values or result.error:
        folds = (result.error.message if result.error else result.values,)
    for fold, stated in enumerate(folds):
        shown = {} if isinstance(stated, str) else _shown(stated, benchmark)
        metric, value = _result(shown, benchmark, meta)
        info = {"info": stated} if isinstance(stated, str) else {}
        yield AmlbRow(task=name, framework=framework, fold=fold, metric=metric, result=value,
                      texts={**common, "mode": "reported", **info},
                      numbers=_numbers(shown))  # fmt: skip


def _shown(values: Mapping[str, float], benchmark: Benchmark) -> dict[str, float]:
    """Return what is reported without columns that are hidden or made by the ranking rule."""
    columns = benchmark.leaderboard.columns
    hidden = {column.key for column in columns if column.hidden or column.of_rule}
    return {key: value for key, value in values.items() if key not in hidden}


def _row(
    record: Record, benchmark: Benchmark, task: str, framework: str, common: Mapping[str, str],
    meta: Mapping[str, Any],
) -> AmlbRow:  # fmt: skip
    public = disclose(record, benchmark)
    values = {**public.extra, **(public.scores or {})}
    metric, result = _result(values, benchmark, meta)
    texts = {
        **common,
        "mode": _MODES[record.provenance.isolation],
        "app_version": f"pullbench {record.provenance.evaluator}",
        "utc": record.provenance.finished[:19],
    }
    if record.error is not None:
        texts["info"] = f"{public.reason}: {public.message}" if public.message else public.reason
    numbers = _numbers(values)
    if public.wall_seconds is not None:
        numbers["duration"] = public.wall_seconds
    return AmlbRow(
        task=task, framework=framework, fold=record.cell.repeat or 0, metric=metric, result=result,
        texts=texts, numbers=numbers,
    )  # fmt: skip


def _numbers(values: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in values.items() if key != "result"}


def _result(
    values: Mapping[str, float], benchmark: Benchmark, meta: Mapping[str, Any]
) -> tuple[str, float | None]:
    """Return AMLB's metric and result: of the tabular programs, else of the column that ranks."""
    wanted = [str(metric) for metric in meta.get("metrics") or [] if isinstance(metric, str)]
    board = benchmark.leaderboard
    column = board.ranked_by or board.primary
    if "result" in values:
        return (signed(wanted[0], 0.0)[0] if wanted else _named(values)), values["result"]
    value = values.get(column.key)
    if column.key in metric_names():
        metric, result = signed(column.key, value or 0.0)
        return metric, None if value is None else result
    if column.sorting == "asc":
        return f"neg_{column.key}", None if value is None else -value
    return column.key if column.key != "result" or value is not None else "", value


def _named(values: Mapping[str, float]) -> str:
    """Name the metric that the result is, by its value."""
    for key in sorted(metric_names() & set(values)):
        if values["result"] == (-values[key] if key in losses() else values[key]):
            return signed(key, 0.0)[0]
    return ""


def _dataset(snapshot: Snapshot, benchmark: Benchmark, task: Task) -> dict[str, Any]:
    """Read dataset.json of the first fold, where the task is of the tabular programs."""
    if task.input_data is None:
        return {}
    base = f"{benchmark.path}/{task.input_data}"
    for path in (f"{base}/0/dataset.json", f"{base}/dataset.json"):
        content = snapshot.tree.read([path]).get(path)
        if content is not None and len(content) < 2**24:
            try:
                described = json.loads(content)
            except (ValueError, RecursionError):
                return {}
            return described if isinstance(described, dict) else {}
    return {}


def stored_predictions(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each predictions.csv that this machine has stored.

    A path is ``FRAMEWORK/predictions/TASK/FOLD/predictions.csv``. The truth is added as AMLB has
    it, where it lies in the bundle; a private one is not.
    """
    snapshot, now = _snapshot_of(start, benchmark, at)
    board = leaderboard(snapshot, benchmark, phase=phase, task=None, now=now)
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        raise UsageError(f"the results of {benchmark} are not public")
    stored = snapshot.tree.root / snapshot.settings.predictions
    keys = {cell.id: cell.keys for cell in cells(snapshot, now)}
    for row in (*board.rows, *board.unlisted):
        for task in board.tasks:
            for record in row.tasks[task.slug].records:
                cell_keys = keys.get(record.cell)
                if cell_keys is None or cell_keys.score != record.keys.score:
                    continue  # predictions are stored by what they are made of, now
                whole = snapshot.record_files[record.cell]
                predictions = stored_for(stored, whole, cell_keys.prediction)
                file = predictions.folder / FILE if predictions else None
                if file is not None and file.is_file() and not file.is_symlink():
                    name = f"{row.submission.participant}.{row.submission.name}"
                    fold = record.cell.repeat or 0
                    content = _with_truth(file.read_bytes(), snapshot, board.benchmark, task, fold)
                    yield f"{name}/predictions/{task.slug}/{fold}/{FILE}", content


def _with_truth(
    content: bytes, snapshot: Snapshot, benchmark: Benchmark, task: Task, fold: int
) -> bytes:
    """Add the column ``truth``, where the bundle has it in the clear for as many rows."""
    lines = list(csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline="")))
    if not lines or "truth" in lines[0] or task.reference_data is None:
        return content
    base = f"{benchmark.path}/{task.reference_data}"
    paths = [f"{base}/{fold}/truth.parquet", f"{base}/truth.parquet"]
    contents = snapshot.tree.read(paths)
    stored = next((contents[path] for path in paths if path in contents), None)
    if stored is None:
        return content
    import pyarrow.parquet as pq

    truth = pq.read_table(io.BytesIO(stored))["truth"].to_pylist()
    if len(truth) != len(lines) - 1:
        return content
    place = lines[0].index("predictions") + 1 if "predictions" in lines[0] else len(lines[0])
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(
        [*line[:place], value, *line[place:]]
        for line, value in zip(lines, ["truth", *truth], strict=True)
    )
    return stream.getvalue().encode()
