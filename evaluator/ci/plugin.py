"""Pull requests, the ledger and the forge.

Without it benchmarks are run and ranked by hand, and nobody counts attempts.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.submit": "evaluator.ci.cli.pulls:submit",
        "verbs.rerun": "evaluator.ci.cli.collection:rerun",
        "verbs.withdraw": "evaluator.ci.cli.collection:withdraw",
        "verbs.disqualify": "evaluator.ci.cli.collection:disqualify",
        "verbs.overdue": "evaluator.ci.cli.collection:overdue",
        "verbs.pr": "evaluator.ci.cli.pulls:pr",
        "verbs.commit": "evaluator.ci.cli.collection:commit",
        "verbs.collect": "evaluator.ci.cli.collection:collect",
        "verbs.hand-in": "evaluator.ci.cli.collection:hand_in",
        "pull_requests.judge": "evaluator.ci.steps.receive:judge_branches",
        "pull_requests.merge": "evaluator.ci.steps.receive:merge_branches",
        "pull_requests.validate_here": "evaluator.ci.steps.draft:validate_here",
        "pull_requests.oversized": "evaluator.ci.git.amounts:oversized",
        "pull_requests.to_matrix": "evaluator.ci.ledger.queues:to_matrix",
        "site_status.pull_requests": "evaluator.ci.scores.status:read_status",
        "scores.earlier": "evaluator.ci.scores.earlier:earlier_scores",
        "judges.records": "evaluator.ci.scores.record_faults:record_fault",
        "git_advice.git_advice": "evaluator.ci.git.advice:what_to_do",
        "sealing.seal": "evaluator.ci.scores.encryption:seal",
        "sealing.close": "evaluator.ci.scores.encryption:close",
        "sealing.open": "evaluator.ci.scores.encryption:open_envelope",
        "object_sources.partial_clones": "evaluator.ci.git.partial_clone:fetch_missing",
        "bundle_keys.policy": "evaluator.ci.policy.keys:Policy",
        "bundle_keys.participants": "evaluator.ci.policy.entrants:Participants",
        "bundle_keys.accept_terms": "evaluator.ci.policy.entrants:AcceptTerms",
        "submission_keys.terms_accepted": "evaluator.ci.policy.entrants:TermsAccepted",
        "settings.policy": "evaluator.ci.policy.keys:PolicySettings",
        "phase_keys.open_entries": "evaluator.ci.policy.keys:OpenEntries",
        "entry_rules.entrants": "evaluator.ci.policy.entrants:entrant_rules",
        "entry_rules.policy": "evaluator.ci.policy.keys:policy_rules",
        "policies.quotas": "evaluator.ci.ledger.quotas:local_quotas",
    },
    help_sections={
        "Take part": ("submit",),
        "Organise benchmarks": ("rerun", "withdraw", "disqualify", "overdue"),
        "Called by workflows": ("pr", "commit", "collect", "hand-in"),
    },
)
