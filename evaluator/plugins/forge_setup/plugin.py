"""Settings of a forge that the workflows need, checked and set by one command.

Without it an organiser sets them by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={"verbs.github": "evaluator.plugins.forge_setup.verbs:github"},
    help_sections={"Organise benchmarks": ("github",)},
)
