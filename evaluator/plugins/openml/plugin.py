"""Definitions and results of the AutoML Benchmark, tasks and suites of OpenML, tables.

Without it benchmarks made of them still run: they are bundles like any other.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "suite": "evaluator.cli.suites:suite",
    },
    help_sections={
        "Organise benchmarks": ("suite",),
    },
    extra="openml",
    importers={
        "openml": "evaluator.importers.openml.importing:IMPORTER",
        "amlb": "evaluator.importers.amlb.importing:IMPORTER",
        "suite": "evaluator.importers.suites.importing:IMPORTER",
    },
    results_importers={
        "amlb-results": "evaluator.importers.exchange.amlb_results:IMPORTER",
        "table": "evaluator.importers.exchange.table:IMPORTER",
        "openml-runs": "evaluator.importers.exchange.openml_runs:IMPORTER",
        "openml-run": "evaluator.importers.exchange.openml_run:IMPORTER",
    },
    checks={"suites": "evaluator.planning.suites:check_suites"},
)
