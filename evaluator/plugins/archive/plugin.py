"""Submissions of ended phases, moved to another repository or a bundle.

Without it their pointers are read, and their files cannot be fetched.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.archive": "evaluator.plugins.archive.verbs:archive",
        "verbs.restore": "evaluator.plugins.archive.verbs:restore",
        "content_sources.archive": "evaluator.plugins.archive.archived:fetch_archived",
    },
    help_sections={"Organise benchmarks": ("archive", "restore")},
)
