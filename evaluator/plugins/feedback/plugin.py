"""Feedback for the entrant alone: what a phase shows nobody, encrypted to the author's SSH keys.

Without it a bundle with `feedback` is refused, and there is no verb `feedback`.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={"feedback": "evaluator.plugins.feedback.verb:feedback"},
    help_sections={"Take part": ("feedback",)},
    phase_keys={"feedback": "evaluator.plugins.feedback.keys:Feedback"},
    checks={"feedback": "evaluator.plugins.feedback.keys:check_feedback"},
    feedback={"private": "evaluator.plugins.feedback.feedback:PRIVATE"},
)
