"""The command ``pullbench``: a verb reads its arguments, calls what does the work, and prints.

    git tree -> snapshot -> plan -> run in containers -> scores -> commit -> leaderboard -> site

Each room and plugin has verbs of its own; ``core.plugins`` finds them.

A verb imports what it calls when it is called, so that it loads what it needs and no more:
`pullbench plan` no numpy, and none but `pullbench site` the programs for pages.
"""

from evaluator.core.cli.group import cli

__all__ = ["cli"]
