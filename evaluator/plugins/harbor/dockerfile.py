"""A Dockerfile of a task: what makes its image, and what is in its working folder.

Many tasks differ in their files alone. These are no part of the image, so that the tasks share it.
"""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_KEPT = ("FROM", "RUN", "ENV", "ARG")
_LEFT_OUT = ("CMD", "ENTRYPOINT", "EXPOSE", "HEALTHCHECK", "LABEL", "MAINTAINER", "USER")
"""A container that runs the program of an entry needs none of them."""


@dataclass(kw_only=True)
class Environment:
    """Where a task is worked on."""

    lines: list[str] = field(default_factory=list)
    """Of the image's Dockerfile."""
    workdir: str = "/app"
    copies: list[tuple[str, str]] = field(default_factory=list)
    """Source beside the Dockerfile, and place in the image; with a slash a folder."""

    @property
    def image(self) -> str:
        """An image that is used as it is; empty if one is built."""
        built = [line for line in self.lines if not line.startswith("WORKDIR ")]
        return built[0].removeprefix("FROM ") if len(built) == 1 else ""


def read_dockerfile(text: str) -> Environment:
    """Raises ValueError, whose message says what cannot be brought in."""
    read = Environment()
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\[ \t]*\n", " ", "\n".join(lines)).splitlines():
        word, _, rest = line.strip().partition(" ")
        word, rest = word.upper(), rest.strip()
        if word == "WORKDIR":
            read.workdir = posixpath.normpath(posixpath.join(read.workdir, rest))
            read.lines.append(f"WORKDIR {read.workdir}")
        elif word in ("COPY", "ADD"):
            read.copies += _copies(rest.split(), read.workdir)
        elif word in _KEPT and "<<" not in rest and (word == "FROM") != bool(read.lines):
            if word == "RUN" and read.copies:
                raise ValueError("has RUN after COPY, which may need its files")
            read.lines.append(f"{word} {rest}")
        elif word and word not in _LEFT_OUT:
            raise ValueError(f"cannot be brought in with the line: {line}")
    if not read.lines:
        raise ValueError("is missing, or has no FROM")
    return read


def _copies(words: list[str], workdir: str) -> Iterator[tuple[str, str]]:
    names = [word for word in words if not re.match("--(chown|chmod)=", word)]
    if len(names) < 2 or re.search(r'[*?"$]|--|://', " ".join(names)):
        raise ValueError(f"copies more than plain files: {' '.join(words)}")
    *sources, target = names
    is_folder = len(sources) > 1 or target.endswith(("/", "."))
    place = posixpath.normpath(posixpath.join(workdir, target))
    for source in sources:
        yield posixpath.normpath(f"./{source}"), f"{place}/" if is_folder else place
