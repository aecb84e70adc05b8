"""How to enter a phase without git: the forge's own forms, filled in as far as can be known."""

import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import KINDS, SubmissionKind, usual_kind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.submission import FILE_NAME
from evaluator.site.submission_text import submission_text

PARTICIPANT, NAME = "YOUR-LOGIN", "MY-ENTRY"
"""What participants replace in a path."""
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
class Offer:
    """How to enter one open phase."""

    phase: Phase
    kind: SubmissionKind
    files: tuple[str, ...]
    """What must stand beside submission.yaml, in words."""
    text: str
    """submission.yaml."""
    new: str
    """Address of the form that is filled in with it; empty without a forge."""
    filled: bool
    """Whether that address holds the text."""


def entries(benchmark: Benchmark, phase: Phase, forge: ForgeAddress | None) -> Iterator[Offer]:
    for kind in offered_kinds(benchmark, phase):
        text = submission_text(benchmark, phase, kind)
        folder = f"submissions/{benchmark.name}/{PARTICIPANT}/{NAME}"
        new = forge.new_file(folder, FILE_NAME, text) if forge else ""
        files = tuple(kind.expected_files(benchmark, phase))
        yield Offer(phase=phase, kind=kind, files=files, text=text, new=new, filled="value=" in new)


def offered_kinds(benchmark: Benchmark, phase: Phase) -> list[SubmissionKind]:
    usual = usual_kind(benchmark, phase)
    others = (kind for kind in KINDS.values() if kind is not usual and kind.is_offered(benchmark))
    return [usual, *others]


def takes(benchmark: Benchmark, phase: Phase) -> str:
    return ", and ".join(kind.takes(phase) for kind in offered_kinds(benchmark, phase))


def _path(path: str) -> str:
    return urllib.parse.quote(path)
