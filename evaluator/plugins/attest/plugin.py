"""Signed statements of scores, and what proves of each number of a board.

Without it nothing is signed, and a number is worth what those who may push to the branch are.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "verbs.verify": "evaluator.plugins.attest.verbs:verify",
        "verbs.attest": "evaluator.plugins.attest.verbs:attest",
        "settings.attest": "evaluator.plugins.attest.settings:Attest",
        "statements.sign": "evaluator.plugins.attest.signing:sign_scores",
        "statements.keep": "evaluator.plugins.attest.signing:sign_records",
        "statements.kept": "evaluator.plugins.attest.signing:signed_records",
        "statements.tip": "evaluator.plugins.attest.reading:tip",
        "statements.vouch": "evaluator.plugins.attest.vouching:vouch",
        "statements.keygen": "evaluator.plugins.attest.keys:new_key",
    },
    help_sections={"Read and check results": ("verify", "attest")},
)
