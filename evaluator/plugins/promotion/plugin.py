"""Phases that take only the best of an earlier phase.

Without it ``promote`` of a phase is an unknown key, and everybody may enter the phase.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "phase_keys.promote": "evaluator.plugins.promotion.promoted:Promote",
        "policies.promotion": "evaluator.plugins.promotion.promoted:policy",
        "promotions.promotion": "evaluator.plugins.promotion.promoted:promoted",
        "checks.promotion": "evaluator.plugins.promotion.promoted:check_phases",
        "phase_notes.promotion": "evaluator.plugins.promotion.promoted:note",
    },
)
