"""How a cell ended, and the logs of its steps.

Without it a run says why a cell failed, and nothing shows that again later.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={"verbs.log": "evaluator.plugins.logs.verb:log"}, help_sections={"Take part": ("log",)}
)
