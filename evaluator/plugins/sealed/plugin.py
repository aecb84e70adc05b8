"""Sealed entries: predictions that nobody but the organisers reads before a date.

Without it a bundle with `seal` and an entry of the kind `sealed` are refused.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "kinds.sealed": "evaluator.plugins.sealed.kind:SEALED",
        "phase_keys.seal": "evaluator.plugins.sealed.keys:Seal",
        "checks.sealed": "evaluator.plugins.sealed.checks:check_sealed",
        "sealing.entry": "evaluator.plugins.sealed.sealing:seal_entry",
        "sealing.due": "evaluator.plugins.sealed.opening:due_names",
        "verbs.unseal": "evaluator.plugins.sealed.verb:unseal",
        "phase_notes.sealed": "evaluator.plugins.sealed.checks:note",
        "verify.sealed": "evaluator.plugins.sealed.opening:verify_sealed",
    },
    help_sections={"Called by workflows": ("unseal",)},
)
