"""Boards in formats of others.

Without it ``leaderboard --format`` prints no ``eee`` and no ``in-toto``.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "exporters.eee": "evaluator.plugins.openformats.eee:to_eee",
        "exporters.in-toto": "evaluator.plugins.openformats.in_toto:to_in_toto",
    },
)
