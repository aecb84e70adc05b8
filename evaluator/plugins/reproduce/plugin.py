"""Cells evaluated again, and compared with their records.

Without it a record is believed, or its cell is evaluated again by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={"reproduce": "evaluator.plugins.reproduce.verb:reproduce"},
    help_sections={"Read and check results": ("reproduce",)},
)
