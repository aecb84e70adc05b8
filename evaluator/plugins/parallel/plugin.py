"""Parallel mode: an agent plays while it is scored, in two containers at once.

Without it cells of a task with ``ingestion_only_during_scoring`` are platform faults, and nothing
of them runs.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(offers={"modes.parallel": "evaluator.plugins.parallel.playing:play"})
