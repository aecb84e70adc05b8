"""Templates of benchmarks, repositories, fact sheets and submissions.

Without it they are written by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "enter": "evaluator.plugins.scaffold.verbs:enter",
        "init": "evaluator.plugins.scaffold.verbs:init",
        "fact-sheet": "evaluator.plugins.scaffold.verbs:fact_sheet",
        "solutions": "evaluator.plugins.scaffold.verbs:solutions",
    },
    help_sections={
        "Take part": ("enter",),
        "Organise benchmarks": ("init", "fact-sheet", "solutions"),
    },
)
