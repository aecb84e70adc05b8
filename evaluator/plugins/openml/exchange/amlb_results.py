"""``pullbench import amlb-results``: results.csv of the AutoML Benchmark, or predictions.

Predictions are scored again. They hold the truth of each row, so that nothing else is needed:
whether that truth is the data set's is not asked.
"""

import csv
import io
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.json_reader import read_json
from evaluator.importing.importer import ResultsImporter
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, read_rows, refusal
from evaluator.plugins.openml.exchange.reporting import ReadResults
from evaluator.plugins.openml.tabular.metrics import metrics

FILE = "predictions.csv"
METADATA = "metadata.json"
MAX_BYTES = 2**28
_SERIES = ("repeated_item_id", "repeated_abs_seasonal_error")


def read_answers(content: bytes, file: str) -> Any:
    """Return ``metrics.Answers`` of a file. Raises InvalidInputError."""
    try:
        head, *lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        columns = {name: [line[place] for line in lines if line] for place, name in enumerate(head)}
        return _answers(head, columns)
    except KeyError as error:
        raise _refusal(file, f"has no column {error}") from None
    except (ValueError, IndexError, csv.Error) as error:
        raise _refusal(file, f"holds no predictions of AMLB's: {error}") from None


def _answers(head: Sequence[str], columns: dict[str, list[str]]) -> Any:
    make = metrics().make_answers
    truth, predictions = columns["truth"], columns["predictions"]
    if _SERIES[0] in columns:
        levels = [name for name in head if name.startswith("0.")]
        series = {
            "item_ids": columns[_SERIES[0]],
            "seasonal_errors": list(map(float, columns[_SERIES[1]])),
        }
        if levels:
            forecasts = [list(map(float, columns[level])) for level in levels]
            series |= {"quantiles": list(zip(*forecasts, strict=True)), "levels": levels}
        return make(list(map(float, truth)), list(map(float, predictions)), **series)
    labels = list(head[: head.index("predictions")])
    if not labels:
        return make(list(map(float, truth)), list(map(float, predictions)))
    table = list(zip(*(map(float, columns[label]) for label in labels), strict=True))
    return make(truth, predictions, table, labels)


def score_rows(
    answers: Any, wanted: Sequence[str], *, task: str, framework: str, fold: int,
    texts: dict[str, str] | None = None, numbers: dict[str, float] | None = None,
) -> AmlbRow:  # fmt: skip
    wanted = wanted or metrics().DEFAULTS[answers.type]
    outcomes = {metric: metrics().evaluate(metric, answers) for metric in wanted}
    messages = [outcome.message for outcome in outcomes.values() if outcome.message]
    values = {m: o.value for m, o in outcomes.items() if math.isfinite(o.value)}
    first = wanted[0]
    metric, result = metrics().result_of(first, values.get(first, math.nan))
    info = {"info": "; ".join(messages)} if messages else {}
    return AmlbRow(
        task=task, framework=framework, fold=fold, metric=metric,
        result=result if math.isfinite(result) else None,
        texts={**(texts or {}), "type": answers.type, **info},
        numbers={**(numbers or {}), **values},
    )  # fmt: skip


def rescore_folder(folder: Path) -> Iterator[AmlbRow]:
    """Score ``predictions/<task>/<fold>/predictions.csv`` files. Raises InvalidInputError."""
    files = sorted(
        {file.parent for name in (FILE, METADATA) for file in folder.rglob(f"*/*/{name}")},
        key=lambda path: (path.parent.name, path.name.zfill(6)),
    )
    if not files:
        raise _refusal(str(folder), f"has no {FILE} in folders TASK/FOLD")
    for path in files:
        if not path.name.isdecimal():
            raise _refusal(str(path), "is not the folder of a fold")
        metadata = _metadata(path / METADATA)
        framework = str(metadata.get("framework") or folder.resolve().name.split(".")[0])
        texts = {}
        if "framework_version" in metadata:
            texts["version"] = str(metadata["framework_version"])
        task, fold = path.parent.name, int(path.name)
        file = path / FILE
        if not file.is_file() or file.is_symlink():
            yield AmlbRow(
                task=task, framework=framework, fold=fold, result=None,
                metric=str(metadata.get("metric") or ""),
                texts={**texts, "info": "Missing predictions."},
            )  # fmt: skip
            continue
        if file.stat().st_size > MAX_BYTES:
            raise _refusal(str(file), f"is larger than {MAX_BYTES >> 20} MiB")
        wanted = [str(name) for name in metadata.get("metrics") or [] if isinstance(name, str)]
        numbers = {
            key: float(metadata[key])
            for key in ("training_duration", "predict_duration", "models_count")
            if isinstance(metadata.get(key), (int, float)) and not isinstance(metadata[key], bool)
        }
        yield score_rows(
            read_answers(file.read_bytes(), str(file)), wanted, task=task, framework=framework,
            fold=fold, texts=texts, numbers=numbers,
        )  # fmt: skip


def _metadata(file: Path) -> dict[str, Any]:
    try:
        if file.is_symlink() or file.stat().st_size > 2**22:
            return {}
        metadata = read_json(file.read_bytes(), max_bytes=2**22, nan=True)
    except (OSError, ValueError):
        return {}
    return metadata if isinstance(metadata, dict) else {}


def _refusal(file: str, message: str) -> InvalidInputError:
    return refusal(file, message, "Give what the AutoML Benchmark wrote.")


def read(*, source: Path, stated: str, constraint: str | None) -> ReadResults:
    """Bring in results.csv of the AutoML Benchmark, or predictions, as reported results.

    SOURCE is results.csv, or a folder with predictions/TASK/FOLD/predictions.csv, which are scored
    anew. Each framework becomes a submission; its rows are kept beside it.
    """
    if source.is_dir():
        rows = list(rescore_folder(source))
        words = f"predictions of the AutoML Benchmark in {source.name}, scored by pullbench"
    else:
        rows = read_rows(source.read_bytes(), source.name)
        words = f"{source.name} of the AutoML Benchmark"
    return ReadResults(rows=rows, source=stated or words, file=source.name, constraint=constraint)


IMPORTER = ResultsImporter(
    participant="amlb",
    options=(
        click.argument("source", type=click.Path(path_type=Path, exists=True)),
        click.option("--source", "stated", default="", help="Where they are stated, in words."),
        click.option("--constraint", help="Take the rows of this constraint alone."),
    ),
    read=read,
)
