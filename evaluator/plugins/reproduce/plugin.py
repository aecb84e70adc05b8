"""Cells evaluated again, and compared with their records.

Without it a record is believed, or its cell is evaluated again by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.reproduce": "evaluator.plugins.reproduce.verb:reproduce",
        "bundle_keys.tolerance": "evaluator.plugins.reproduce.tolerance:Tolerances",
        "checks.tolerance": "evaluator.plugins.reproduce.tolerance:check_tolerances",
        "phase_notes.tolerance": "evaluator.plugins.reproduce.ties:note",
        "row_marks.tolerance": "evaluator.plugins.reproduce.ties:tie_marks",
    },
    help_sections={"Read and check results": ("reproduce",)},
)
