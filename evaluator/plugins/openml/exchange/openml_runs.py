"""``pullbench import openml-runs``: what others ran on a suite or a task of a server of OpenML."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from evaluator.core.errors import PullbenchError, UsageError
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow
from evaluator.plugins.openml.exchange.importer import ReadResults, ResultsImporter
from evaluator.plugins.openml.exchange.metrics import metrics
from evaluator.plugins.openml.exchange.openml_run import Run, read_run, stated_rows
from evaluator.plugins.openml.tasks.client import SERVER, Client
from evaluator.plugins.openml.tasks.options import server_option, timeout_option
from evaluator.plugins.openml.tasks.selection import task_numbers
from evaluator.plugins.openml.tasks.source import parse_source

MOST = 50
"""Runs on each task that are brought in where nobody says how many."""


def listed_runs(
    source: str, client: Client, flows: Sequence[int], most: int
) -> Iterator[Mapping[str, Any]]:
    """Yield what a server lists of the runs on a suite or a task, task by task.

    Raises UsageError, PullbenchError, PlatformError.
    """
    tasks = task_numbers(parse_source(source), client)
    items = [{"task": task, "flows": list(flows), "most": most} for task in tasks]
    for answer in client.ask_all("runs", items):
        if isinstance(answer, PullbenchError):
            raise answer
        yield from answer


def read(
    *,
    source: str,
    flows: Sequence[int],
    most: int,
    wanted: Sequence[str],
    server: str | None,
    patience: float,
) -> ReadResults:
    """Bring in others' runs on SOURCE, a suite (s/99, an alias) or a task (t/3), by fold.

    Each flow with its parameters is a submission; what the server evaluated stands by fold. Runs
    that failed there are left out. `suite runs SOURCE` lists them first.
    """
    client = Client(server=server or parse_source(source).server or SERVER, seconds=patience)
    listed = [one for one in listed_runs(source, client, flows, most) if not one["error_message"]]
    if not listed:
        raise UsageError(
            f"{client.server} has no runs on {source}", hint="`suite runs` lists them."
        )
    runs: list[Run] = []
    for one, answer in zip(
        listed, client.ask_all("run", [one["run_id"] for one in listed]), strict=True
    ):
        if isinstance(answer, PullbenchError):
            raise answer
        runs.append(read_run(answer.encode(), f"r/{one['run_id']}"))
    names = _names(runs)
    metric_names = tuple(wanted) or tuple(metrics().HIGHER_IS_BETTER)
    rows: list[AmlbRow] = [
        replace(row, framework=names[run.flow, run.setup])
        for run in sorted(runs, key=lambda run: int(run.run_id or 0))
        for row in stated_rows(run, metric_names)
    ]
    return ReadResults(
        rows=rows, source=f"runs on {source} of OpenML, as its server evaluated them",
        file=source, url=client.server.partition("/api/")[0],
    )  # fmt: skip


def _names(runs: Sequence[Run]) -> dict[tuple[str, str], str]:
    """Return a name for each flow with its parameters: the flow's, where it has one setup."""
    setups: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        setups[run.flow].add(run.setup)
    return {
        (flow, setup): flow if len(of_flow) == 1 else f"{flow[:80]} setup {setup or '?'}"
        for flow, of_flow in setups.items()
        for setup in of_flow
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
        click.option("--metric", "wanted", multiple=True, help="Metric; the first is the result."),
        timeout_option,
    ),
    read=read,
)  # fmt: skip
