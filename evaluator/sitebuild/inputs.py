"""Digests of what pages are made of beside the repository's records."""

import sys
from functools import cache
from importlib.metadata import distributions
from pathlib import Path

import evaluator
from evaluator.formats.file_digests import digest_of_files
from evaluator.sitebuild.output import digest


@cache
def of_programs() -> str:
    """Digest of everything that makes pages: this package's own files, Python, what is installed.

    Versions are enough of the others; this package may be at work on itself.
    """
    folder = Path(evaluator.__file__).parent
    versions = sorted(f"{found.name} {found.version}" for found in distributions())
    return digest(sys.version, *versions, digest_of_files(folder))
