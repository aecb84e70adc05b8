"""Files that programs of participants must have, and what these define.

Without it ``files`` of a bundle is an unknown key, and a wrong name shows when the program runs.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "bundle_keys.files": "evaluator.plugins.code_files.checks:CodeFiles",
        "checks.files": "evaluator.plugins.code_files.checks:check_files",
    },
)
