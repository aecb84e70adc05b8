"""Large files of entries, which lie elsewhere: git has a pointer with their digest.

Without it a Git LFS pointer in an entry is refused, and `artefacts` is an unknown key.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "submission_keys.artefacts": "evaluator.plugins.artefacts.keys:Addresses",
        "bundle_keys.artefacts": "evaluator.plugins.artefacts.keys:Limit",
        "settings.artefacts": "evaluator.plugins.artefacts.keys:Origins",
        "checks.artefacts": "evaluator.plugins.artefacts.keys:check_artefacts",
        "files_elsewhere.artefacts": "evaluator.plugins.artefacts.keys:addresses_of",
        "elsewhere.artefacts": "evaluator.plugins.artefacts.fetching:artefacts_of",
        "entry_rules.artefacts": "evaluator.plugins.artefacts.keys:entry_rules",
        "verbs.point": "evaluator.plugins.artefacts.verb:point",
    },
    help_sections={"Take part": ("point",)},
)
