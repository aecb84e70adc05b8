"""Objects that are missing in a partial clone: fetched in one exchange before they are read.

git fetches each by itself when it meets it, and libgit2 not at all.
"""

import base64
import os
import random
import re
import tempfile
import time
import urllib.parse
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import BinaryIO, cast

from evaluator.ci.git.advice import may_pass
from evaluator.ci.git.watching import one_at_a_time, run_watched
from evaluator.core.errors import PlatformError
from evaluator.core.git.objects import has
from evaluator.core.git.repository import GitFailedError, Repo

TOKEN_VARIABLES = ("PULLBENCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
_TRIES = 3
_NAMED, _TRUE = re.compile(r"remote\.(.*)\.promisor"), ("true", "yes", "on", "1")


def promisor(repo: Repo) -> str:
    """The remote that has what is missing in this clone; empty for a full clone."""
    names = (name for name, value in repo.config.items() if value.lower() in _TRUE)
    return next((match[1] for name in names if (match := _NAMED.fullmatch(name))), "")


def fetch_missing(repo: Repo, ids: Iterable[str], *, within: int | None = 0) -> bool:
    """Fetch objects that are not here, and of folders some levels; whether there were any."""
    remote = promisor(repo)
    absent = missing(repo, ids) if remote else []
    if not absent:
        return False
    while absent:
        try:
            _fetch(repo, remote, absent, within)
        except PlatformError:
            # Of a folder within another one that is asked for a server may leave out the content.
            if len(missing(repo, absent)) == len(absent):
                raise
        before, absent = absent, missing(repo, absent)
        if len(absent) == len(before):
            break  # git itself says more of what is asked for and not given
    return True


def _fetch(repo: Repo, remote: str, ids: Iterable[str], within: int | None) -> None:
    exchange_all(
        repo, remote, ids, "-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags",
        "--no-write-fetch-head", "--recurse-submodules=no", "--no-auto-maintenance",
        "--no-filter" if within is None else f"--filter=tree:{within}",
    )  # fmt: skip


def exchange_all(repo: Repo, remote: str, names: Iterable[str], *command: str) -> None:
    """Fetch by a command, and any number of names by its standard input."""
    with tempfile.TemporaryFile() as stream:
        stream.write("".join(f"{name}\n" for name in names).encode())
        stream.seek(0)
        exchange(repo, remote, *command, "--stdin", remote, stdin=cast("BinaryIO", stream))


def missing(repo: Repo, ids: Iterable[str]) -> list[str]:
    names = list(dict.fromkeys(ids))
    return [name for name, there in zip(names, has(str(repo.git_dir), names), strict=True)
            if not there]  # fmt: skip


def exchange(
    repo: Repo,
    remote: str,
    *command: str,
    stdin: BinaryIO | None = None,
    env: Mapping[str, str] = MappingProxyType({}),
    token: bool = True,
) -> str:
    """Run git with a remote, the token in the environment, where no process sees it."""
    environment = {
        "GIT_TERMINAL_PROMPT": "0",
        **env,
        **(_credentials(address_of(repo, remote)) if token else {}),
    }
    with one_at_a_time(repo, "exchange"):
        for tries in range(1, _TRIES):
            try:
                return run_watched(repo, command, stdin, environment)
            except GitFailedError as error:
                if not may_pass(error.said):
                    raise
            time.sleep(random.uniform(0.5, 1.5) * tries)  # noqa: S311 - jitter
            if stdin is not None:
                stdin.seek(0)
        return run_watched(repo, command, stdin, environment)


def address_of(repo: Repo, remote: str) -> str:
    return repo.config.get(f"remote.{remote}.url") or remote


def _credentials(address: str) -> Mapping[str, str]:
    """Let git send the token, to this host alone and over TLS alone."""
    token = next((os.environ[name] for name in TOKEN_VARIABLES if os.environ.get(name)), "")
    parts = urllib.parse.urlsplit(address)
    if not token or parts.scheme != "https" or parts.username or not parts.hostname:
        return {}
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    number = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    return {
        "GIT_CONFIG_COUNT": str(number + 1),
        f"GIT_CONFIG_KEY_{number}": f"http.https://{parts.netloc}/.extraheader",
        f"GIT_CONFIG_VALUE_{number}": f"AUTHORIZATION: basic {secret}",
    }
