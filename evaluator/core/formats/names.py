"""Names that become addresses, file names and names of images."""

import re
from collections.abc import Collection

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.schema import Document

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
"""Of benchmarks, participants and submissions."""


def name_problem(name: str, path: str, actor: Actor) -> Problem | None:
    if NAME.fullmatch(name):
        return None
    return Problem(
        file=path,
        message=f"the name '{name}' is not accepted",
        hint="Use 1 to 64 ASCII letters, digits, '.', '_' and '-', a letter or digit first.",
        actor=actor,
    )


PARTICIPANTS = frozenset({"index.html"})
"""``benchmarks/<benchmark>/submissions/<participant>/`` stands beside the list of submissions."""
BENCHMARKS = frozenset({"index.html", "index.json"})
"""``benchmarks/<benchmark>/`` and ``api/v1/<benchmark>/`` stand beside lists of boards."""
POINTS = frozenset({"index.html"})
"""``benchmarks/<benchmark>/history/<tag>/`` stands beside the list of points."""


def is_reserved(name: str, names: frozenset[str]) -> bool:
    """Whether a name is one of those, or differs by case alone: some disks keep no case."""
    return name.casefold() in names


FOLDER = "environments"
"""``environments/NAME/Dockerfile`` of a bundle is an image in which submitted code may run; the
submission names it. Scoring programs always run in the benchmark's own image."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
"""With the name of a benchmark, of 64 characters, it is the tag of an image, of 128."""


def environments(files: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name in _folders(files) if _NAME.fullmatch(name)))


def check_environments(files: Collection[str], document: Document) -> None:
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
