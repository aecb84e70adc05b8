"""Environments: images of a benchmark, beside its own, in which submitted code may run.

The organiser writes ``environments/NAME/Dockerfile`` into the bundle, and a submission names it.
Scoring programs always run in the benchmark's own image.
"""

import re
from collections.abc import Collection

from evaluator.core.formats.schema import Document

FOLDER = "environments"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
"""With the name of a benchmark, of 64 characters, it is the tag of an image, of 128."""


def environments(files: Collection[str]) -> tuple[str, ...]:
    """Return the names of a bundle's environments; ``files`` are paths from its directory."""
    return tuple(sorted(name for name in _folders(files) if _NAME.fullmatch(name)))


def check_environments(files: Collection[str], document: Document) -> None:
    """Report folders that would be environments if their names were."""
    for name in sorted(_folders(files)):
        if not _NAME.fullmatch(name):
            document.report(
                (), f"has the environment '{name}', whose name cannot be that of an image.",
                "Use 1 to 60 ASCII letters, digits, '.', '_' and '-', a letter or digit first.",
                severity="warning",
            )  # fmt: skip


def image_name(benchmark: str, environment: str) -> str:
    return f"localhost/pullbench/environment:{benchmark}.{environment}"


def _folders(files: Collection[str]) -> set[str]:
    parts = (file.split("/") for file in files if file.endswith("/Dockerfile"))
    return {part[1] for part in parts if len(part) == 3 and part[0] == FOLDER}
