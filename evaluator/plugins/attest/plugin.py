"""Signed statements of scores, and what proves of each number of a board.

Without it nothing is signed, and a number is worth what those who may push to the branch are.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    extra="attest",
    verbs={
        "verify": "evaluator.plugins.attest.verbs:verify",
        "attest": "evaluator.plugins.attest.verbs:attest",
    },
    help_sections={"Read and check results": ("verify", "attest")},
    settings={"attest": "evaluator.plugins.attest.settings:Attest"},
    statements={
        "sign": "evaluator.plugins.attest.signing:sign_scores",
        "keep": "evaluator.plugins.attest.signing:sign_records",
        "kept": "evaluator.plugins.attest.signing:signed_records",
        "tip": "evaluator.plugins.attest.reading:tip",
        "vouch": "evaluator.plugins.attest.vouching:vouch",
        "keygen": "evaluator.plugins.attest.keys:new_key",
    },
)
