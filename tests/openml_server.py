"""An OpenML server on loopback: its REST API in XML, over data that a test puts there.

It speaks what the package `openml` asks for: suites, lists, tasks, data sets with features and
qualities, splits, ARFF files, and runs.
"""

import hashlib
import http.server
import io
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.parquet as pq

T = TypeVar("T")
NAMESPACE = 'xmlns:oml="http://openml.org/openml"'
BUCKET = "datasets"
"""Of the MinIO server that has Parquet files; it is on the same port."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a served data set."""

    name: str
    levels: tuple[str, ...] | None = None
    """Of a nominal column; None for numbers."""
    values: Sequence[str]
    """``?`` is missing."""


@dataclass(frozen=True, kw_only=True)
class ServedDataset:
    """A data set as OpenML has it."""

    id: int
    name: str
    columns: Sequence[Column]
    target: str
    tags: tuple[str, ...] = ()
    status: str = "active"
    format: str = "ARFF"
    """``Sparse_ARFF`` leaves out what is 0 or a first level; ``parquet`` lies in a bucket alone."""
    ignored: tuple[str, ...] = ()
    licence: str = "Public"
    text: str = ""
    """Its file, if it is not made of the columns."""

    @property
    def rows(self) -> int:
        return len(self.columns[0].values)

    @property
    def arff(self) -> str:
        if self.text:
            return self.text
        lines = [f"@RELATION {self.name}", ""]
        for column in self.columns:
            kind = "{" + ",".join(column.levels) + "}" if column.levels else "NUMERIC"
            lines.append(f"@ATTRIBUTE {column.name} {kind}")
        values = list(zip(*(column.values for column in self.columns), strict=True))
        rows = [",".join(row) for row in values]
        if self.format == "Sparse_ARFF":
            zeros = [column.levels[0] if column.levels else "0" for column in self.columns]
            rows = [
                "{" + ",".join(f"{i} {v}" for i, v in enumerate(row) if v != zeros[i]) + "}"
                for row in values
            ]
        return "\n".join([*lines, "", "@DATA", *rows, ""])

    @property
    def parquet(self) -> bytes:
        columns = {
            column.name: [
                None if value == "?" else value if column.levels else float(value)
                for value in column.values
            ]
            for column in self.columns
        }
        file = io.BytesIO()
        pq.write_table(pa.table(columns), file)
        return file.getvalue()


@dataclass(frozen=True, kw_only=True)
class ServedTask:
    """A task with its splits: for each repeat, the fold in which each row is tested."""

    id: int
    dataset: int
    folds: Sequence[Sequence[int]]
    regression: bool = False
    kind: int = 0
    """Number of the task's type, where it is neither classification nor regression."""
    procedure: int = 1
    """Number of the estimation procedure."""
    announced: tuple[int, int] | None = None
    """Repeats and folds as the task's description has them, where they differ from the splits."""

    @property
    def arff(self) -> str:
        lines = [f"@relation task_{self.id}_splits", "", "@attribute type {TRAIN,TEST}"]
        lines += [f"@attribute {name} numeric" for name in ("rowid", "repeat", "fold")]
        lines += ["", "@data"]
        for repeat, tested in enumerate(self.folds):
            for fold in sorted(set(tested)):
                for word, wanted in (("TRAIN", False), ("TEST", True)):
                    lines += [
                        f"{word},{row},{repeat},{fold}"
                        for row, own in enumerate(tested)
                        if (own == fold) is wanted
                    ]
        return "\n".join([*lines, ""])


@dataclass(kw_only=True)
class ServedSuite:
    """A suite."""

    id: int
    alias: str
    name: str
    tasks: list[int]
    description: str = "For tests."


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What goes wrong with an answer."""

    status: int = 200
    body: str | None = None
    """In place of the true one."""
    keep: int | None = None
    """Bytes of the true body that are sent as if they were all."""
    lines: int | None = None
    """Lines of the true body that are sent as if they were all."""
    cut: int = 0
    """Bytes that are announced and never sent."""
    seconds: float = 0
    """Before the body."""
    times: int = 1000
    """How often."""


@dataclass(frozen=True, kw_only=True)
class ServedRun:
    """A run that somebody uploaded, with what the server evaluated of it by fold."""

    id: int
    task: int
    flow: int
    name: str
    setup: int
    folds: dict[str, Sequence[float]]
    """Measure -> its value on each fold of the first repeat."""
    error: str = ""

    @property
    def entry(self) -> str:
        return (
            f"<oml:run>{_tag('run_id', self.id)}{_tag('task_id', self.task)}"
            f"{_tag('setup_id', self.setup)}{_tag('flow_id', self.flow)}{_tag('uploader', 7)}"
            f"{_tag('task_type_id', 1)}{_tag('upload_time', '2026-01-01 00:00:00')}"
            f"{_tag('error_message', self.error)}</oml:run>"
        )

    @property
    def description(self) -> str:
        evaluations = "".join(
            f'<oml:evaluation repeat="0" fold="{fold}">{_tag("name", measure)}'
            f"{_tag('value', value)}</oml:evaluation>"
            for measure, values in self.folds.items()
            for fold, value in enumerate(values)
        )
        matrix = f"<oml:evaluation>{_tag('name', 'confusion_matrix')}"
        return (
            f"<oml:run {NAMESPACE}>{_tag('run_id', self.id)}{_tag('uploader', 7)}"
            f"{_tag('task_id', self.task)}{_tag('flow_id', self.flow)}"
            f"{_tag('flow_name', self.name)}{_tag('setup_id', self.setup)}"
            f"<oml:output_data>{evaluations}{matrix}"
            f"{_tag('array_data', '[[1,2],[3,4]]')}</oml:evaluation></oml:output_data></oml:run>"
        )


@dataclass(kw_only=True)
class OpenMLServer:
    """State of the server."""

    url: str = ""
    datasets: dict[int, ServedDataset] = field(default_factory=dict)
    tasks: dict[int, ServedTask] = field(default_factory=dict)
    suites: dict[int, ServedSuite] = field(default_factory=dict)
    listed_runs: list["ServedRun"] = field(default_factory=list)
    """What others ran."""
    asked: list[str] = field(default_factory=list)
    """``METHOD path?query`` of each request."""
    _faults: list[tuple[re.Pattern[str], list[Fault]]] = field(default_factory=list)

    @property
    def api(self) -> str:
        return f"{self.url}/api/v1/xml"

    def add(self, *things: ServedDataset | ServedTask | ServedSuite) -> None:
        for thing in things:
            if isinstance(thing, ServedDataset):
                self.datasets[thing.id] = thing
            elif isinstance(thing, ServedTask):
                self.tasks[thing.id] = thing
            else:
                self.suites[thing.id] = thing

    def hurt(self, pattern: str, fault: Fault) -> None:
        """Answer requests whose path matches with a fault."""
        self._faults.append((re.compile(pattern), [fault] * fault.times))

    def mend(self) -> None:
        self._faults.clear()

    def fault(self, path: str) -> Fault:
        for pattern, left in self._faults:
            if pattern.search(path) and left:
                return left.pop()
        return Fault()


class _RefusedError(Exception):
    """An answer in OpenML's form of an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def _error(code: int, message: str) -> str:
    return (
        f"<oml:error {NAMESPACE}><oml:code>{code}</oml:code>"
        f"<oml:message>{escape(message)}</oml:message></oml:error>"
    )


def _known(things: dict[int, T], number: str, code: int, kind: str) -> T:
    try:
        return things[int(number)]
    except (KeyError, ValueError):
        raise _RefusedError(code, f"Unknown {kind}") from None


def _tag(name: str, value: object) -> str:
    return f"<oml:{name}>{escape(str(value))}</oml:{name}>"


def _suite(server: OpenMLServer, key: str) -> str:
    for suite in server.suites.values():
        if key in (str(suite.id), suite.alias):
            data = sorted(
                {server.tasks[task].dataset for task in suite.tasks if task in server.tasks}
            )
            tasks = "".join(_tag("task_id", task) for task in suite.tasks)
            return (
                f"<oml:study {NAMESPACE}>{_tag('id', suite.id)}{_tag('alias', suite.alias)}"
                f"{_tag('main_entity_type', 'task')}{_tag('name', suite.name)}"
                f"{_tag('description', suite.description)}{_tag('status', 'active')}"
                f"{_tag('creation_date', '2026-01-01 00:00:00')}{_tag('creator', 1)}"
                f"<oml:data>{''.join(_tag('data_id', item) for item in data)}</oml:data>"
                f"<oml:tasks>{tasks}</oml:tasks></oml:study>"
            )
    raise _RefusedError(601, "Unknown study")


PROCEDURES = {1: ("10-fold Crossvalidation", 1), 5: ("33% Holdout set", 1),
              7: ("10-fold Crossvalidation", 2)}  # fmt: skip
"""Number -> name and number of the task's type."""


def _procedures() -> str:
    entries = "".join(
        f"<oml:estimationprocedure>{_tag('id', number)}{_tag('ttid', kind)}{_tag('name', name)}"
        f"{_tag('type', 'crossvalidation')}</oml:estimationprocedure>"
        for number, (name, kind) in PROCEDURES.items()
    )
    return f"<oml:estimationprocedures {NAMESPACE}>{entries}</oml:estimationprocedures>"


def _within(value: float, wanted: str) -> bool:
    least, dots, most = wanted.partition("..")
    return float(least) <= value <= float(most if dots else least)


def _tasks(server: OpenMLServer, options: dict[str, str]) -> str:
    names = {"number_instances": "NumberOfInstances", "number_features": "NumberOfFeatures",
             "number_classes": "NumberOfClasses"}  # fmt: skip
    entries = []
    for task in server.tasks.values():
        data = server.datasets[task.dataset]
        qualities = _qualities(data)
        wanted = {
            "type": str(task.kind or 1 + task.regression), "data_id": str(data.id),
            "data_name": data.name, "status": data.status,
        }  # fmt: skip
        asked = {"status": "active"} | options
        if asked["status"] == "all":
            del asked["status"]
        if any(asked[key] != value for key, value in wanted.items() if key in asked):
            continue
        if any(asked[key] not in data.tags for key in ("tag", "data_tag") if key in asked):
            continue
        if not all(_within(qualities[name], asked[key])
                   for key, name in names.items() if key in asked):  # fmt: skip
            continue
        inputs = {"estimation_procedure": task.procedure, "source_data": data.id,
                  "target_feature": data.target}  # fmt: skip
        entries.append(
            f"<oml:task>{_tag('task_id', task.id)}{_tag('task_type_id', wanted['type'])}"
            f"{_tag('task_type', 'Supervised')}{_tag('did', data.id)}{_tag('name', data.name)}"
            f"{_tag('status', data.status)}{_tag('format', data.format)}"
            + "".join(f'<oml:input name="{name}">{value}</oml:input>'
                      for name, value in inputs.items())
            + "".join(f'<oml:quality name="{name}">{value}</oml:quality>'
                      for name, value in qualities.items())
            + "</oml:task>"
        )  # fmt: skip
    start = int(options.get("offset", 0))
    entries = entries[start : start + int(options.get("limit", 10_000))]
    if not entries:
        raise _RefusedError(482, "No results")
    return f"<oml:tasks {NAMESPACE}>{''.join(entries)}</oml:tasks>"


def _suites(server: OpenMLServer, options: dict[str, str]) -> str:
    found = list(server.suites.values())
    start = int(options.get("offset", 0))
    found = found[start : start + int(options.get("limit", 10_000))]
    if not found:
        raise _RefusedError(372, "No results")
    entries = "".join(
        f"<oml:study>{_tag('id', suite.id)}{_tag('alias', suite.alias)}"
        f"{_tag('main_entity_type', 'task')}{_tag('name', suite.name)}{_tag('status', 'active')}"
        f"{_tag('creation_date', '2026-01-01 00:00:00')}{_tag('creator', 1)}</oml:study>"
        for suite in found
    )
    return f"<oml:study_list {NAMESPACE}>{entries}</oml:study_list>"


def _runs(server: OpenMLServer, options: dict[str, str]) -> str:
    tasks = {int(number) for number in options["task"].split(",")}
    flows = {int(number) for number in options.get("flow", "0").split(",")} - {0}
    found = [run for run in server.listed_runs
             if run.task in tasks and (not flows or run.flow in flows)]  # fmt: skip
    start = int(options.get("offset", 0))
    found = found[start : start + int(options.get("limit", 10_000))]
    if not found:
        raise _RefusedError(512, "No results")
    return f"<oml:runs {NAMESPACE}>{''.join(run.entry for run in found)}</oml:runs>"


def _classes(dataset: ServedDataset) -> list[str]:
    (column,) = [column for column in dataset.columns if column.name == dataset.target]
    return list(column.levels or ())


def _qualities(dataset: ServedDataset) -> dict[str, int]:
    return {
        "NumberOfInstances": dataset.rows,
        "NumberOfFeatures": len(dataset.columns),
        "NumberOfClasses": len(_classes(dataset)),
    }


def _datasets(server: OpenMLServer, options: dict[str, str]) -> str:
    wanted = (
        {int(number) for number in options["data_id"].split(",")} if "data_id" in options else None
    )
    found = [
        item
        for item in server.datasets.values()
        if (wanted is None or item.id in wanted)
        and options.get("data_name", item.name) == item.name
        and options.get("status", "active") in ("all", item.status)
    ]
    start = int(options.get("offset", 0))
    found = found[start : start + int(options.get("limit", 10_000))]
    if not found:
        raise _RefusedError(372, "No results")
    entries = "".join(
        f"<oml:dataset>{_tag('did', item.id)}{_tag('name', item.name)}{_tag('version', 1)}"
        f"{_tag('status', item.status)}{_tag('format', item.format)}{_tag('file_id', item.id)}"
        + "".join(
            f'<oml:quality name="{name}">{value}</oml:quality>'
            for name, value in _qualities(item).items()
        )
        + "</oml:dataset>"
        for item in found
    )
    return f"<oml:data {NAMESPACE}>{entries}</oml:data>"


def _dataset(server: OpenMLServer, number: str) -> str:
    item = _known(server.datasets, number, 111, "dataset")
    tags = "".join(_tag("tag", tag) for tag in item.tags)
    ignored = "".join(_tag("ignore_attribute", name) for name in item.ignored)
    url = f"{server.url}/data/v1/download/{item.id}/{item.name}.arff"
    where = _tag("url", url)
    if item.format == "parquet":
        url = f"{server.url}/{BUCKET}/{item.id}/dataset_{item.id}.pq"
        where = _tag("url", url) + _tag("parquet_url", url)
    return (
        f"<oml:data_set_description {NAMESPACE}>{_tag('id', item.id)}{_tag('name', item.name)}"
        f"{_tag('version', 1)}{_tag('description', 'For tests.')}{_tag('format', item.format)}"
        f"{_tag('upload_date', '2026-01-01T00:00:00')}{_tag('licence', item.licence)}"
        f"{where}"
        f"{_tag('file_id', item.id)}{_tag('default_target_attribute', item.target)}{ignored}"
        f"{tags}{_tag('visibility', 'public')}{_tag('status', item.status)}"
        f"{_tag('md5_checksum', hashlib.md5(item.arff.encode()).hexdigest())}"  # noqa: S324
        "</oml:data_set_description>"
    )


def _features(server: OpenMLServer, number: str) -> str:
    item = _known(server.datasets, number, 273, "dataset")
    entries = "".join(
        f"<oml:feature>{_tag('index', place)}{_tag('name', column.name)}"
        f"{_tag('data_type', 'nominal' if column.levels else 'numeric')}"
        + "".join(_tag("nominal_value", level) for level in column.levels or ())
        + f"{_tag('is_target', str(column.name == item.target).lower())}"
        f"{_tag('is_ignore', str(column.name in item.ignored).lower())}"
        f"{_tag('is_row_identifier', 'false')}"
        f"{_tag('number_of_missing_values', list(column.values).count('?'))}</oml:feature>"
        for place, column in enumerate(item.columns)
    )
    return f"<oml:data_features {NAMESPACE}>{entries}</oml:data_features>"


def _quality_file(server: OpenMLServer, number: str) -> str:
    item = _known(server.datasets, number, 362, "dataset")
    entries = "".join(
        f"<oml:quality>{_tag('name', name)}{_tag('value', value)}</oml:quality>"
        for name, value in _qualities(item).items()
    )
    return f"<oml:data_qualities {NAMESPACE}>{entries}</oml:data_qualities>"


def _task(server: OpenMLServer, number: str) -> str:
    task = _known(server.tasks, number, 151, "task")
    dataset = server.datasets[task.dataset]
    repeats, folds = task.announced or (len(task.folds), len(set(task.folds[0])))
    splits = f"{server.url}/api_splits/get/{task.id}/Task_{task.id}_splits.arff"
    kind = "Supervised Regression" if task.regression else "Supervised Classification"
    parameters = {"number_repeats": repeats, "number_folds": folds, "percentage": "",
                  "stratified_sampling": "true"}  # fmt: skip
    return (
        f"<oml:task {NAMESPACE}>{_tag('task_id', task.id)}"
        f"{_tag('task_type_id', task.kind or 1 + task.regression)}{_tag('task_type', kind)}"
        f'<oml:input name="source_data"><oml:data_set>{_tag("data_set_id", task.dataset)}'
        f"{_tag('target_feature', dataset.target)}</oml:data_set></oml:input>"
        '<oml:input name="estimation_procedure"><oml:estimation_procedure>'
        f"{_tag('id', 1)}{_tag('type', 'crossvalidation')}"
        f"{_tag('data_splits_url', splits)}"
        + "".join(
            f'<oml:parameter name="{name}">{value}</oml:parameter>'
            for name, value in parameters.items()
        )
        + "</oml:estimation_procedure></oml:input>"
        '<oml:input name="evaluation_measures"><oml:evaluation_measures>'
        f"{_tag('evaluation_measure', 'predictive_accuracy')}"
        "</oml:evaluation_measures></oml:input></oml:task>"
    )


def _options(path: str) -> dict[str, str]:
    parts = path.strip("/").split("/")
    return dict(zip(parts[::2], parts[1::2], strict=False))


def _get(server: OpenMLServer, path: str) -> str | bytes:
    stored = re.fullmatch(rf"/{BUCKET}/(\d+)/.*", path)
    if stored:
        return _known(server.datasets, stored[1], 111, "dataset").parquet
    download = re.fullmatch(r"/data/v1/download/(\d+)/.*", path)
    if download:
        return _known(server.datasets, download[1], 111, "dataset").arff
    splits = re.fullmatch(r"/api_splits/get/(\d+)/.*", path)
    if splits:
        return _known(server.tasks, splits[1], 151, "task").arff
    call = path.removeprefix("/api/v1/xml/")
    routes: dict[str, Callable[[str], str]] = {
        r"study/list(/.*)?": lambda rest: _suites(server, _options(rest or "")),
        r"study/([^/]+)": lambda key: _suite(server, key),
        r"data/list(/.*)?": lambda rest: _datasets(server, _options(rest or "")),
        r"data/features/(\d+)": lambda number: _features(server, number),
        r"data/qualities/(\d+)": lambda number: _quality_file(server, number),
        r"data/(\d+)": lambda number: _dataset(server, number),
        r"task/list(/.*)?": lambda rest: _tasks(server, _options(rest or "")),
        r"estimationprocedure/(list)": lambda _: _procedures(),
        r"task/(\d+)": lambda number: _task(server, number),
        r"run/list(/.*)?": lambda rest: _runs(server, _options(rest or "")),
        r"run/(\d+)": lambda number: (
            _known({run.id: run for run in server.listed_runs}, number, 236, "run").description
        ),
    }
    for pattern, answer in routes.items():
        match = re.fullmatch(pattern, call)
        if match:
            return answer(match[1])
    raise _RefusedError(100, "Function not valid")


class _Handler(http.server.BaseHTTPRequestHandler):
    server_state: OpenMLServer

    def log_message(self, *arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer(lambda path: _get(self.server_state, path))

    def do_HEAD(self) -> None:
        self._answer(lambda path: _get(self.server_state, path))

    def _answer(self, make: Callable[[str], str | bytes]) -> None:
        self.server_state.asked.append(f"{self.command} {self.path}")
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        fault = self.server_state.fault(path)
        status = fault.status
        try:
            made = make(path) if fault.body is None else fault.body
        except _RefusedError as error:
            status, made = 412, _error(error.code, str(error))
        body = (
            made
            if isinstance(made, bytes)
            else "".join(made.splitlines(keepends=True)[: fault.lines]).encode()
        )
        if fault.keep is not None:
            body = body[: fault.keep]
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body) + fault.cut))
            self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
            self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
            self.end_headers()
            time.sleep(fault.seconds)
            if self.command != "HEAD":
                self.wfile.write(body)
        except OSError:
            pass  # whoever asked has gone


@contextmanager
def openml_server() -> Iterator[OpenMLServer]:
    """Serve on a loopback port until the block ends."""
    state = OpenMLServer()
    handler = type("Handler", (_Handler,), {"server_state": state})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
