"""The steps of a pull request, from its opening to its score; each is one command.

received -> approved by an organiser -> evaluated by jobs without a write token -> finished.
Each step reads the pull request's content from git objects alone, judges it by the base branch's
rules, and binds one tree: a head that has moved voids what was approved.
"""
