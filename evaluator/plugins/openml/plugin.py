"""Definitions and results of the AutoML Benchmark, tasks and suites of OpenML, tables.

Without it benchmarks made of them still run: they are bundles like any other.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.results": "evaluator.plugins.openml.verbs:results",
        "verbs.suite": "evaluator.plugins.openml.suites.verbs:suite",
        "importers.openml": "evaluator.plugins.openml.tasks.importing:IMPORTER",
        "importers.amlb": "evaluator.plugins.openml.amlb.importing:IMPORTER",
        "importers.suite": "evaluator.plugins.openml.suites.importing:IMPORTER",
        "results_importers.amlb-results": "evaluator.plugins.openml.exchange.amlb_results:IMPORTER",
        "results_importers.eee": "evaluator.plugins.openml.exchange.eee:IMPORTER",
        "results_importers.table": "evaluator.plugins.openml.exchange.table:IMPORTER",
        "results_importers.openml-runs": "evaluator.plugins.openml.exchange.openml_runs:IMPORTER",
        "results_importers.openml-run": (
            "evaluator.plugins.openml.exchange.openml_runs:RUN_IMPORTER"
        ),
        "import_verbs.amlb-framework": "evaluator.plugins.openml.amlb.adding:amlb_framework",
        "schemas.suite": "evaluator.plugins.openml.suites.file:Suite",
        "checks.suites": "evaluator.plugins.openml.suites.file:check_suites",
    },
    help_sections={"Read and check results": ("results",), "Organise benchmarks": ("suite",)},
)
