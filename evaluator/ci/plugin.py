"""Pull requests, the ledger and the forge.

Without it benchmarks are run and ranked by hand, and nobody counts attempts.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "submit": "evaluator.ci.cli.pulls:submit",
        "rerun": "evaluator.ci.cli.collection:rerun",
        "withdraw": "evaluator.ci.cli.collection:withdraw",
        "disqualify": "evaluator.ci.cli.collection:disqualify",
        "overdue": "evaluator.ci.cli.collection:overdue",
        "pr": "evaluator.ci.cli.pulls:pr",
        "commit": "evaluator.ci.cli.collection:commit",
        "collect": "evaluator.ci.cli.collection:collect",
        "hand-in": "evaluator.ci.cli.collection:hand_in",
    },
    help_sections={
        "Take part": ("submit",),
        "Organise benchmarks": ("rerun", "withdraw", "disqualify", "overdue"),
        "Called by workflows": ("pr", "commit", "collect", "hand-in"),
    },
    pull_requests={
        "judge": "evaluator.ci.pull_requests.judge:judge_branches",
        "merge": "evaluator.ci.pull_requests.judge:merge_branches",
        "validate_here": "evaluator.ci.pull_requests.draft:validate_here",
        "oversized": "evaluator.ci.git.amounts:oversized",
        "to_matrix": "evaluator.ci.queues:to_matrix",
    },
    site_status={"pull_requests": "evaluator.ci.status:read_status"},
    judges={"records": "evaluator.ci.scores.record_faults:record_fault"},
    git_advice={"git_advice": "evaluator.ci.git.advice:what_to_do"},
    sealing={
        "seal": "evaluator.ci.scores.encryption:seal",
        "close": "evaluator.ci.scores.encryption:close",
        "open": "evaluator.ci.scores.encryption:open_envelope",
    },
    object_sources={"partial_clones": "evaluator.ci.git.partial_clone:fetch_missing"},
    bundle_keys={
        "policy": "evaluator.ci.policy.keys:Policy",
        "participants": "evaluator.ci.policy.entrants:Participants",
        "accept_terms": "evaluator.ci.policy.entrants:AcceptTerms",
    },
    submission_keys={"terms_accepted": "evaluator.ci.policy.entrants:TermsAccepted"},
    settings={"policy": "evaluator.ci.policy.keys:PolicySettings"},
    phase_keys={"open_entries": "evaluator.ci.policy.keys:OpenEntries"},
    policies={"quotas": "evaluator.ci.ledger.quotas:local_quotas"},
)
