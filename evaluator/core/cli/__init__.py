"""The command ``pullbench``: a verb reads its arguments, calls what does the work, and prints.

    git tree -> snapshot -> plan -> run in containers -> scores -> commit -> leaderboard -> site

A module for each group of verbs, in the order of the flow: `imports`, `bundles` and `suites` bring
benchmarks into a repository and out of it; `submissions` and `pulls` check, judge and approve what
is entered; `evaluation` plans and runs; `collection` and `archives` commit; `boards` ranks; `site`
builds pages. Beside it are `secrets` (keys of private data) and `forge` (its settings).

A verb imports what it calls when it is called, so that it loads what it needs and no more:
`pullbench plan` no numpy, and none but `pullbench site` the programs for pages.
"""

from evaluator.core.cli.group import cli

__all__ = ["cli"]
