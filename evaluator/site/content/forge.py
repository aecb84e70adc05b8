"""Addresses of a repository on a forge: of its forms, and of what is in it."""

import urllib.parse
from dataclasses import dataclass
from typing import Literal

from evaluator.core.formats.submission import Submission

MAX_ADDRESS = 7000
"""Characters; servers refuse addresses of 8 KiB."""
ForgeKind = Literal["github", "gitea"]


@dataclass(frozen=True, kw_only=True)
class ForgeAddress:
    """A repository on a forge whose forms are known."""

    root: str
    """Without a slash at the end."""
    kind: ForgeKind
    branch: str

    def new_file(self, folder: str, name: str, content: str) -> str:
        """Address of the form for one new file; without its content where that is too long."""
        filled = self._new(folder, name, content)
        return filled if len(filled) <= MAX_ADDRESS else self._new(folder, name, "")

    def _new(self, folder: str, name: str, content: str) -> str:
        if self.kind == "github":
            query = {"filename": f"{folder}/{name}"}
            start = f"{self.root}/new/{_path(self.branch)}"
        else:
            query = {"filename": name}
            start = f"{self.root}/_new/{_path(self.branch)}/{_path(folder)}"
        if content:
            query["value"] = content
        return f"{start}?{urllib.parse.urlencode(query, quote_via=urllib.parse.quote)}"

    def upload(self, folder: str) -> str:
        verb = "upload" if self.kind == "github" else "_upload"
        return f"{self.root}/{verb}/{_path(self.branch)}/{_path(folder)}/"

    def pull_request(self, number: int) -> str:
        return f"{self.root}/{'pull' if self.kind == 'github' else 'pulls'}/{number}"

    def source(self, commit: str, path: str) -> str:
        verb = "tree" if self.kind == "github" else "src/commit"
        return f"{self.root}/{verb}/{commit}/{_path(path)}"


def forge_address(address: str, branch: str) -> ForgeAddress | None:
    parts = urllib.parse.urlsplit(address)
    name = parts.path.strip("/").removesuffix(".git")
    host = (parts.hostname or "").split(".")
    if parts.scheme not in {"http", "https"} or name.count("/") < 1 or "gitlab" in host:
        return None
    return ForgeAddress(
        root=f"{parts.scheme}://{parts.netloc}/{name}",
        kind="github" if "github" in host else "gitea",
        branch=branch,
    )


@dataclass(frozen=True, kw_only=True)
class CodeLinks:
    """Addresses of submissions of one benchmark."""

    folder: str
    """Of the benchmark's submissions, with a slash at the end; empty where no forge is known."""
    archived: frozenset[str]

    def has(self, submission: Submission) -> bool:
        """Whether there are files that somebody wrote, and not only scores that are reported."""
        return bool(self.folder and not submission.reported and submission.id not in self.archived)


NO_CODE = CodeLinks(folder="", archived=frozenset())


def _path(path: str) -> str:
    return urllib.parse.quote(path)
