"""Programs on this machine without isolation: for those that one trusts, where no Docker is.

Without it every program runs in a container.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "engines.subprocess": "evaluator.plugins.host.host_kinds:SUBPROCESS",
        "engines.warm": "evaluator.plugins.host.host_kinds:WARM",
    },
)
