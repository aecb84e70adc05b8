"""The locks of what workflows and `make` install: the lines of pip, read."""

import re
from collections.abc import Collection, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

LOCKS = ".github/locks"
LOCK_OF_TESTS = "tests/dependencies.txt"
REQUIREMENTS = ".github/requirements.txt"
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
_PINNED = re.compile(r"[a-z0-9-]+(\[[a-z]+\])?==[^ ;=*]+")


def blocks(text: str) -> list[str]:
    """Each package with its digests, as it stands there."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    return re.split(r"(?m)^(?=\S)", "".join(lines))[1:]


def asked(project: Mapping[str, Any], extras: Collection[str] = ()) -> list[str]:
    """What ``[project]`` asks for, and its extras, with those that an extra names."""
    lines = list(project["dependencies"])
    for extra in extras:
        for line in project["optional-dependencies"][extra]:
            one = Requirement(line)
            lines += asked(project, one.extras) if one.name == "pullbench" else [line]
    return list(dict.fromkeys(lines))


def versions(text: str) -> dict[str, str]:
    pinned = (block.partition(" ")[0].partition("==") for block in blocks(text))
    return {name.partition("[")[0]: version for name, _, version in pinned}


def runs_locked(package: str) -> bool:
    """Whether a package is installed in its locked version: bytes are promised of that alone."""
    lock = Path(__file__).parents[1] / LOCK_OF_TESTS
    return metadata.version(package) == versions(lock.read_text())[package]


def unlocked(text: str, wanted: Mapping[str, list[str]]) -> Iterator[str]:
    """Say what is wrong; ``wanted`` are requirements, by who has them."""
    for block in blocks(text):
        pinned, *digests = block.replace("\\\n", " ").split()
        if not _PINNED.fullmatch(pinned):
            yield f"{pinned} is no version of a package"
        if not digests or not all(map(_HASH.fullmatch, digests)):
            yield f"{pinned} has no digest, or something else"
    if "://" in text or not text.startswith("# "):
        yield "an address"
    known = versions(text)
    for who, lines in wanted.items():
        for requirement in map(Requirement, lines):
            if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
                continue
            version = known.get(re.sub(r"[-_.]+", "-", requirement.name).lower())
            if version is None:
                yield f"{requirement.name}, which {who} needs, is not locked"
            elif version not in requirement.specifier:
                yield f"{requirement}, which {who} needs, is locked as {version}"
