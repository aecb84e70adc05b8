"""Benchmarks from elsewhere, the private data that a bundle pins, and checks for organisers.

Without it bundles are written by hand, cells that need private data are platform faults, and
nobody is told that a bundle reveals what it keeps private, or can never rank a row.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.import": "evaluator.importing.verb:imports",
        "verbs.pin": "evaluator.importing.private_data:pin",
        "verbs.keygen": "evaluator.importing.private_data:keygen",
        "verbs.unlock": "evaluator.importing.unlocking:unlock",
        "private_data.hand_over": "evaluator.importing.handed_over:close_predictions",
        "private_data.parts": "evaluator.importing.private_parts:LocalPrivateParts",
        "checks.bundles": "evaluator.importing.checks:check_bundles",
    },
    help_sections={"Organise benchmarks": ("import", "pin", "keygen", "unlock")},
)
