"""Submissions whose outcome is known in advance, and what programs did on other files.

Without it a bundle with ``controls`` is refused. Nothing is known of other files: whoever brought
what failed first must act.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "controls.records": "evaluator.plugins.controls.controls:Controls",
        "verbs.controls": "evaluator.plugins.controls.verb:controls",
        "bundle_keys.controls": "evaluator.plugins.controls.keys:Controls",
        "board_pages.controls": "evaluator.plugins.controls.page:controls_page",
        "checks.controls": "evaluator.plugins.controls.keys:check_controls",
    },
    help_sections={"Organise benchmarks": ("controls",)},
)
