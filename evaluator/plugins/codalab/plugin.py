"""Bundles of Codabench and CodaLab: brought in, and written for Codabench.

Without it a bundle is put into benchmarks/ by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.export": "evaluator.plugins.codalab.codabench_bundle:export",
        "importers.bundle": "evaluator.plugins.codalab.importer:IMPORTER",
    },
    help_sections={"Organise benchmarks": ("export",)},
)
