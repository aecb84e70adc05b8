"""The process that talks to OpenML: it alone uses the package `openml`.

Usage: ``python -m evaluator.plugins.openml.tasks.child``, with one JSON request on standard input.
One line of standard output says that the package is loaded; then one line of JSON answers each item
of the request, in order. Tables lie in the folder that the request names. Nothing is decided here:
what is wrong with splits or data is for `splits` and `fetching` to say.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from evaluator.plugins.openml.tabular.arff import TooLargeError, read_arff

RETRIES = 3
_SKIP_PARQUET = "OPENML_SKIP_PARQUET"
_LEAVE_OUT = "Leave it out: -t names the tasks to take."


class UnsupportedError(Exception):
    """What this program does not take as it is, with what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def main() -> None:
    request = json.load(sys.stdin)
    answers = sys.stdout
    sys.stdout = sys.stderr  # the package prints
    import openml
    import requests

    openml.config.server = request["server"]
    openml.config.apikey = ""  # reading needs none
    openml.config.set_retry_policy("human", RETRIES)
    commands: dict[str, Callable[[Any], Any]] = {
        "suites": lambda _: _records(
            openml.study.list_suites(status="all", output_format="dataframe")
        ),
        "suite": _suite,
        "task": lambda item: _task(item["id"], Path(item["folder"])),
        "tasks": _tasks,
        "runs": _runs,
        "run": lambda number: openml._api_calls._perform_api_call(f"run/{int(number)}", "get"),
    }
    work = commands[request["command"]]
    print("{}", file=answers, flush=True)  # from now on the time is the server's
    unreachable: dict[str, Any] | None = None
    for item in request["items"]:
        answer = unreachable
        if answer is None:
            try:
                answer = {"answer": work(item)}
            except Exception as error:
                answer = {"error": _fault(error)}
                if isinstance(error, (requests.exceptions.ConnectionError, ConnectionError)):
                    unreachable = answer  # nobody waits for all its retries once for each task
        print(json.dumps(answer), file=answers, flush=True)


def _fault(error: Exception) -> dict[str, Any]:
    import openml
    import requests

    kind = "data"
    if isinstance(error, UnsupportedError):
        return {"kind": "unsupported", "message": str(error), "hint": error.hint}
    if isinstance(error, (requests.exceptions.RequestException, ConnectionError)):
        kind = "network"
    elif isinstance(error, openml.exceptions.OpenMLHashException):
        kind = "digest"
    elif isinstance(
        error, (openml.exceptions.OpenMLServerException, openml.exceptions.OpenMLNotAuthorizedError)
    ):
        kind = "refused"
    elif isinstance(error, openml.exceptions.OpenMLServerError):
        kind = "network"
    # Assertions of the package say nothing, and then a message may end without one.
    text = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(" :")
    return {"kind": kind, "message": text[:500]}


def _records(frame: Any) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(frame.to_json(orient="records"))
    return records


def _suite(key: Any) -> dict[str, Any]:
    import openml

    suite = openml.study.get_suite(key)
    return {
        "id": suite.study_id,
        "name": suite.name,
        "description": suite.description or "",
        "tasks": suite.tasks or [],
        "status": suite.status,
    }


def _tasks(item: dict[str, Any]) -> list[dict[str, Any]]:
    import openml

    listed: Any = openml.tasks.list_tasks(
        task_type=openml.tasks.TaskType(item["type"]), output_format="dataframe",
        **item["options"],
    )  # fmt: skip
    return _records(listed.drop(columns=["ttid"], errors="ignore"))


def _task(number: int, folder: Path) -> dict[str, Any]:
    import openml

    task: Any
    try:
        task = openml.tasks.get_task(
            number, download_splits=False, download_data=False, download_qualities=False,
            download_features_meta_data=True,
        )  # fmt: skip
    except NotImplementedError as error:
        raise UnsupportedError(f"task {number}: {error}", _LEAVE_OUT) from error
    kind = task.task_type_id.name.lower().replace("_", " ")
    if kind not in ("supervised classification", "supervised regression"):
        raise UnsupportedError(
            f"task {number} on data set {task.dataset_id} is one of {kind}; only supervised "
            "classification and regression have folds that are trained on and tested",
            _LEAVE_OUT,
        )
    dataset = _download(int(task.dataset_id))
    folder.mkdir(parents=True, exist_ok=True)
    _write_table(dataset, folder / "data.parquet")
    _write_splits(task, folder / "splits.parquet")
    procedure = task.estimation_procedure
    return {
        "id": number,
        "target": task.target_name,
        "labels": list(getattr(task, "class_labels", None) or []),
        "procedure": procedure["type"],
        "parameters": dict(procedure["parameters"] or {}),
        "dataset": _describe(dataset),
    }


def _download(number: int) -> Any:
    """Download as ARFF, which has a digest and keeps levels; as Parquet where there is no ARFF."""
    import openml

    def get(*, data: bool) -> Any:
        return openml.datasets.get_dataset(
            number, download_data=data, download_qualities=False, download_features_meta_data=True
        )

    about = get(data=False)
    name = f"data set {number} ({about.name})"
    if not str(about.url or "").lower().endswith((".pq", ".parquet")):
        return get(data=True)
    if about._parquet_url is None:
        raise UnsupportedError(f"{name} has neither ARFF nor Parquet", _LEAVE_OUT)
    os.environ[_SKIP_PARQUET] = "false"
    try:
        dataset = get(data=True)
    finally:
        os.environ[_SKIP_PARQUET] = "true"
    if dataset.parquet_file is None:
        raise ConnectionError(f"the Parquet file of {name} at {about._parquet_url}")
    return dataset


def _describe(dataset: Any) -> dict[str, Any]:
    import openml

    ignored = [dataset.row_id_attribute or [], dataset.ignore_attribute or []]
    names = [[part] if isinstance(part, str) else part for part in ignored]
    number = int(dataset.dataset_id)
    listed: Any = openml.datasets.list_datasets(
        data_id=[number], status="all", output_format="dataframe"
    )
    return {
        "id": number,
        "name": dataset.name,
        "version": int(dataset.version or 1),
        "status": str(listed["status"].iloc[0]),
        "format": dataset.format or "",
        "licence": dataset.licence or "",
        "md5": dataset.md5_checksum or "",
        "tags": list(dataset.tag or []),
        "left_out": [name for part in names for name in part],
        "features": [
            {
                "name": feature.name,
                "type": feature.data_type,
                "levels": list(feature.nominal_values or []),
            }
            for _, feature in sorted(dataset.features.items())
        ],
    }


def _write_table(dataset: Any, path: Path) -> None:
    """Write all columns; nominal ones as text, so that no number is made of them."""
    frame = _frame(dataset)
    levels = {
        feature.name: [str(level) for level in feature.nominal_values or []]
        for feature in dataset.features.values()
    }
    reals = _reals(dataset)
    for name in frame.columns:
        column = frame[name]
        if levels.get(name) or column.dtype.kind not in "iuf":
            frame[name] = _text(column, levels.get(name) or [])
        else:
            # The package takes the narrowest type, in which a model's sums overflow, and makes
            # integers of real numbers that are whole.
            is_real = column.dtype.kind == "f" or name in reals
            frame[name] = column.astype("float64" if is_real else "int64")
    frame.to_parquet(path, index=False)


def _reals(dataset: Any) -> set[str]:
    """The columns that the ARFF declares real; none where the data are Parquet."""
    import arff

    if not str(dataset.data_file or "").lower().endswith(".arff"):
        return set()
    with Path(dataset.data_file).open(encoding="utf-8") as file:
        head = arff.load(file, return_type=arff.DENSE_GEN)  # which reads no row yet
        return {name for name, kind in head["attributes"] if kind == "REAL"}


def _frame(dataset: Any) -> Any:
    name = f"data set {dataset.dataset_id} ({dataset.name})"
    if "sparse" in str(dataset.format).lower():
        # The package gives codes in place of levels, and loses rows of zeros at the end.
        try:
            return read_arff(Path(dataset.data_file).read_text(encoding="utf-8"))[0]
        except TooLargeError as error:
            raise UnsupportedError(f"{name} is too large: {error}", _LEAVE_OUT) from error
    try:
        frame, _, _, _ = dataset.get_data(
            dataset_format="dataframe", include_row_id=True, include_ignore_attribute=True
        )
    except Exception as error:
        if dataset.parquet_file is None:
            raise
        # The package says the path of its cache, and keeps the reason to itself.
        raise ValueError(
            f"the Parquet file of {name} cannot be read: {error.__cause__ or error}"
        ) from error
    return frame


def _text(column: Any, levels: list[str]) -> Any:
    """Values as the data set spells them: the package makes True of TRUE and of true."""
    import pandas

    spelled = {level.lower(): level for level in levels} | {level: level for level in levels}
    values = [
        None
        if pandas.isna(value)
        else spelled.get(str(value), spelled.get(str(value).lower())) or str(value)
        for value in column.astype(object)
    ]
    return pandas.array(values, dtype="string")


def _write_splits(task: Any, path: Path) -> None:
    import pandas
    from arff import ArffException

    def rows() -> Iterator[tuple[int, int, bool, int]]:
        split = task.download_split().split
        for repeat, folds in split.items():
            for fold, samples in folds.items():
                if list(samples) != [0]:
                    raise ValueError("the splits have samples, as learning curves do")
                for tested, part in zip((False, True), samples[0], strict=True):
                    for row in part:
                        yield int(repeat), int(fold), tested, int(row)

    try:
        parsed = list(rows())
    except (ArffException, ValueError, TypeError, LookupError, AssertionError) as error:
        raise ValueError(f"the splits cannot be read, or are not whole: {error}") from error
    table = pandas.DataFrame(parsed, columns=["repeat", "fold", "tested", "row"])
    table.to_parquet(path, index=False)


def _runs(item: dict[str, Any]) -> list[dict[str, Any]]:
    import openml

    try:
        listed: Any = openml.runs.list_runs(
            task=[item["task"]], flow=item["flows"] or None, size=item["most"],
            output_format="dataframe",
        )  # fmt: skip
    except openml.exceptions.OpenMLServerNoResult:
        return []
    return _records(listed.drop(columns="task_type", errors="ignore"))


if __name__ == "__main__":
    main()
