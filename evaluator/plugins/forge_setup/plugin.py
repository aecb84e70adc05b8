"""Settings of a forge that the workflows need, checked and set by one command.

Without it an organiser sets them by hand.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    verbs={
        "github": "evaluator.cli.forge:github",
    },
    help_sections={
        "Organise benchmarks": ("github",),
    },
)
