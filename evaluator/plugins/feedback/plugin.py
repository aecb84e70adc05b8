"""Private feedback: scores and logs, encrypted to the SSH keys of an entry's author.

Without it a bundle with `feedback` is refused, and there is no verb `feedback`.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.feedback": "evaluator.plugins.feedback.verb:feedback",
        "phase_keys.feedback": "evaluator.plugins.feedback.keys:FeedbackKey",
        "checks.feedback": "evaluator.plugins.feedback.keys:check_feedback",
        "entry_rules.feedback": "evaluator.plugins.feedback.keys:feedback_rules",
        "feedback.private": "evaluator.plugins.feedback.feedback:PRIVATE",
    },
    help_sections={"Take part": ("feedback",)},
)
