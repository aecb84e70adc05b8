"""Verbs that exchange results with the AutoML Benchmark and OpenML."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from evaluator import pipeline
from evaluator.cli.imported import show
from evaluator.cli.imports import imports
from evaluator.errors import UsageError
from evaluator.formats.quantities import slug
from evaluator.importers.exchange.amlb_predictions import rescore_folder
from evaluator.importers.exchange.amlb_table import AmlbRow, read_rows
from evaluator.importers.exchange.metrics import metrics
from evaluator.importers.exchange.openml_run import read_run, scored_rows, stated_rows
from evaluator.importers.exchange.reporting import Reports, Stated, report
from evaluator.log import say
from evaluator.planning.names import NAME

_FOLDER = click.Path(path_type=Path, exists=True)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
benchmark_option = click.option("--benchmark", required=True, help="Benchmark that takes them.")
phase_option = click.option("--phase", help="Phase by name, slug or index; the first by default.")
url_option = click.option("--url", default="", help="Address of the source.")


@imports.command("amlb-results")
@click.argument("source", type=_FOLDER)
@benchmark_option
@phase_option
@click.option("--participant", default="amlb", show_default=True, help="Whose they shall be.")
@click.option("--source", "stated", default="", help="Where they are stated, in words.")
@url_option
@click.option("--constraint", help="Take the rows of this constraint alone.")
@click.option("--impute", hidden=True)
@click.pass_obj
def amlb_results(
    start: Path,
    source: Path,
    benchmark: str,
    phase: str | None,
    participant: str,
    stated: str,
    url: str,
    constraint: str | None,
    impute: str | None,
) -> None:
    """Bring in results.csv of the AutoML Benchmark, or predictions, as reported results.

    SOURCE is results.csv, or a folder with predictions/TASK/FOLD/predictions.csv, which are scored
    anew. Each framework becomes a submission; its rows are kept beside it.
    """
    if impute is not None:
        raise UsageError(
            "--impute is gone: results that are filled in are not what a framework reached",
            hint="Failures stay failures. The analysis of a board fills them in and says so: "
            f"'pullbench: analysis: {{impute: amlb, stand_in: {participant}/{slug(impute)}}}'.",
        )
    if source.is_dir():
        rows: Sequence[AmlbRow] = list(rescore_folder(source))
        words = f"predictions of the AutoML Benchmark in {source.name}, scored by pullbench"
    else:
        rows = read_rows(source.read_bytes(), source.name)
        words = f"{source.name} of the AutoML Benchmark"
    said = Stated(participant=participant, source=stated or words, url=url, constraint=constraint)
    _write(start, rows, benchmark, phase, said, source.name)


@imports.command("openml-run")
@click.argument("run", type=_FILE)
@click.argument("predictions", type=_FILE, required=False)
@benchmark_option
@phase_option
@click.option("--participant", default="openml", show_default=True, help="Whose it shall be.")
@click.option("--metric", "wanted", multiple=True, help="Metric; the first is the result.")
@url_option
@click.pass_obj
def openml_run(
    start: Path,
    run: Path,
    predictions: Path | None,
    benchmark: str,
    phase: str | None,
    participant: str,
    wanted: tuple[str, ...],
    url: str,
) -> None:
    """Bring in a run of OpenML from its RUN.xml, as reported results.

    With PREDICTIONS, its predictions.arff, each fold is scored anew; without, what the server
    states is taken. Tasks are found by their number: a task named `t-31` or `t/31`.
    """
    found = read_run(run.read_bytes(), run.name)
    if predictions is not None:
        rows = scored_rows(found, predictions.read_bytes(), wanted, predictions.name)
        words = f"run {found.run_id or run.name} of OpenML, its predictions scored by pullbench"
    else:
        order = wanted or tuple(metrics().HIGHER_IS_BETTER)
        rows = stated_rows(found, order)
        words = f"run {found.run_id or run.name} of OpenML, as its server evaluated it"
    address = url or (f"https://www.openml.org/r/{found.run_id}" if found.run_id else "")
    said = Stated(participant=participant, source=words, url=address)
    _write(start, rows, benchmark, phase, said, run.name)


def _write(
    start: Path, rows: Sequence[AmlbRow], benchmark: str, phase: str | None, said: Stated, file: str
) -> None:
    if not NAME.fullmatch(said.participant):
        raise UsageError(f"'{said.participant}' cannot be part of an address")
    taken = pipeline.snapshot(start)
    found = taken.benchmarks.get(benchmark)
    if found is None:
        raise UsageError(f"there is no benchmark '{benchmark}'", hint="See `pullbench validate`.")
    if not found.reported:
        raise UsageError(
            f"{benchmark} takes no results from elsewhere",
            hint="An organiser may set 'reported: true' under 'pullbench' in competition.yaml.",
        )
    chosen = found.phase(phase) if phase else found.phases[0]
    if chosen is None:
        raise UsageError(f"there is no phase '{phase}'")
    made: Reports = report(rows, found, chosen, said, file)
    show(made.problems)
    root: Any = taken.tree.root
    for path, content in made.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    count = sum(path.endswith("submission.yaml") for path in made.files)
    say(f"submissions/{benchmark}/{said.participant}: {count} submissions, {len(rows)} rows")
