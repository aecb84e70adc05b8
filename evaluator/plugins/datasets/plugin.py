"""Data sets as submissions: their kind, their check, and the tasks that they become.

Without it a bundle with ``datasets`` is refused; all others work as they do with it.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "kinds.dataset": "evaluator.plugins.datasets.kind:DATA_SET",
        "growth.datasets": "evaluator.plugins.datasets.tasks:with_datasets",
        "checks.datasets": "evaluator.plugins.datasets.tasks:check_datasets",
    },
)
