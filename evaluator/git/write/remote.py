"""Exchanges with a remote, with the forge's token where there is one."""

import base64
import os
import re
import urllib.parse
import uuid
from collections.abc import Mapping

import git

from evaluator.errors import PlatformError, RefusedError, printable

TOKEN_VARIABLES = ("PULLBENCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")


_CHECKED = (
    "-c", "fetch.fsckObjects=true",
    "-c", "fetch.fsck.hasDotgit=ignore",  # names are judged by their paths
)  # fmt: skip


def fetch_commit(repo: git.Repo, remote: str, *names: str, strangers: bool = False) -> str | None:
    """Fetch the first of the named references or commits that the remote has; return its id.

    Nothing is checked out and no reference of the clone moves. None where it has none of them.
    A stranger's objects must be such as git writes, or clones with git's checks would refuse the
    whole repository once they are merged. Raises RefusedError.
    """
    # A reference of its own: two fetches at once would meet in FETCH_HEAD.
    landing = f"refs/pullbench/fetch/{uuid.uuid4().hex}"
    for name in names:
        try:
            exchange(
                repo, remote, *(_CHECKED if strangers else ()), "fetch", "--quiet", "--no-tags",
                "--no-write-fetch-head", "--end-of-options", remote, f"+{name}:{landing}",
            )  # fmt: skip
            return str(repo.git.rev_parse("--verify", f"{landing}^{{commit}}"))
        except git.GitCommandError as error:
            problem = str(error.stderr)
            fault = re.search(r"object [0-9a-f]+: ([^\n]*)\n.*fsck error", problem, re.DOTALL)
            if fault:
                raise RefusedError(
                    f"git's check of its objects says {printable(fault[1])[:200]}",
                    hint="Commit the files anew with git, on a new branch.",
                ) from None
            if not any(sign in problem for sign in _NOT_THERE):
                raise PlatformError(
                    f"'{remote}' cannot be read: {last_line(error)}",
                    hint="Does the address answer, and may this account read it?",
                ) from None
        finally:
            repo.git.update_ref("-d", landing)
    return None


_NOT_THERE = (
    "couldn't find remote ref",
    "not our ref",
    "no such ref",
    "bad object",
    "unadvertised",
)


def exchange(repo: git.Repo, remote: str, *command: str) -> str:
    """Run a git command that talks to a remote. Raises git.GitCommandError.

    The token travels in the environment: an argument would be visible to every process.
    """
    return str(
        repo.git.execute(
            [repo.git.GIT_PYTHON_GIT_EXECUTABLE, *command],
            env={"GIT_TERMINAL_PROMPT": "0", **_credentials(address_of(repo, remote))},
        )
    )


def address_of(repo: git.Repo, remote: str) -> str:
    """Return a remote's address; an address is its own."""
    return next((item.url for item in repo.remotes if item.name == remote), remote)


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


def last_line(error: git.GitCommandError) -> str:
    """Return git's last message, its last error where there is one."""
    lines = str(error.stderr).strip().strip("'").strip().splitlines()
    lines = [line for line in lines if "fatal:" in line or "error:" in line] or lines
    return printable(lines[-1])[:300] if lines else "no reason given"
