"""From the address of a repository, and the environment, to its forge."""

import os
import time
import urllib.parse
from collections.abc import Callable

from evaluator.ci.forge.client import Client
from evaluator.ci.forge.connection import Connection
from evaluator.ci.forge.repository import Forge

TOKEN_VARIABLES = ("PULLBENCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
API_VARIABLE = "PULLBENCH_FORGE_API"
"""Address of the interface's root, where it does not follow from the repository's."""
BOT_VARIABLE = "PULLBENCH_BOT"
"""Login under which the token writes, where the forge does not return it: a GitHub App's."""
_ACTIONS_BOT = "github-actions[bot]"


def find_forge(address: str, *, sleep: Callable[[float], None] = time.sleep) -> Forge | None:
    """Return the forge of a repository's address; None without a token or an address.

    An empty address is that of the repository whose workflow runs.
    """
    server = os.environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    if not address and server and os.environ.get("GITHUB_REPOSITORY"):
        address = f"{server}/{os.environ['GITHUB_REPOSITORY']}"
    token = next((os.environ[name] for name in TOKEN_VARIABLES if os.environ.get(name)), "")
    parts = urllib.parse.urlsplit(address)
    name = parts.path.strip("/").removesuffix(".git")
    if not token or not parts.netloc or name.count("/") != 1:
        return None
    return Forge(
        address=address.rstrip("/"),
        client=Client(
            root=_root(parts, server).rstrip("/"),
            name=name,
            connection=Connection(token=token, sleep=sleep),
        ),
        bot=os.environ.get(BOT_VARIABLE) or _ACTIONS_BOT,
    )


def _root(parts: urllib.parse.SplitResult, server: str) -> str:
    named = os.environ.get(API_VARIABLE)
    if named:
        return named
    runner = os.environ.get("GITHUB_API_URL")
    # Every job on GitHub has this; one that works on another forge must not send its token there.
    if runner and (not server or urllib.parse.urlsplit(server).netloc == parts.netloc):
        return runner
    if parts.netloc == "github.com":
        return "https://api.github.com"
    return f"{parts.scheme}://{parts.netloc}/api/v1"
