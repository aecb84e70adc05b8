"""The steps of a pull request, from its opening to its score; each is one command.

received -> approved by an organiser -> evaluated by jobs without a write token -> finished.
Each reads git objects alone, by the base branch's rules; a head that moves voids its approval.
"""
