"""Bundles of Codabench and CodaLab: brought in, and written for Codabench.

Without it a bundle is put into benchmarks/ by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    importers={"bundle": "evaluator.importers.codabench:IMPORTER"},
)
