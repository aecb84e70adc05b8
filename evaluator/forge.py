"""The one client of forges: GitHub's REST interface, which Gitea and Forgejo share in part.

Every answer is bounded and every failure says what the forge said. The token never leaves this
module: it is in no message and no log.
"""

import os
import urllib.parse
from dataclasses import dataclass
from typing import Any

import requests

from evaluator.errors import Actor, PlatformError, PullbenchError, printable

_TIMEOUT_SECONDS = 30
TOKEN_VARIABLES = ("PULLBENCH_TOKEN", "GITHUB_TOKEN", "GH_TOKEN")
API_VARIABLE = "PULLBENCH_FORGE_API"
"""Address of the interface's root, where it does not follow from the repository's."""


class ForgeError(PullbenchError):
    """The forge refused; its own words are in the message."""


@dataclass(frozen=True, kw_only=True)
class Forge:
    """One repository on a forge."""

    address: str
    """Of the repository, as people open it."""
    api: str
    """Of the repository in the interface, without a slash at its end."""
    token: str

    def open_pull_request(self, *, head: str, base: str, title: str, body: str) -> str:
        """Open a pull request and return its address; an open one of that branch is returned."""
        answer = self._post("pulls", {"head": head, "base": base, "title": title, "body": body})
        if answer.status_code == 422 and "already exists" in answer.text:
            return self.compare_address(head=head, base=base)
        return str(self._data(answer, "open the pull request")["html_url"])

    def compare_address(self, *, head: str, base: str) -> str:
        """Address at which a person opens the pull request by hand."""
        return compare_address(self.address, head=head, base=base)

    def _post(self, path: str, data: dict[str, Any]) -> requests.Response:
        try:
            return requests.post(
                f"{self.api}/{path}",
                json=data,
                headers={
                    "Authorization": f"Bearer {self.token}",
                    "Accept": "application/vnd.github+json",
                },
                timeout=_TIMEOUT_SECONDS,
                # A redirect would carry the token to an address that nobody chose.
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise PlatformError(
                f"the forge does not answer: {type(error).__name__}", hint="Try again later."
            ) from None

    def _data(self, answer: requests.Response, doing: str) -> dict[str, Any]:
        try:
            data = answer.json()
        except ValueError:
            data = {}
        if answer.status_code in {200, 201} and isinstance(data, dict) and "html_url" in data:
            return data
        said = printable(str(data.get("message", "no reason given")))[:300]
        raise ForgeError(
            f"could not {doing}: the forge answered {answer.status_code}, {said}",
            hint="May the token write pull requests of this repository?",
            actor=Actor.PARTICIPANT,
        )


def find_forge(address: str) -> Forge | None:
    """Return the forge of a repository's address; None without a token or an address."""
    token = next((os.environ[name] for name in TOKEN_VARIABLES if os.environ.get(name)), "")
    parts = urllib.parse.urlsplit(address)
    name = parts.path.strip("/").removesuffix(".git")
    if not token or not parts.netloc or name.count("/") != 1:
        return None
    root = os.environ.get(API_VARIABLE) or (
        "https://api.github.com"
        if parts.netloc == "github.com"
        else f"{parts.scheme}://{parts.netloc}/api/v1"
    )
    return Forge(address=address.rstrip("/"), api=f"{root.rstrip('/')}/repos/{name}", token=token)


def compare_address(address: str, *, head: str, base: str) -> str:
    """Address at which a person opens a pull request by hand."""
    span = f"{urllib.parse.quote(base)}...{urllib.parse.quote(head, safe=':/')}"
    return f"{address.rstrip('/')}/compare/{span}?expand=1"
