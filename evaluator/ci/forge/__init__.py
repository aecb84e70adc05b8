"""The one client of forges: GitHub's REST interface, which Gitea and Forgejo share in part.

Every answer is bounded, every failure names what was attempted and the forge's answer, and the
token never leaves this package: it is in no message and no log.
"""

from evaluator.ci.forge.client import PullRequest
from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import (
    API_VARIABLE,
    BOT_VARIABLE,
    STATUS_CONTEXT,
    TOKEN_VARIABLES,
    Forge,
    StatusState,
    compare_address,
    find_forge,
)

__all__ = [
    "API_VARIABLE", "BOT_VARIABLE", "STATUS_CONTEXT", "TOKEN_VARIABLES",
    "Forge", "ForgeError", "PullRequest", "StatusState",
    "compare_address", "find_forge",
]  # fmt: skip
