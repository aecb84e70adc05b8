"""Columns ``pass@k`` and ``pass^k`` of tasks that are repeated.

Without it a bundle with ``passes`` is refused; all others work as they do with it.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.passes": "evaluator.plugins.passes.keys:Passes",
        "columns.passes": "evaluator.plugins.passes.rates:pass_columns",
        "checks.passes": "evaluator.plugins.passes.keys:check_passes",
    },
)
