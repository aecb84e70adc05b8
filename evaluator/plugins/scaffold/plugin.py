"""Templates of benchmarks, repositories, fact sheets and submissions.

Without it they are written by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.enter": "evaluator.plugins.scaffold.verbs:enter",
        "verbs.init": "evaluator.plugins.scaffold.verbs:init",
        "verbs.fact-sheet": "evaluator.plugins.scaffold.verbs:fact_sheet",
        "verbs.solutions": "evaluator.plugins.scaffold.verbs:solutions",
    },
    help_sections={
        "Take part": ("enter",),
        "Organise benchmarks": ("init", "fact-sheet", "solutions"),
    },
)
