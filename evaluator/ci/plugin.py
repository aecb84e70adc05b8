"""Pull requests, the ledger and the forge.

Without it benchmarks are run and ranked by hand, and nobody counts attempts.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "submit": "evaluator.cli.submissions:submit",
        "rerun": "evaluator.cli.collection:rerun",
        "withdraw": "evaluator.cli.collection:withdraw",
        "disqualify": "evaluator.cli.collection:disqualify",
        "overdue": "evaluator.cli.collection:overdue",
        "pr": "evaluator.cli.pulls:pr",
        "commit": "evaluator.cli.collection:commit",
        "collect": "evaluator.cli.collection:collect",
        "hand-in": "evaluator.cli.collection:hand_in",
    },
    help_sections={
        "Take part": ("submit",),
        "Organise benchmarks": ("rerun", "withdraw", "disqualify", "overdue"),
        "Called by workflows": ("pr", "commit", "collect", "hand-in"),
    },
    policies={"quotas": "evaluator.planning.quotas:local_quotas"},
)
