"""The flow, one direction: a function for each step, in its order. The command calls no other.

    git tree -> snapshot -> plan -> run in containers -> scores -> commit -> leaderboard -> site

A module for each group of verbs, in the order of the flow:

- `imports`, `bundles`, `suites`: benchmarks come into a repository, and go out of it
- `snapshots`: git tree -> snapshot, with which every verb begins
- `submissions`, `pulls`: a submission is checked, proposed, judged and approved
- `evaluation`: snapshot -> plan -> run in containers -> scores
- `collection`: scores -> commit
- `boards`: scores -> leaderboard, and what its results say
- `site`: leaderboard -> site
- `secrets`: keys and digests of private data

Each function imports what it calls when it is called, so that a verb loads what it needs and no
more: `pullbench plan` no numpy, and none but `pullbench site` the programs for pages.
"""
