"""Runs of OpenML, of a server or as files -> rows of results.

Predictions are scored again; without them the server's evaluations are used, under names that mean
the same on both sides.
"""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from evaluator.core.errors import InvalidInputError, UsageError
from evaluator.importing.importer import ResultsImporter
from evaluator.plugins.openml.exchange.amlb_results import score_rows
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, refusal
from evaluator.plugins.openml.exchange.reporting import ReadResults
from evaluator.plugins.openml.tabular.metrics import NAMES, metrics
from evaluator.plugins.openml.tasks.client import SERVER, OpenmlClient
from evaluator.plugins.openml.tasks.source import parse_source, server_option, task_numbers

NAMESPACE = "{http://openml.org/openml}"
MAX_XML = 2**24
MAX_ARFF = 2**28
MEASURES = {
    "predictive_accuracy": "acc",
    "unweighted_recall": "balacc",
    "area_under_roc_curve": "auc",
    "root_mean_squared_error": "rmse",
    "mean_absolute_error": "mae",
}
"""OpenML's measure -> AMLB's metric. Of more than two classes its area is another one, and of
classes its mean absolute error is that of probabilities: no such task has that metric."""


@dataclass(frozen=True, kw_only=True)
class OpenmlRun:
    """What run.xml says."""

    run_id: str
    task_id: str
    flow: str
    """Name of the flow, or its number."""
    setup: str
    """Number of the flow's parameters; empty where it is not said."""
    evaluations: tuple[tuple[str, int, int, float], ...]
    """(measure, repeat, fold, value); of the whole run repeat and fold are -1."""


def read_run(content: bytes, file: str) -> OpenmlRun:
    """Read the description of a run. Raises InvalidInputError."""
    if len(content) > MAX_XML:
        raise _refusal(file, f"is larger than {MAX_XML >> 20} MiB")
    if b"<!" in content.replace(b"<!--", b""):
        # A document type can name files and grow without end; OpenML writes none.
        raise _refusal(file, "declares a document type")
    try:
        root = ET.fromstring(content)  # noqa: S314 -- without a document type nothing expands
    except (ET.ParseError, ValueError) as error:
        raise _refusal(file, f"is not XML: {error}") from None
    if root.tag != f"{NAMESPACE}run":
        raise _refusal(file, "is not the description of a run")

    def text(name: str) -> str:
        return (root.findtext(f"{NAMESPACE}{name}") or "").strip()

    if not text("task_id").isdecimal():
        raise _refusal(file, "names no task")
    evaluations = []
    for item in root.iter(f"{NAMESPACE}evaluation"):
        value = (item.findtext(f"{NAMESPACE}value") or "").strip()
        try:
            evaluations.append(
                ((item.findtext(f"{NAMESPACE}name") or "").strip(),
                 int(item.get("repeat", "-1")), int(item.get("fold", "-1")), float(value))
            )  # fmt: skip
        except ValueError:
            continue  # matrices and lists have no single value
    return OpenmlRun(
        run_id=text("run_id"), task_id=text("task_id"),
        flow=text("flow_name") or f"flow-{text('flow_id')}", setup=text("setup_id"),
        evaluations=tuple(evaluations),
    )  # fmt: skip


def stated_rows(run: OpenmlRun, wanted: Sequence[str]) -> list[AmlbRow]:
    """Rows of what the server evaluated, by fold or, where it says no more, for all of them."""
    by_fold: dict[tuple[int, int], dict[str, float]] = {}
    for measure, repeat, fold, value in run.evaluations:
        if measure in MEASURES:
            by_fold.setdefault((repeat, fold), {})[MEASURES[measure]] = value
    single = {place: values for place, values in by_fold.items() if place != (-1, -1)}
    rows = []
    for place, (_, values) in enumerate(sorted((single or by_fold).items())):
        first = next(metric for metric in (*wanted, *values) if metric in values)
        metric, result = metrics().result_of(first, values[first])
        row = AmlbRow(task=f"t-{run.task_id}", framework=run.flow, fold=place, metric=metric,
                      result=result, numbers=values, texts=_texts(run))  # fmt: skip
        rows.append(row)
    return rows


def scored_rows(
    run: OpenmlRun, predictions: bytes, wanted: Sequence[str], file: str
) -> list[AmlbRow]:
    groups = sorted(_groups(predictions, file), key=lambda group: group[0])
    return [
        score_rows(answers, wanted, task=f"t-{run.task_id}", framework=run.flow, fold=place,
                   texts=_texts(run))
        for place, (_, answers) in enumerate(groups)
    ]  # fmt: skip


def _texts(run: OpenmlRun) -> dict[str, str]:
    return {"id": f"openml.org/t/{run.task_id}", "version": f"run {run.run_id or 'unknown'}"}


def _groups(content: bytes, file: str) -> Iterator[tuple[tuple[int, int], Any]]:
    import arff

    if len(content) > MAX_ARFF:
        raise _refusal(file, f"is larger than {MAX_ARFF >> 20} MiB")
    try:
        data = arff.loads(content.decode("utf-8-sig"))
        spelled = [str(name) for name, _ in data["attributes"]]
        names = [name.lower() for name in spelled]
        truth = names.index("correct" if "correct" in names else "truth")
        guess, repeat, fold = (names.index(n) for n in ("prediction", "repeat", "fold"))
    except (ValueError, KeyError, arff.ArffException) as error:
        raise _refusal(file, f"holds no predictions of a run: {error}") from None
    columns = {
        spelled[place][len("confidence.") :]: place
        for place, name in enumerate(names)
        if name.startswith("confidence.")
    }
    labels = sorted(columns)
    rows: dict[tuple[int, int], list[list[Any]]] = {}
    for line in data["data"]:
        rows.setdefault((int(line[repeat]), int(line[fold])), []).append(line)
    for place, lines in rows.items():
        table = [[line[columns[label]] for label in labels] for line in lines]
        answers = [line[truth] for line in lines], [line[guess] for line in lines]
        try:
            yield place, metrics().make_answers(*answers, *((table, labels) if labels else ()))
        except (TypeError, ValueError) as error:
            raise _refusal(file, f"repeat {place[0]}, fold {place[1]}: {error}") from None


def _refusal(file: str, message: str) -> InvalidInputError:
    return refusal(file, message, "Give run.xml and predictions.arff as OpenML has them.")


def read_file(*, run: Path, predictions: Path | None, wanted: Sequence[str]) -> ReadResults:
    """Bring in a run of OpenML from its RUN.xml, as reported results.

    With PREDICTIONS, its predictions.arff, each fold is scored anew; without, what the server
    states is taken. Tasks are found by their number: a task named `t-31` or `t/31`.
    """
    stated = read_run(run.read_bytes(), run.name)
    name = f"run {stated.run_id or run.name} of OpenML"
    if predictions is not None:
        rows = scored_rows(stated, predictions.read_bytes(), wanted, predictions.name)
        source = f"{name}, its predictions scored by pullbench"
    else:
        rows = stated_rows(stated, wanted)
        source = f"{name}, as its server evaluated it"
    url = f"https://www.openml.org/r/{stated.run_id}" if stated.run_id else ""
    return ReadResults(rows=rows, source=source, file=run.name, url=url)


_METRICS = click.option(
    "--metric", "wanted", multiple=True, type=click.Choice(sorted({*chain(*NAMES.values())})),
    help="Metric; the first is the result.",
)  # fmt: skip
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
RUN_IMPORTER = ResultsImporter(
    participant="openml",
    options=(
        click.argument("run", type=_FILE),
        click.argument("predictions", type=_FILE, required=False),
        _METRICS,
    ),
    read=read_file,
)

MOST = 50
"""Runs on each task that are brought in where nobody says how many."""


def list_runs(
    source: str, client: OpenmlClient, flows: Sequence[int], most: int
) -> Iterator[Mapping[str, Any]]:
    """Yield what a server lists, task by task. Raises UsageError, PullbenchError, PlatformError."""
    tasks = task_numbers(parse_source(source), client)
    items = [{"task": task, "flows": list(flows), "most": most} for task in tasks]
    for answer in client.ask_each("runs", items):
        yield from answer


def read(
    *, source: str, flows: Sequence[int], most: int, wanted: Sequence[str], server: str | None
) -> ReadResults:
    """Bring in others' runs on SOURCE, a suite (s/99, an alias) or a task (t/3), by fold.

    Each flow with its parameters is a submission; what the server evaluated stands by fold. Runs
    that failed there are left out. `suite runs SOURCE` lists them first.
    """
    client = OpenmlClient(server=server or parse_source(source).server or SERVER)
    listed = [one for one in list_runs(source, client, flows, most) if not one["error_message"]]
    if not listed:
        raise UsageError(
            f"{client.server} has no runs on {source}", hint="`suite runs` lists them."
        )
    numbers = [one["run_id"] for one in listed]
    runs = [
        read_run(answer.encode(), f"r/{number}")
        for number, answer in zip(numbers, client.ask_each("run", numbers), strict=True)
    ]
    names = _framework_names(runs)
    rows: list[AmlbRow] = [
        replace(row, framework=names[run.flow, run.setup])
        for run in sorted(runs, key=lambda run: int(run.run_id or 0))
        for row in stated_rows(run, wanted)
    ]
    return ReadResults(
        rows=rows, source=f"runs on {source} of OpenML, as its server evaluated them",
        file=source, url=client.server.partition("/api/")[0],
    )  # fmt: skip


def _framework_names(runs: Sequence[OpenmlRun]) -> dict[tuple[str, str], str]:
    """A name for each flow with its parameters: the flow's, where it has one setup."""
    pairs = {(run.flow, run.setup) for run in runs}
    setups = Counter(flow for flow, _ in pairs)
    return {
        (flow, setup): flow if setups[flow] == 1 else f"{flow[:80]} setup {setup or '?'}"
        for flow, setup in pairs
    }


IMPORTER = ResultsImporter(
    participant="openml",
    options=(
        click.argument("source"),
        server_option,
        click.option("--flow", "flows", type=int, multiple=True,
                     help="Only runs of this flow, by number; may be repeated."),
        click.option("--most", type=click.IntRange(min=1, max=10_000), default=MOST,
                     show_default=True, help="Runs on each task."),
        _METRICS,
    ),
    read=read,
)  # fmt: skip
