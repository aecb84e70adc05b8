"""What the images have installed in which submissions run, as far as files of the bundle say it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from evaluator.core.formats.bundle import Benchmark

_PACKAGE = re.compile(r"[A-Za-z0-9][\w.+-]*(?:\[[\w,.-]+\])?(?:[=<>!~]=?[^\s;]+)?")
_INSTALLER = re.compile(r"\b(?:pip3?|apt|apt-get|conda|mamba)\b")
_PYTHON = re.compile(r"(?:^|/)python:(\d+(?:\.\d+)+)")


@dataclass(frozen=True, kw_only=True)
class ImageSource:
    """One image, and what its files say of it."""

    name: str
    environment: str
    """Empty for the image that is used unless a submission asks for another."""
    folder: str
    """Where it is built from; empty where no Dockerfile is."""
    base: str
    """The image that it is built from, or itself."""
    packages: tuple[str, ...]
    """With their versions, where the files state them."""

    @property
    def python(self) -> str:
        version = _PYTHON.search(self.base)
        return version[1] if version else ""


def images(benchmark: Benchmark, read: Callable[[str], bytes | None]) -> Iterator[ImageSource]:
    """Yield the images of a benchmark; ``read`` returns files of its bundle."""
    for environment in ("", *benchmark.environments):
        name, folder = benchmark.code_image(environment), benchmark.context_path(environment)

        def text(path: str, folder: str = folder) -> str:
            file = f"{folder}/{path}".removeprefix(f"{benchmark.path}/")
            return (read(file) or b"").decode("utf-8", "replace")

        lines = text("Dockerfile").replace("\\\n", " ").splitlines()
        bases = [
            words[1] for line in lines if len(words := line.split()) > 1 and words[0] == "FROM"
        ]
        packages = [
            one for line in lines if line.startswith("RUN ") for one in _installed(line, text)
        ]
        yield ImageSource(
            name=name, environment=environment, folder=folder if bases else "",
            base=bases[-1] if bases else name,
            packages=tuple(dict.fromkeys(packages)),
        )  # fmt: skip


def _installed(line: str, text: Callable[[str], str]) -> Iterator[str]:
    for command in re.split("&&|;", line):
        installer, _, words = command.partition(" install ")
        if not _INSTALLER.search(installer):
            continue
        for option, word in pairwise(["", *words.split()]):
            if option in {"-r", "--requirement"}:
                required = re.sub(r"\s#.*", "", text(word)).splitlines()
                yield from (one[0] for line in required if (one := _PACKAGE.match(line)))
            elif not option.startswith("--") or option in _FLAGS:
                yield from filter(_PACKAGE.fullmatch, [word.strip("\"'")])


_FLAGS = frozenset({"--no-cache-dir", "--no-install-recommends", "--upgrade", "--yes", "--no-deps"})
"""Options after which no value comes."""
