"""Records -> results.csv of the AutoML Benchmark, and its predictions.csv where they are stored."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluator.core.clock import utc_now
from evaluator.core.compute.store import stored_for
from evaluator.core.errors import UsageError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Task
from evaluator.core.formats.record import Reason, Record
from evaluator.core.leaderboard.published import publish
from evaluator.core.leaderboard.rows import Row
from evaluator.core.leaderboard.snapshot_boards import leaderboard
from evaluator.core.planning.plan import cells
from evaluator.core.planning.snapshot import Snapshot, load_snapshot
from evaluator.core.scores.redaction import Disclosure, disclose
from evaluator.plugins.openml.amlb.definition import sanitised
from evaluator.plugins.openml.exchange.amlb_predictions import FILE, METADATA
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, signed
from evaluator.plugins.openml.exchange.metrics import losses, metric_names
from evaluator.plugins.openml.exports.amlb_names import About, Names, read_about
from evaluator.plugins.openml.exports.amlb_reports import Ends
from evaluator.plugins.openml.exports.tabular_folds import fold_description, fold_truth

_EXCEPTION = re.compile(r"(?:[A-Za-z_]\w*\.)*([A-Z]\w*): ?(.*)")
_TYPES = {
    Reason.TIMED_OUT: "TimeoutError", Reason.OUT_OF_MEMORY: "MemoryError",
    Reason.REJECTED: "ResultError",
}  # fmt: skip
"""What AMLB's tools know such a failure by; NoResultError is any other."""
_MODES = {"docker": "docker", "gvisor": "docker", "none": "local", "podman": "docker"}


def amlb_rows(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> list[AmlbRow]:
    """Return a row for each fold that has a record, or is reported, in the order of the board.

    Hidden scores are left out, as on the site. Raises UsageError.
    """
    return amlb_results(start, benchmark, phase=phase, at=at)[0]


def amlb_results(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> tuple[list[AmlbRow], Ends]:
    """Return these rows, and the frameworks that are the ends of the scale. Raises UsageError."""
    snapshot, now = _snapshot_of(start, benchmark, at)
    board = publish(leaderboard(snapshot, benchmark, phase=phase, task=None, now=now))
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        raise UsageError(f"the results of {benchmark} are not public")
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
        zero=names.of_entry(rules.constant or board.benchmark.baseline),
        one=names.of_entry(rules.reference),
        stand_in=names.of_entry(stand_in) if rules.impute != "none" else "",
    )


def _snapshot_of(start: Path, benchmark: str, at: str | None) -> tuple[Snapshot, Any]:
    snapshot = load_snapshot(start, at, only=benchmark)
    return snapshot, (snapshot.tree.committed if at else None) or utc_now()


def _rows(
    snapshot: Snapshot, benchmark: Benchmark, constraint: str, task: Task, row: Row, names: Names
) -> Iterator[AmlbRow]:
    result, reported = row.tasks[task.slug], row.submission.reported
    framework = names.framework(row.submission)
    if result.records:
        about = read_about(snapshot, row.submission)
        for record in result.records:
            # A failure is told by the end of its log; other logs are not read.
            logged = snapshot.record_files.with_logs(record.cell) if record.error else None
            whole = logged or snapshot.record_files[record.cell]
            meta = fold_description(snapshot, benchmark, task, record.cell.repeat)
            common = {**_common(meta, task, constraint), **about.texts}
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
        shown = {} if isinstance(stated, str) else _shown(stated, benchmark)
        public = stated if isinstance(stated, str) else shown
        metric, value = _result(shown, benchmark, meta)
        source = names.stated_row(row.submission, task, fold, public, benchmark)
        info = {"info": stated} if isinstance(stated, str) else {}
        yield AmlbRow(
            task=_name(meta, task), framework=framework, fold=fold,
            metric=source.metric if source else metric, result=value,
            texts={**common, **info, **(source.texts if source else {}), "mode": "reported"},
            numbers={**_measured(source, benchmark), **_numbers(shown)},
        )  # fmt: skip


def _name(meta: Mapping[str, Any], task: Task) -> str:
    """Return AMLB's name of a task, which is a name of its folder of predictions as well."""
    return sanitised(str(meta.get("name") or task.name))


def _common(meta: Mapping[str, Any], task: Task, constraint: str) -> dict[str, str]:
    return {
        "id": str(meta.get("id") or task.name),
        "constraint": constraint,
        "type": str(meta.get("type") or ""),
    }


def _measured(source: AmlbRow | None, benchmark: Benchmark) -> dict[str, float]:
    """Return the numbers of a row that are no columns of the board: times, models, the seed."""
    columns = {column.key for column in benchmark.leaderboard.columns}
    known = columns | metric_names()
    return {k: v for k, v in source.numbers.items() if k not in known} if source else {}


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
    """Return the number of a fold: a benchmark may have some of a data set's folds alone."""
    fold = meta.get("fold")
    return fold if isinstance(fold, int) and fold >= 0 else repeat or 0


def failure_info(public: Disclosure) -> str:
    """Return ``Type: message`` of a failure, of what may be shown of it.

    The type is that of the program's last line, where it ended in an exception.
    """
    if public.reason == Reason.EXITED:
        lines = public.logs.get(public.step or "", "").rstrip().splitlines()
        match = _EXCEPTION.fullmatch(lines[-1].strip()) if lines else None
        if match:
            return f"{match[1]}: {match[2]}"
    words = f"{public.reason}: {public.message}" if public.message else public.reason
    kind = next((name for reason, name in _TYPES.items() if reason == public.reason), None)
    return f"{kind or 'NoResultError'}: {words}"


def _numbers(values: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in values.items() if key != "result"}


def _result(
    values: Mapping[str, float], benchmark: Benchmark, meta: Mapping[str, Any]
) -> tuple[str, float | None]:
    """Return AMLB's metric and result: of the tabular programs, else of the column that ranks.

    A fold that failed has the metric as well: AMLB's code looks at its sign.
    """
    wanted = [str(metric) for metric in meta.get("metrics") or [] if isinstance(metric, str)]
    board = benchmark.leaderboard
    column = board.ranked_by or board.primary
    named = signed(wanted[0], 0.0)[0] if wanted else ""
    if "result" in values:
        return named or _named(values), values["result"]
    value = values.get(column.key)
    if column.key in metric_names():
        metric, result = signed(column.key, value or 0.0)
        return metric, None if value is None else result
    if column.sorting == "asc":
        return f"neg_{column.key}", None if value is None else -value
    return named if column.key == "result" else column.key, value


def _named(values: Mapping[str, float]) -> str:
    """Name the metric that the result is, by its value."""
    for key in sorted(metric_names() & set(values)):
        if values["result"] == (-values[key] if key in losses() else values[key]):
            return signed(key, 0.0)[0]
    return ""


def stored_predictions(
    start: Path, benchmark: str, *, phase: str | None = None, at: str | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each predictions.csv that this machine has stored.

    A path is ``FRAMEWORK/predictions/TASK/FOLD/predictions.csv``, with the names of results.csv;
    metadata.json stands beside it. The truth is added as AMLB has it, where it lies in the bundle;
    a private one is not.
    """
    snapshot, now = _snapshot_of(start, benchmark, at)
    board = publish(leaderboard(snapshot, benchmark, phase=phase, task=None, now=now))
    if board.benchmark.leaderboard.hidden or board.phase.shows == "status":
        raise UsageError(f"the results of {benchmark} are not public")
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
                predictions = stored_for(stored, whole, cell_keys.prediction)
                file = predictions.folder / FILE if predictions else None
                if file is not None and file.is_file() and not file.is_symlink():
                    repeat = record.cell.repeat or 0
                    meta = fold_description(snapshot, board.benchmark, task, repeat)
                    framework = names.framework(row.submission)
                    fold = _fold(meta, repeat)
                    folder = f"{framework}/predictions/{_name(meta, task)}/{fold}"
                    content = _with_truth(
                        file.read_bytes(), snapshot, board.benchmark, task, repeat
                    )
                    yield f"{folder}/{FILE}", content
                    about = read_about(snapshot, row.submission)
                    yield f"{folder}/{METADATA}", _metadata(meta, framework, about)


def _metadata(meta: Mapping[str, Any], framework: str, about: About) -> bytes:
    """Return metadata.json, by which AMLB's code scores predictions; none of it is a program's."""
    metrics = [str(metric) for metric in meta.get("metrics") or []]
    data = {
        "framework": framework,
        "framework_version": about.version,
        "framework_params": about.params,
        "task": meta.get("name"),
        "fold": meta.get("fold", 0),
        "type_": meta.get("type"),
        "metric": metrics[0] if metrics else None,
        "metrics": metrics,
        "seed": meta.get("seed"),
    }
    return (json.dumps(data) + "\n").encode()


def _with_truth(
    content: bytes, snapshot: Snapshot, benchmark: Benchmark, task: Task, fold: int
) -> bytes:
    """Add the column ``truth``, where the bundle has it in the clear for as many rows."""
    lines = list(csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline="")))
    if not lines or "truth" in lines[0]:
        return content
    truth = fold_truth(snapshot, benchmark, task, fold)
    if truth is None or len(truth) != len(lines) - 1:
        return content
    place = lines[0].index("predictions") + 1 if "predictions" in lines[0] else len(lines[0])
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(
        [*line[:place], value, *line[place:]]
        for line, value in zip(lines, ["truth", *truth], strict=True)
    )
    return stream.getvalue().encode()
