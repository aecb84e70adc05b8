"""Benchmarks from elsewhere, and the private data that a bundle pins.

Without it bundles are written by hand, and data are pinned and encrypted by other means.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "import": "evaluator.importing.verb:imports",
        "pin": "evaluator.importing.private_data:pin",
        "keygen": "evaluator.importing.private_data:keygen",
    },
    help_sections={"Organise benchmarks": ("import", "pin", "keygen")},
)
