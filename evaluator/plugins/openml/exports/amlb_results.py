"""Records -> results.csv of the AutoML Benchmark, and its predictions.csv where they are stored."""

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.compute.store import PredictionStore
from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Task
from evaluator.core.formats.record import Reason, Record
from evaluator.core.leaderboard.published import PublicBoard, publish
from evaluator.core.leaderboard.rows import Row
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.cells import cells
from evaluator.core.planning.snapshot import Snapshot, load_snapshot
from evaluator.core.scores.redaction import Disclosure, disclose
from evaluator.plugins.openml.amlb.definition import sanitise
from evaluator.plugins.openml.exchange.amlb_results import FILE, METADATA
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow
from evaluator.plugins.openml.exports.amlb_names import (
    Names,
    fold_description,
    fold_truth,
    framework_version,
)
from evaluator.plugins.openml.exports.amlb_reports import Ends
from evaluator.plugins.openml.tabular.metrics import losses, metric_names, metrics

_EXCEPTION = re.compile(r"(?:[A-Za-z_]\w*\.)*([A-Z]\w*): ?(.*)")
_TYPES: Mapping[str, str] = {
    Reason.TIMED_OUT: "TimeoutError", Reason.OUT_OF_MEMORY: "MemoryError",
    Reason.REJECTED: "ResultError",
}  # fmt: skip
"""What AMLB's tools know such a failure by; NoResultError is any other."""
_MODES = {"docker": "docker", "gvisor": "docker", "none": "local", "podman": "docker"}


def amlb_results(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> tuple[list[AmlbRow], Ends]:
    """Public rows of folds in the board's order, and the scale's ends."""
    snapshot, _, board = _public_board(start, benchmark, phase, at)
    names = Names(snapshot, board)
    stated = (
        fold_description(snapshot, board.benchmark, task).get("constraint") for task in board.tasks
    )
    constraint = str(next(filter(None, stated), board.phase.slug))
    rows = [
        line
        for row in (*board.rows, *board.unlisted)
        for task in board.tasks
        for line in _rows(snapshot, board.benchmark, constraint, task, row, names)
    ]
    rules = board.benchmark.analysis
    stand_in = rules.stand_in or rules.constant
    return rows, Ends(
        zero=names.framework_of_entry(rules.constant or board.benchmark.baseline),
        one=names.framework_of_entry(rules.reference),
        stand_in=names.framework_of_entry(stand_in) if rules.impute != "none" else "",
    )


def _public_board(
    start: Path, benchmark: str, phase: str | None, at: str | None
) -> tuple[Snapshot, dt.datetime, PublicBoard]:
    snapshot = load_snapshot(start, at, only=benchmark)
    now = (snapshot.tree.committed if at else None) or utc_now()
    board = publish(leaderboard(snapshot, benchmark, phase=phase, task=None, now=now))
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        raise UsageError(f"the results of {benchmark} are not public")
    return snapshot, now, board


def _rows(
    snapshot: Snapshot, benchmark: Benchmark, constraint: str, task: Task, row: Row, names: Names
) -> Iterator[AmlbRow]:
    result, reported = row.tasks[task.slug], row.submission.reported
    framework = names.framework(row.submission)
    if result.records:
        version, params = framework_version(snapshot, row.submission)
        texts = {"version": version, "params": repr(params) if params else ""}
        texts = {key: text for key, text in texts.items() if text}
        for record in result.records:
            # A failure is told by the end of its log; other logs are not read.
            logged = snapshot.record_files.with_logs(record.cell) if record.error else None
            whole = logged or snapshot.record_files[record.cell]
            meta = fold_description(snapshot, benchmark, task, record.cell.repeat)
            common = {**_common(meta, task, constraint), **texts}
            yield _row(whole, benchmark, _name(meta, task), framework, common, meta)
        return
    meta = fold_description(snapshot, benchmark, task)
    common = _common(meta, task, constraint)
    folds: tuple[Mapping[str, float] | str, ...] = ()
    if reported is not None and task.slug in reported.folds:
        folds = reported.folds[task.slug]
    elif result.values or result.error:
        folds = (result.error.message if result.error else result.values,)
    for fold, stated in enumerate(folds):
        shown = {} if isinstance(stated, str) else _public_values(stated, benchmark)
        public = stated if isinstance(stated, str) else shown
        metric, value = _result(shown, benchmark, meta)
        source = names.stated_row(row.submission, task, fold, public, benchmark)
        info = {"info": stated} if isinstance(stated, str) else {}
        yield AmlbRow(
            task=_name(meta, task), framework=framework, fold=fold,
            # Without a result of the task's metric it has that of the row.
            metric=source.metric if source and value in (None, source.result) else metric,
            result=value,
            texts={**common, **info, **(source.texts if source else {}), "mode": "reported"},
            numbers={**_other_numbers(source, benchmark), **_numbers(shown)},
        )  # fmt: skip


def _name(meta: Mapping[str, Any], task: Task) -> str:
    return sanitise(str(meta.get("name") or task.name))


def _common(meta: Mapping[str, Any], task: Task, constraint: str) -> dict[str, str]:
    return {
        "id": str(meta.get("id") or task.name),
        "constraint": constraint,
        "type": str(meta.get("type") or ""),
    }


def _other_numbers(source: AmlbRow | None, benchmark: Benchmark) -> dict[str, float]:
    columns = {column.key for column in benchmark.leaderboard.columns}
    under_columns = columns | metric_names()
    return {k: v for k, v in source.numbers.items() if k not in under_columns} if source else {}


def _public_values(values: Mapping[str, float], benchmark: Benchmark) -> dict[str, float]:
    """What is reported without columns that are hidden or made by the ranking rule."""
    columns = benchmark.leaderboard.columns
    hidden = {column.key for column in columns if column.hidden or column.of_rule or column.derived}
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
        texts["info"] = failure_info(public)
    numbers = _numbers(values)
    if isinstance(meta.get("seed"), int):
        numbers["seed"] = meta["seed"]
    if public.wall_seconds is not None:
        numbers["duration"] = public.wall_seconds
    return AmlbRow(
        task=task, framework=framework, fold=_fold(meta, record.cell.repeat), metric=metric,
        result=result, texts=texts, numbers=numbers,
    )  # fmt: skip


def _fold(meta: Mapping[str, Any], repeat: int | None) -> int:
    """The number of a fold: a benchmark may have some of a data set's folds alone."""
    fold = meta.get("fold")
    return fold if isinstance(fold, int) and fold >= 0 else repeat or 0


def failure_info(public: Disclosure) -> str:
    """Return ``Type: message``; the type is that of an exception in the program's last line."""
    if public.reason == Reason.EXITED:
        lines = public.logs.get(public.step or "", "").rstrip().splitlines()
        match = _EXCEPTION.fullmatch(lines[-1].strip()) if lines else None
        if match:
            return f"{match[1]}: {match[2]}"
    words = f"{public.reason}: {public.message}" if public.message else public.reason
    return f"{_TYPES.get(public.reason, 'NoResultError')}: {words}"


def _numbers(values: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in values.items() if key != "result"}


def _result(
    values: Mapping[str, float], benchmark: Benchmark, meta: Mapping[str, Any]
) -> tuple[str, float | None]:
    """AMLB's metric and result; a failed fold has the metric: AMLB looks at its sign."""
    wanted = [str(metric) for metric in meta.get("metrics") or [] if isinstance(metric, str)]
    board = benchmark.leaderboard
    column = board.ranked_by or board.primary
    named = metrics().result_of(wanted[0], 0.0)[0] if wanted else ""
    if "result" in values:
        return named or _metric_name(values), values["result"]
    value = values.get(column.key)
    if column.key in metric_names():
        metric, result = metrics().result_of(column.key, value or 0.0)
        return metric, None if value is None else result
    if column.sorting == "asc":
        return f"neg_{column.key}", None if value is None else -value
    return named if column.key == "result" else column.key, value


def _metric_name(values: Mapping[str, float]) -> str:
    for key in sorted(metric_names() & set(values)):
        if values["result"] == (-values[key] if key in losses() else values[key]):
            return str(metrics().result_of(key, 0.0)[0])
    return ""


def stored_predictions(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each predictions.csv that this machine has stored.

    A path is ``FRAMEWORK/predictions/TASK/FOLD/predictions.csv``, with the names of results.csv;
    metadata.json is in the same folder. The truth is added as AMLB has it, if it is in the bundle;
    a private one is not.
    """
    snapshot, now, board = _public_board(start, benchmark, phase, at)
    stored = snapshot.tree.root / snapshot.settings.predictions
    keys = {cell.id: cell.keys for cell in cells(snapshot, now)}
    names = Names(snapshot, board)
    for row in (*board.rows, *board.unlisted):
        for task in board.tasks:
            for record in row.tasks[task.slug].records:
                cell_keys = keys.get(record.cell)
                if cell_keys is None or cell_keys.score != record.keys.score:
                    continue  # predictions are stored by what they are made of, now
                whole = snapshot.record_files[record.cell]
                store = PredictionStore(stored, whole.provenance.isolation)
                predictions = store.get(cell_keys.prediction)
                file = predictions.folder / FILE if predictions else None
                if file is None or not file.is_file() or file.is_symlink():
                    continue
                repeat = record.cell.repeat or 0
                meta = fold_description(snapshot, board.benchmark, task, repeat)
                framework = names.framework(row.submission)
                folder = f"{framework}/predictions/{_name(meta, task)}/{_fold(meta, repeat)}"
                truth = fold_truth(snapshot, board.benchmark, task, repeat)
                yield f"{folder}/{FILE}", _with_truth(file.read_bytes(), truth)
                version, params = framework_version(snapshot, row.submission)
                wanted = [str(metric) for metric in meta.get("metrics") or []]
                # By this AMLB's code scores predictions; none of it is a program's.
                metadata = {
                    "framework": framework,
                    "framework_version": version,
                    "framework_params": params,
                    "task": meta.get("name"),
                    "fold": meta.get("fold", 0),
                    "type_": meta.get("type"),
                    "metric": wanted[0] if wanted else None,
                    "metrics": wanted,
                    "seed": meta.get("seed"),
                }
                yield f"{folder}/{METADATA}", (json.dumps(metadata) + "\n").encode()


def _with_truth(content: bytes, truth: Sequence[Any] | None) -> bytes:
    """Add the column ``truth``, if the bundle has it in the clear for as many rows."""
    lines = list(csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline="")))
    if not lines or "truth" in lines[0] or truth is None or len(truth) != len(lines) - 1:
        return content
    place = lines[0].index("predictions") + 1 if "predictions" in lines[0] else len(lines[0])
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(
        [*line[:place], value, *line[place:]]
        for line, value in zip(lines, ["truth", *truth], strict=True)
    )
    return stream.getvalue().encode()
