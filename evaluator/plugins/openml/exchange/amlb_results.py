"""``pullbench import amlb-results``: results.csv of the AutoML Benchmark, or predictions."""

from pathlib import Path

import click

from evaluator.core.errors import UsageError
from evaluator.core.formats.quantities import slug
from evaluator.plugins.openml.exchange.amlb_predictions import rescore_folder
from evaluator.plugins.openml.exchange.amlb_table import read_rows
from evaluator.plugins.openml.exchange.importer import ReadResults, ResultsImporter

_PARTICIPANT = "amlb"


def read(*, source: Path, stated: str, constraint: str | None, impute: str | None) -> ReadResults:
    """Bring in results.csv of the AutoML Benchmark, or predictions, as reported results.

    SOURCE is results.csv, or a folder with predictions/TASK/FOLD/predictions.csv, which are scored
    anew. Each framework becomes a submission; its rows are kept beside it.
    """
    if impute is not None:
        raise UsageError(
            "--impute is gone: results that are filled in are not what a framework reached",
            hint="Failures stay failures. The analysis of a board fills them in and says so: "
            f"'pullbench: analysis: {{impute: amlb, stand_in: {_PARTICIPANT}/{slug(impute)}}}'.",
        )
    if source.is_dir():
        rows = list(rescore_folder(source))
        words = f"predictions of the AutoML Benchmark in {source.name}, scored by pullbench"
    else:
        rows = read_rows(source.read_bytes(), source.name)
        words = f"{source.name} of the AutoML Benchmark"
    return ReadResults(rows=rows, source=stated or words, file=source.name, constraint=constraint)


IMPORTER = ResultsImporter(
    participant=_PARTICIPANT,
    options=(
        click.argument("source", type=click.Path(path_type=Path, exists=True)),
        click.option("--source", "stated", default="", help="Where they are stated, in words."),
        click.option("--constraint", help="Take the rows of this constraint alone."),
        click.option("--impute", hidden=True),
    ),
    read=read,
)
