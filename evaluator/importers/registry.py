"""Every importer, by the word that follows `pullbench import`."""

from pkgutil import resolve_name

from evaluator.importers.exchange.importer import ResultsImporter
from evaluator.importers.importer import Importer

IMPORTERS = {
    "bundle": "evaluator.importers.codabench:IMPORTER",
    "openml": "evaluator.importers.openml.importing:IMPORTER",
    "amlb": "evaluator.importers.amlb.importing:IMPORTER",
    "suite": "evaluator.importers.suites.importing:IMPORTER",
}
"""Where each that reads a benchmark stands: it is loaded when somebody names it."""
RESULTS_IMPORTERS = {
    "amlb-results": "evaluator.importers.exchange.amlb_results:IMPORTER",
    "table": "evaluator.importers.exchange.table:IMPORTER",
    "openml-runs": "evaluator.importers.exchange.openml_runs:IMPORTER",
    "openml-run": "evaluator.importers.exchange.openml_run:IMPORTER",
}
"""Where each that reads results stands."""


def find_importer(name: str) -> Importer:
    """Load an importer of benchmarks."""
    importer = resolve_name(IMPORTERS[name])
    assert isinstance(importer, Importer), name  # noqa: S101 a line of the registry is ours
    return importer


def find_results_importer(name: str) -> ResultsImporter:
    """Load an importer of results."""
    importer = resolve_name(RESULTS_IMPORTERS[name])
    assert isinstance(importer, ResultsImporter), name  # noqa: S101 a line of the registry is ours
    return importer
