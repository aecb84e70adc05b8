"""``pullbench import eee``: records of Every Eval Ever, as reported results."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import click
import msgspec

from evaluator.core.formats.json_reader import UnreadableError, form_reader
from evaluator.importing.importer import ResultsImporter
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, refusal
from evaluator.plugins.openml.exchange.reporting import ReadResults

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class _Model(msgspec.Struct):
    id: _Name


class _Data(msgspec.Struct):
    dataset_name: _Name


class _Metric(msgspec.Struct):
    metric_id: str = ""
    metric_name: str = ""
    evaluation_description: Annotated[str, msgspec.Meta(max_length=2000)] = ""
    """Before 0.2.2 the metric alone."""


class _Score(msgspec.Struct):
    score: float


class _Result(msgspec.Struct):
    source_data: _Data
    metric_config: _Metric
    score_details: _Score


class _Record(msgspec.Struct):
    """What is read of schemas 0.2 and 0.3."""

    model_info: _Model
    evaluation_results: list[_Result]


_read_record = form_reader(_Record, max_bytes=2**24)


def _rows(record: _Record) -> Iterator[AmlbRow]:
    """Yield a row for each data set."""
    values: dict[str, dict[str, float]] = {}
    for one in record.evaluation_results:
        metric, score = one.metric_config, one.score_details.score
        keys = {metric.metric_id.rpartition(".")[2], metric.metric_name.lower()} - {""}
        keys = keys or {metric.evaluation_description.lower()}
        values.setdefault(one.source_data.dataset_name, {}).update(dict.fromkeys(keys, score))
    for name, numbers in values.items():
        yield AmlbRow(
            task=name, framework=record.model_info.id, fold=0, metric="", numbers=numbers,
            result=next(iter(numbers.values()), None),
        )  # fmt: skip


def read(*, source: Path) -> ReadResults:
    """Bring in records of Every Eval Ever as reported results: a JSON file, or a line for each.

    Data sets are tasks by their name, metrics are columns by their key.
    """
    rows: list[AmlbRow] = []
    content = source.read_bytes()
    lines = content.splitlines() if source.suffix == ".jsonl" else [content]
    for number, line in enumerate(lines, start=1):
        try:
            rows += _rows(_read_record(line))
        except UnreadableError as error:
            place = f"{source.name}, line {number}" if len(lines) > 1 else source.name
            raise refusal(place, str(error), "Give records of schema 0.2 or 0.3.") from None
    return ReadResults(rows=rows, source=f"{source.name} of Every Eval Ever", file=source.name)


IMPORTER = ResultsImporter(
    participant="eee",
    options=(
        click.argument("source", type=click.Path(path_type=Path, exists=True, dir_okay=False)),
    ),
    read=read,
)
