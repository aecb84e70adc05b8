"""Scores that a paper or another board states: submissions of which nothing is evaluated.

Without it a bundle that takes them is refused; all others work as they do with it.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(offers={"kinds.reported": "evaluator.plugins.cited_scores.kind:REPORTED_SCORES"})
