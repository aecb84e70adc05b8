"""From a git tree to a ranked board; what one reads in a day.

    git tree -> snapshot -> plan -> run in containers -> scores -> table -> ranked board

``formats`` reads files to types, ``git`` reads a tree, ``planning`` finds the cells that are
missing, ``compute`` runs one in containers, ``scores`` writes and chooses, ``leaderboard`` and
``ranking`` make boards, ``cli`` has a verb for each step. ``plugins`` finds what else is installed:
nothing here imports ``ci``, ``site`` or a plugin.
"""
