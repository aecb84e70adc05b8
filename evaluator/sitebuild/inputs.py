"""Digests of what pages are made of beside the repository's records."""

import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import evaluator
from evaluator.sitebuild.output import digest


@cache
def of_programs() -> str:
    """Digest of everything that makes pages: this package's own files, Python, what is installed.

    Versions are enough of the others; this package may be at work on itself.
    """
    folder = Path(evaluator.__file__).parent
    versions = sorted(f"{found.name} {found.version}" for found in distributions())
    return digest(sys.version, *versions, of_folder(folder))


def of_folder(folder: Path) -> str:
    """Digest of the names and contents of all files below a folder."""
    return digest(*_contents(folder))


def _contents(folder: Path) -> Iterable[bytes | str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix()
            yield path.read_bytes()
