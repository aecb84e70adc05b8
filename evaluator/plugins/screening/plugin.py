"""Programs of benchmarks that read entries before they are approved, and copies among entries.

Without it a bundle with a ``screen`` is refused, and nobody is shown copies.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "pr_verbs.screen": "evaluator.plugins.screening.verb:screen",
        "reviews.screen": "evaluator.plugins.screening.screening:Screens",
        "reviews.copies": "evaluator.plugins.screening.likeness:Copies",
        "checks.screens": "evaluator.plugins.screening.checks:check_screens",
    },
)
