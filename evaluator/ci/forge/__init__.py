"""The one client of forges: GitHub's REST interface, which Gitea and Forgejo share in part.

Every answer is bounded, every failure names what was attempted and the forge's answer, and the
token never leaves this package: it is in no message and no log.
"""
