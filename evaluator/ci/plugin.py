"""Pull requests, the ledger and the forge.

Without it benchmarks are run and ranked by hand, and nobody counts attempts.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(policies={"quotas": "evaluator.planning.quotas:local_quotas"})
