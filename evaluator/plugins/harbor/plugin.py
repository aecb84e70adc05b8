"""Tasks of Harbor, brought in as one benchmark.

Without it such benchmarks still run: they are bundles like any other.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(offers={"importers.harbor": "evaluator.plugins.harbor.importing:IMPORTER"})
