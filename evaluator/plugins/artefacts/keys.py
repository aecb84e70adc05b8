"""What a bundle, the settings and an entry say of artefacts; the pointers that are in git.

A pointer is a file of Git LFS's form in the place of the artefact. So the digest is part of an
entry's content, by which keys, copies and races know it, and the address is not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.paths import LFS_POINTER, shown
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import Bytes
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.planning.snapshot import Snapshot

KEY = "artefacts"
_POINTER = re.compile(LFS_POINTER + rb"v1\noid sha256:([0-9a-f]{64})\nsize (0|[1-9][0-9]{0,17})\n?")
_FORM = (
    "It has three lines, as `git lfs pointer --file FILE` and `pullbench point FILE` print them."
)


def _plain_address(address: str) -> str:
    parts = urlsplit(address)
    is_plain = address.isascii() and address.isprintable() and not set(address) & set(" \\")
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise ValueError("has to be an address that begins with https://")
    if parts.username or parts.password or parts.fragment:
        raise ValueError("has to be an address without a name, a password or a fragment")
    _ = parts.port  # raises ValueError
    return address


Address = Annotated[str, Field(max_length=1000), AfterValidator(_plain_address)]
Addresses = Annotated[dict[str, Address], Field(max_length=100)]
"""``artefacts`` of submission.yaml: path of a pointer in the entry -> where its file lies."""
Limit = Bytes
"""``pullbench: artefacts`` of a bundle: bytes that all artefacts of an entry may have together."""
Origins = list[Address]
"""``[tool.pullbench] artefacts``: with what the addresses begin that runners fetch from, redirects
too. The last folder counts whole: ``https://host/ab`` is no beginning of ``https://host/abc``."""


@dataclass(frozen=True, kw_only=True)
class Artefact:
    """A file of an entry that lies elsewhere."""

    path: str
    """In the entry's folder."""
    address: str
    sha256: str
    size: int
    """Bytes."""


def pointer(sha256: str, size: int) -> bytes:
    return LFS_POINTER + f"v1\noid sha256:{sha256}\nsize {size}\n".encode()


def is_below(address: str, origin: str) -> bool:
    """Whether an address has an origin's scheme, host, port and folders."""
    one, other = urlsplit(address), urlsplit(origin)
    ports = {"https": 443, "http": 80}
    if (one.scheme, one.hostname, one.port or ports.get(one.scheme)) != (
        other.scheme, other.hostname, other.port or ports.get(other.scheme),
    ):  # fmt: skip
        return False
    folder = other.path.rstrip("/") + "/"
    # Servers resolve `..`, also written as %2e%2e.
    climbs = ".." in one.path.lower().replace("%2e", ".").split("/")
    return folder == "/" or (one.path.startswith(folder) and not climbs)


def addresses_of(submission: Submission) -> Mapping[str, str]:
    addresses: Mapping[str, str] = submission.of_plugins.get(KEY, {})
    return addresses


def check_artefacts(snapshot: Snapshot, within: Sequence[str]) -> Iterator[Problem]:
    """Report artefacts that no runner could or would fetch, before it is asked to."""
    for submission in snapshot.submissions:
        addresses = addresses_of(submission)
        if not addresses or (within and not f"{submission.path}/".startswith(tuple(within))):
            continue
        benchmark = snapshot.benchmarks[submission.benchmark]
        if message := _refusal(benchmark, submission):
            yield _problem(submission, "", message, "Commit the files themselves, or leave it out.")
            continue
        pointed = pointed_in(snapshot, submission)
        for path, address in addresses.items():
            if path not in pointed:
                message = f"'{shown(path)}' is no Git LFS pointer in the submission's folder"
                yield _problem(submission, path, message, _FORM)
            elif not any(is_below(address, origin) for origin in origins_of(snapshot)):
                allowed = ", ".join(origins_of(snapshot)) or "none"
                yield _problem(
                    submission, path, f"nothing is fetched from {shown(address)}",
                    f"Put the file where this deployment fetches from: {allowed}.",
                )  # fmt: skip
        limit = benchmark.of_plugins[KEY]
        total = sum(artefact.size for artefact in pointed.values())
        if total > limit:
            message = f"its artefacts have {total:,} bytes; the benchmark takes {limit:,}"
            yield _problem(submission, "", message, "Make them smaller.")


def _refusal(benchmark: Benchmark, submission: Submission) -> str:
    if KEY not in benchmark.of_plugins:
        return "the benchmark takes no artefacts"
    if not submission.kind.is_evaluated:
        return f"nothing is run for a submission of the kind '{submission.kind_name}'"
    phase = benchmark.phase(submission.phase)
    tasks = phase.tasks if phase else ()
    if submission.sealed or any(one.encrypted for task in tasks for one in task.private):
        # What opens them has a key, and nothing from outside comes near it.
        return f"phase '{submission.phase}' has encrypted data, and takes no artefacts"
    return ""


def pointed_in(snapshot: Snapshot, submission: Submission) -> dict[str, Artefact]:
    """Its artefacts whose pointers can be read, by path."""
    addresses, start = addresses_of(submission), f"{submission.path}/"
    contents = snapshot.tree.read(start + path for path in addresses)
    matches = {
        path: match
        for path in addresses
        if (match := _POINTER.fullmatch(contents.get(start + path, b"")))
    }
    return {
        path: Artefact(
            path=path, address=addresses[path], sha256=match[1].decode(), size=int(match[2])
        )
        for path, match in matches.items()
    }


def origins_of(snapshot: Snapshot) -> tuple[str, ...]:
    return tuple(snapshot.settings.of_plugins.get(KEY, ()))


def _problem(submission: Submission, path: str, message: str, hint: str) -> Problem:
    return Problem(
        file=f"{submission.path}/{FILE_NAME}", key=f"{KEY}.{shown(path)}" if path else KEY,
        message=message, hint=hint, actor=Actor.PARTICIPANT,
    )  # fmt: skip


def entry_rules(benchmark: Benchmark, _: Phase) -> Iterator[str]:
    if limit := benchmark.of_plugins.get(KEY):
        yield (
            f"Large files may lie elsewhere, {limit:,} bytes in all: `pullbench point` writes a "
            "pointer to each."
        )
